import { expect, test } from "bun:test"
import { checkedReference } from "../../../src/domain/ledger/references.ts"

test("the hash of a request is the same in every version, because databases keep it for ever", () => {
  const note = { reason: " for the fair\r\n", tags: ["care"], private: true }

  expect(checkedReference("7", { to: "bruno", value: 5, note })).toEqual({
    name: "7",
    requestHash: "109b87504237b8b8876b59f312ebae21c67b67cb30380bd439857187544f2bad",
  })
  expect(checkedReference("7", { to: ["bruno", "carla"], value: 5, note: {} })?.requestHash).toBe(
    "7033ea6c63d4286f2be44f01e2c0ae5d0030b1641929ad7762f6800bdf69ffab",
  )
})

test("a reason that is absent, null or empty is the same, and so are no tags and an empty list", () => {
  const hashOf = (note: object) => checkedReference("7", { to: "bruno", value: 5, note })?.requestHash

  expect(hashOf({ reason: null, tags: [], private: false })).toBe(hashOf({}))
  expect(hashOf({ reason: " " })).toBe(hashOf({}))
  expect(hashOf({ reason: "x" })).not.toBe(hashOf({}))
})
