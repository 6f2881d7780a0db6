import { expect, test } from "bun:test"
import { newestToMark } from "../../../src/ui/received/shown.ts"

const notifications = (...ids: readonly number[]) => ids.map((id) => ({ id, seen: id <= 2 }))
const marks = (ids: readonly number[], shown: readonly number[]) =>
  newestToMark(notifications(...ids), ({ id }) => shown.includes(id))?.id ?? null

test("notifications are marked up to the oldest that was not shown", () => {
  expect(marks([6, 5, 4, 3, 2, 1], [3, 4, 5, 6])).toBe(6)
  // A recognition (5) that is on its way while a reply (6) to an old one is shown.
  expect(marks([6, 5, 4, 3, 2, 1], [3, 4, 6])).toBe(4)
  expect(marks([6, 5, 4, 3, 2, 1], [4, 5, 6])).toBeNull()
  expect(marks([6, 5, 4, 3, 2, 1], [])).toBeNull()
})

test("nothing is marked that is marked already, and nothing where there is nothing", () => {
  expect(marks([2, 1], [1, 2])).toBeNull()
  expect(marks([3, 2, 1], [])).toBeNull()
  expect(marks([], [])).toBeNull()
})
