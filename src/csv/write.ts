import { marked } from "./formula.ts"

export type Cell = string | number | null

/** What stands between cells. Spreadsheets of languages that write `1,5` expect a semicolon. */
export type Separator = "," | ";"

/** Tells spreadsheets that it is UTF-8. */
export const byteOrderMark = "\uFEFF"

/** One line. Numbers stay numbers; in a text every formula gets an apostrophe before it, which `readCsv` takes away. */
export const csvRow = (cells: readonly Cell[], separator: Separator): string =>
  `${cells.map(written).join(separator)}\r\n`

function written(cell: Cell): string {
  if (cell === null) return ""
  if (typeof cell === "number") return String(cell)
  const text = marked(cell)
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
