import { expect, test } from "bun:test"
import { worthOf } from "../../../src/domain/programme/point-value.ts"

test.each([
  [3, 0.05, "EUR", 0.15],
  [1, 0.005, "EUR", 0.01],
  [1, 0.004999, "EUR", 0],
  [201, 1.005, "EUR", 202.01],
  [7, 0.5, "JPY", 4],
  [7, 0.0005, "KWD", 0.004],
  [0, 1, "EUR", 0],
  [9_007_199_254_740_991, 0.01, "EUR", 90_071_992_547_409.91],
])("%d points of %d are worth the nearest coin of the currency", (points, amount, currency, worth) => {
  expect(worthOf({ amount, currency })(points)).toBe(worth)
})
