import { expect, test } from "bun:test"
import { written } from "../../bench/record.ts"

const document = `# Performance

<!-- bench transfers -->
| old |
<!-- end -->

Prose stays.

<!-- bench pages -->
<!-- end -->
`

test("a table goes where its part has a place, and the prose around it stays", () => {
  expect(written(document, "transfers", "| new |")).toBe(document.replace("| old |", "| new |"))
  expect(written(written(document, "pages", "| a |"), "pages", "| b |")).toBe(
    document.replace("<!-- bench pages -->\n", "<!-- bench pages -->\n| b |\n"),
  )
})

test("a part without a place is told", () => {
  expect(() => written(document, "budgets", "| new |")).toThrow("no place for budgets")
})
