import { expect, test } from "bun:test"
import { createBoundedCache } from "../../src/support/bounded-cache.ts"

test("the oldest entry is evicted when the cache is full; setting a key again makes it the newest", () => {
  const cache = createBoundedCache<string, number>(2)
  cache.set("a", 1)
  cache.set("b", 2)
  cache.set("a", 3)
  cache.set("c", 4)

  expect(["a", "b", "c"].map(cache.get)).toEqual([3, undefined, 4])
})

test("the sum of all sizes is bounded; a value larger than the cache is not stored", () => {
  const cache = createBoundedCache<string, string>(5, ({ length }) => length)
  cache.set("a", "12")
  cache.set("b", "123")
  expect(["a", "b"].map(cache.get)).toEqual(["12", "123"])

  cache.set("b", "1234")
  expect(["a", "b"].map(cache.get)).toEqual([undefined, "1234"])
  cache.set("c", "123456")
  expect(["a", "b", "c"].map(cache.get)).toEqual([undefined, undefined, undefined])
})

test("deleting an entry makes room at once", () => {
  const cache = createBoundedCache<string, number>(2)
  cache.set("a", 1)
  cache.set("b", 2)
  cache.delete("b")
  cache.delete("b")
  cache.set("c", 3)

  expect(["a", "b", "c"].map(cache.get)).toEqual([1, undefined, 3])
})
