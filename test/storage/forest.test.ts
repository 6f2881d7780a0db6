import { expect, test } from "bun:test"
import fc from "fast-check"
import { append, type Tree, treeSize, treeSizes } from "../../src/storage/sqlite/forest.ts"

test("each place names the one before, the next tree to the left, and the span of its own tree", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 300 }), (values) => {
      const trees: Tree[] = []
      // Ids of a list have gaps: the transactions of others.
      const idOf = (ordinal: number) => (ordinal === 0 ? 0 : ordinal * 3 + 7)
      for (const [index, value] of values.entries()) {
        const ordinal = index + 1
        const size = treeSize(ordinal)
        const tree = values.slice(ordinal - size, ordinal)
        expect(append(trees, idOf(ordinal), value)).toEqual({
          prev: idOf(ordinal - 1),
          jump: idOf(ordinal - size),
          min: Math.min(...tree),
          max: Math.max(...tree),
        })
        expect(trees.map((grown) => grown.size)).toEqual([...treeSizes(ordinal)].reverse())
      }
    }),
  )
})

test("the trees of a list are few, however long it is", () => {
  for (const count of [1, 1000, 10_000_000, 2 ** 40]) {
    const sizes = [...treeSizes(count)]
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(count)
    expect(sizes.length).toBeLessThanOrEqual(Math.ceil(Math.log2(count + 1)) + 1)
  }
  expect([...treeSizes(0)]).toEqual([])
})
