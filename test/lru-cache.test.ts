import { expect, test } from "bun:test"
import { createLatest } from "../src/lru-cache.ts"

test("what was put in last is kept, and the oldest makes room", () => {
  const latest = createLatest<string, number>(2)
  latest.set("a", 1)
  latest.set("b", 2)
  latest.set("a", 3)
  latest.set("c", 4)

  expect(["a", "b", "c"].map(latest.get)).toEqual([3, undefined, 4])
})

test("the bound is on the size of all, and what is larger by itself is not kept", () => {
  const latest = createLatest<string, string>(5, ({ length }) => length)
  latest.set("a", "12")
  latest.set("b", "123")
  expect(["a", "b"].map(latest.get)).toEqual(["12", "123"])

  latest.set("b", "1234")
  expect(["a", "b"].map(latest.get)).toEqual([undefined, "1234"])
  latest.set("c", "123456")
  expect(["a", "b", "c"].map(latest.get)).toEqual([undefined, undefined, undefined])
})

test("what is deleted makes room at once", () => {
  const latest = createLatest<string, number>(2)
  latest.set("a", 1)
  latest.set("b", 2)
  latest.delete("b")
  latest.delete("b")
  latest.set("c", 3)

  expect(["a", "b", "c"].map(latest.get)).toEqual([1, undefined, 3])
})
