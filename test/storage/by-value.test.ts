import { expect, test } from "bun:test"
import fc from "fast-check"
import { sequenceByValue } from "../../src/storage/sqlite/by-value.ts"
import type { Reading } from "../../src/storage/sqlite/sequences.ts"
import { grown } from "./grown.ts"

interface Entry {
  readonly id: number
  readonly value: number
}

function whole<T>(reading: Reading<T>): T {
  for (;;) {
    const { done, value } = reading.next()
    if (done) return value
  }
}

const sorted = (entries: readonly Entry[]) =>
  entries.toSorted((a, b) => a.value - b.value || a.id - b.id).map(({ id }) => id)

/** Few values have ties, many have none. */
const value = fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 2 ** 50 }))
const values = fc.array(value, { maxLength: 200 })
const place = fc.integer({ min: 0, max: 200 })

test("a list by value: each slice is what sorting would give, ties by id", () => {
  fc.assert(
    fc.property(values, place, place, (given, one, other) => {
      const entries = given.map((value, index) => ({ id: index * 2 + 5, value }))
      const { slice, count } = sequenceByValue([grown(entries)], entries.length)
      const [from, to] = [Math.min(one, other, count), Math.min(Math.max(one, other), count)]
      expect(whole(slice(from, to))).toEqual(sorted(entries).slice(from, to))
    }),
  )
})

test("two lists as one, what stands in both once", () => {
  const membership = fc.constantFrom("received", "sent", "both")
  fc.assert(
    fc.property(fc.array(fc.tuple(value, membership), { maxLength: 100 }), place, (given, from) => {
      const entries = given.map(([value, member], index) => ({ id: index + 1, value, member }))
      const lists = ["received", "sent"].map((side) =>
        grown(entries.filter(({ member }) => member === side || member === "both")),
      )
      const { slice, count } = sequenceByValue(lists, entries.length)
      const start = Math.min(from, count)
      expect(whole(slice(start, count))).toEqual(sorted(entries).slice(start))
    }),
  )
})

test("the first and the last ones of a long list are found without reading it", () => {
  const given = { alike: () => 7, few: (id: number) => (id * 7919) % 100, all: (id: number) => (id * 7919) % 99_991 }
  for (const give of Object.values(given)) {
    const list = grown(Array.from({ length: 50_000 }, (_, index) => ({ id: index + 1, value: give(index + 1) })))
    const { slice, count } = sequenceByValue([list], 50_000)
    whole(slice(0, 50))
    whole(slice(count - 50, count))
    expect(list.reads).toBeLessThan(3000)
  }
})

test("far from both ends each place is read once, and ties stand by id", () => {
  const given = { alike: () => 7, few: (id: number) => (id * 7919) % 100, all: (id: number) => (id * 7919) % 2 ** 50 }
  for (const give of Object.values(given)) {
    const entries = Array.from({ length: 20_000 }, (_, index) => ({ id: index * 2 + 1, value: give(index + 1) }))
    const list = grown(entries)
    const { slice } = sequenceByValue([list], entries.length)
    expect(whole(slice(9950, 10_050))).toEqual(sorted(entries).slice(9950, 10_050))
    expect(list.reads).toBe(entries.length)
  }
})

test("far from both ends of two lists, what stands in both comes once", () => {
  const entries = Array.from({ length: 9000 }, (_, index) => ({ id: index + 1, value: (index * 7919) % 1000 }))
  const [one, other] = [entries.filter(({ id }) => id % 3 < 2), entries.filter(({ id }) => id % 3 > 0)]
  const { slice } = sequenceByValue([grown(one), grown(other)], entries.length)
  expect(whole(slice(4000, 4100))).toEqual(sorted(entries).slice(4000, 4100))
})
