import { expect, test } from "bun:test"
import { inEnglish, inPortuguese } from "../../src/support/counted.ts"

test("a count uses the plural form and the separators of its language", () => {
  expect([0, 1, 2, 1000].map((count) => inEnglish(count, "point", "points"))).toEqual([
    "0 points",
    "1 point",
    "2 points",
    "1,000 points",
  ])
  expect(inPortuguese(1, "ponto", "pontos")).toBe("1 ponto")
  expect(inPortuguese(1000, "ponto", "pontos")).toBe("1.000 pontos")
})
