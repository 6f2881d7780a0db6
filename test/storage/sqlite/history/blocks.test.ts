import { expect, test } from "bun:test"
import fc from "fast-check"
import { blockSize, decodeBlock, encodeBlock } from "../../../../src/storage/sqlite/history/blocks.ts"

const distance = fc.oneof(
  fc.integer({ min: 1, max: 3 }),
  fc.integer({ min: 1, max: 2 ** 24 }),
  fc.integer({ min: 1, max: 2 ** 40 }),
)
const value = fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 2 ** 17 }), fc.maxSafeNat())

test("a block returns the entries that were put into it, however large the numbers", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 2 ** 40 }),
      fc.array(distance, { minLength: blockSize - 1, maxLength: blockSize - 1 }),
      fc.array(value, { minLength: blockSize, maxLength: blockSize }),
      (firstId, distances, values) => {
        let last = firstId
        const ids = [firstId, ...distances.map((distance) => (last += distance))]
        const encoded = encodeBlock({ ids, values })
        const decoded = decodeBlock({ ...encoded, number: 0 })

        expect(decoded.ids).toEqual(ids)
        expect(Array.from(decoded.values)).toEqual(values)
        expect([encoded.smallest, encoded.largest]).toEqual([Math.min(...values), Math.max(...values)])
      },
    ),
  )
})

test("small numbers take one byte each", () => {
  const ids = Array.from({ length: blockSize }, (_, index) => 1000 + index)
  const { offsets, amounts } = encodeBlock({ ids, values: ids.map(() => 255) })
  expect([offsets.length, amounts.length]).toEqual([blockSize, blockSize])
})

test("a block of the wrong length is refused as damaged", () => {
  const bytes = new Uint8Array(300)
  const row = { number: 0, firstId: 1, smallest: 1, largest: 1, offsets: bytes, amounts: bytes }
  expect(() => decodeBlock(row)).toThrow("damaged")
})
