import { isFormula } from "./formula.ts"

export type Cell = string | number | null

/** What stands between cells. Spreadsheets of languages that write `1,5` expect a semicolon. */
export type Separator = "," | ";"

/** Tells spreadsheets that it is UTF-8. */
export const byteOrderMark = "\uFEFF"

/**
 * One line. Numbers stay numbers; a text that a spreadsheet would take for a formula gets an apostrophe before it,
 * which `readCsv` takes away.
 */
export const csvRow = (cells: readonly Cell[], separator: Separator): string =>
  `${cells.map(written).join(separator)}\r\n`

function written(cell: Cell): string {
  if (cell === null) return ""
  if (typeof cell === "number") return String(cell)
  const text = isFormula(cell) ? `'${cell}` : cell
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
