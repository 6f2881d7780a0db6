import { expect, test } from "bun:test"
import { inCircles } from "../../../src/domain/people/managers.ts"

const circles = (managers: Readonly<Record<string, string | null>>) => [...inCircles(new Map(Object.entries(managers)))]

test("whoever reports to themselves is in a circle, and nobody else, not even those who report into it", () => {
  expect(circles({})).toEqual([])
  expect(circles({ ana: null, bruno: "ana", carla: "bruno", dora: "ana" })).toEqual([])
  expect(circles({ ana: "ana" })).toEqual(["ana"])
  expect(circles({ eva: "bruno", ana: "bruno", bruno: "carla", carla: "ana", dora: "eva" })).toEqual([
    "bruno",
    "carla",
    "ana",
  ])
  expect(circles({ ana: "outside", bruno: "carla", carla: "bruno", dora: "dora" })).toEqual(["bruno", "carla", "dora"])
})

test("a chain of 20,000 people, asked from below and from above, is checked at once", () => {
  const chain = Array.from({ length: 20_000 }, (_, index) => [index, index + 1] as const)
  for (const people of [chain, chain.toReversed()]) expect(inCircles(new Map(people)).size).toBe(0)
  expect(inCircles(new Map([...chain, [20_000, 0] as const])).size).toBe(20_001)
})
