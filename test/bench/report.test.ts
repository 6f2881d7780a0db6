import { expect, test } from "bun:test"
import { type Figure, median, ratio, shown, summaryOf, tableOf, verdictOf, written } from "../../bench/report.ts"

const figure = (rounds: number[], target?: Figure["target"]): Figure => ({
  name: "a figure",
  rounds,
  ...(target && { target }),
})

test("a figure meets its target if its median does, whatever single rounds measured", () => {
  expect(verdictOf(figure([0.1, 0.56, 0.9], { atLeast: 0.55 }))).toBe("held")
  expect(verdictOf(figure([0.54, 0.54, 0.9], { atLeast: 0.55 }))).toBe("missed")
  expect(verdictOf(figure([1, 2, 9], { atMost: 2 }))).toBe("held")
  expect(verdictOf(figure([1, 2.01, 9], { atMost: 2 }))).toBe("missed")
})

test("a median equal to the target meets it; without a target there is no verdict", () => {
  expect(verdictOf(figure([0.55], { atLeast: 0.55 }))).toBe("held")
  expect(verdictOf(figure([2], { atMost: 2 }))).toBe("held")
  expect(verdictOf(figure([2]))).toBe("")
})

test("a figure without measurements misses its target", () => {
  expect(verdictOf(figure([], { atMost: 2 }))).toBe("missed")
  expect(verdictOf(figure([Number.NaN], { atLeast: 0.1 }))).toBe("missed")
})

test("a ratio is computed round by round, not from the medians", () => {
  const ours = { rounds: [10, 30, 20], unit: "/s" }
  const other = { rounds: [100, 100, 40], unit: "/s" }
  expect(ratio("transfers", ours, other, { atLeast: 0.3 })).toEqual({
    name: "transfers",
    rounds: [0.1, 0.3, 0.5],
    ours,
    other,
    target: { atLeast: 0.3 },
  })
})

test("the median of an even number of values is the mean of the two in the middle", () => {
  expect(median([4, 1, 3, 2])).toBe(2.5)
  expect(median([9, 1, 2])).toBe(2)
})

test("numbers are shown with three digits, and larger ones as integers", () => {
  expect([0.0654, 1.456, 23.44, 4546.4].map(shown)).toEqual(["0.065", "1.46", "23.4", "4546"])
})

test("a row shows both sides, the ratio, its spread, its target and the verdict", () => {
  const measured = ratio(
    "transfers",
    { rounds: [30, 20, 40], unit: "/s" },
    { rounds: [50, 50, 50], unit: "/s" },
    { atLeast: 0.55 },
  )
  expect(tableOf([measured, { name: "idle", rounds: [0.5], unit: " %", target: { atMost: 1 } }])).toBe(
    [
      "| Figure    | Ours   | Compared with | Result  | Spread         | Target |      |",
      "| --------- | ------ | ------------- | ------- | -------------- | ------ | ---- |",
      "| transfers | 30.0/s | 50.0/s        | 0.600   | 0.400 to 0.800 | ≥ 0.55 | held |",
      "| idle      |        |               | 0.500 % |                | ≤ 1 %  | held |",
    ].join("\n"),
  )
})

test("columns without a value are left out", () => {
  expect(tableOf([{ name: "size", rounds: [1], unit: " MiB" }])).toBe(
    ["| Figure | Result   |", "| ------ | -------- |", "| size   | 1.00 MiB |"].join("\n"),
  )
})

test("the summary counts the verdicts and ignores figures without a target", () => {
  const figures = [figure([1], { atLeast: 1 }), figure([1], { atLeast: 2 }), figure([1], { atLeast: 3 }), figure([1])]
  expect(summaryOf(figures)).toBe("1 held, 2 missed")
  expect(summaryOf([figure([1])])).toBe("")
})

const document = `# Performance

<!-- bench transfers -->
| old |
<!-- end -->

Prose stays.

<!-- bench pages -->
<!-- end -->
`

test("a new table replaces the text between its markers; the text around it stays", () => {
  expect(written(document, "transfers", "| new |")).toBe(document.replace("| old |", "| new |"))
  expect(written(written(document, "pages", "| a |"), "pages", "| b |")).toBe(
    document.replace("<!-- bench pages -->\n", "<!-- bench pages -->\n| b |\n"),
  )
})

test("a section without markers is an error", () => {
  expect(() => written(document, "budgets", "| new |")).toThrow("no markers for budgets")
})
