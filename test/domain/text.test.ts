import { expect, test } from "bun:test"
import { isId } from "../../src/domain/text.ts"

test("the id of a row is a positive safe integer, written without sign, spaces or leading zeros", () => {
  const ids = ["1", "42", "999999999999999", `${Number.MAX_SAFE_INTEGER}`]
  expect(ids.filter(isId)).toEqual(ids)

  const others = ["", "0", "-1", "+1", "01", "1.5", "1e3", " 1", "1\n", "١", "9007199254740992", "9999999999999999"]
  expect([...others, "1".repeat(100_000)].filter(isId)).toEqual([])
})
