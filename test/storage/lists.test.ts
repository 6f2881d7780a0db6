import { expect, test } from "bun:test"
import fc from "fast-check"
import { ascending, descending, idAt } from "../../src/storage/sqlite/lists.ts"
import { grown } from "./grown.ts"

/** Ids have gaps: the transactions of others. */
const listOf = (count: number) => grown(Array.from({ length: count }, (_, index) => ({ id: index * 3 + 7, value: 1 })))
const idsOf = (count: number) => Array.from({ length: count }, (_, index) => index * 3 + 7)
const length = fc.integer({ min: 0, max: 300 })

test("a list is met from the newest down and from the oldest up", () => {
  fc.assert(
    fc.property(length, (count) => {
      const list = listOf(count)
      expect([...ascending(list, list.links)].map(({ id }) => id)).toEqual(idsOf(count))
      expect([...descending(list, list.links)].map(({ id }) => id)).toEqual(idsOf(count).reverse())
    }),
  )
})

test("it is met from any place on", () => {
  fc.assert(
    fc.property(length, length, (count, from) => {
      const list = listOf(count)
      expect([...ascending(list, list.links, from)].map(({ id }) => id)).toEqual(idsOf(count).slice(from))
    }),
  )
})

test("every place of it is found by its number", () => {
  for (const count of [1, 2, 3, 7, 8, 100, 255])
    expect(idsOf(count).map((_, index) => idAt(listOf(count), index + 1))).toEqual(idsOf(count))
})

test("neither way reads more than a few dozen places of a long list to be there", () => {
  for (const count of [1000, 100_000])
    for (const place of [1, 2, 50, Math.floor(count / 3), count - 50, count]) {
      const [found, met] = [listOf(count), listOf(count)]
      idAt(found, place)
      ascending(met, met.links, place - 1).next()
      expect(Math.max(found.reads, met.reads)).toBeLessThanOrEqual(4 * Math.log2(count))
    }
})
