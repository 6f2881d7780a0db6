import { expect, test } from "bun:test"
import { hasTooManyMarks, isId } from "../../src/domain/text.ts"

test("the id of a row is a positive safe integer, written without sign, spaces or leading zeros", () => {
  const ids = ["1", "42", "999999999999999", `${Number.MAX_SAFE_INTEGER}`]
  expect(ids.filter(isId)).toEqual(ids)

  const others = ["", "0", "-1", "+1", "01", "1.5", "1e3", " 1", "1\n", "١", "9007199254740992", "9999999999999999"]
  expect([...others, "1".repeat(100_000)].filter(isId)).toEqual([])
})

test("a letter may carry up to eight marks, which is enough for every script", () => {
  for (const text of [
    "Tiếng Việt".normalize("NFD"),
    "בְּרֵאשִׁ֖ית",
    "ที่นี่",
    "क्ष्म्य",
    "ཧྐྵྨླྺྼྻྂ",
    "👩🏽‍💻❤️1️⃣🏴󠁧󠁢󠁥󠁮󠁧󠁿",
    `${"a".padEnd(9, "\u0301")}${"b".padEnd(9, "\u0316")}`,
  ])
    expect({ text, refused: hasTooManyMarks(text) }).toEqual({ text, refused: false })

  expect(hasTooManyMarks("a".padEnd(10, "\u0301"))).toBe(true)
  expect(hasTooManyMarks("a".padEnd(10, "\u20dd"))).toBe(true)
  expect(hasTooManyMarks(`क${"\u094d\u200d".repeat(9)}`)).toBe(true)
})
