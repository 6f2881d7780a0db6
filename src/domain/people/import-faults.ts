import type { ErrorCode } from "../errors.ts"
import { quoted } from "./import-columns.ts"

export interface ImportError {
  /** The number of the row in a spreadsheet. */
  readonly row: number
  /** The field, or the header of a column that nobody knows. Null when the error is about the whole row. */
  readonly column: string | null
  readonly code: ErrorCode
  readonly detail: string
  /** What the detail says about all rows of which it says this, if it names another row. */
  readonly cause?: string
  /** Whether nobody knows what the column means. */
  readonly isUnknown?: boolean
}

/** What is wrong in one column for one reason. */
export interface ImportFault extends Omit<ImportError, "row"> {
  readonly rows: readonly number[]
}

export function faultsOf(errors: readonly ImportError[]): ImportFault[] {
  const groups = Map.groupBy(errors, ({ column, code, detail, cause = detail }) =>
    JSON.stringify([column, code, cause]),
  )
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return []
    const { row: _, cause, ...fault } = first
    const detail = others.length > 0 ? (cause ?? first.detail) : first.detail
    return [{ ...fault, detail, rows: [...new Set([first, ...others].map(({ row }) => row))] }]
  })
}

/** How many rows a sentence names. */
const maxNamed = 5

/** What takes columns that nobody knows, in the words of whoever asks: an option or a parameter. */
export interface Cures {
  readonly ignore: string
  readonly columns: string
}

/** One sentence for each column and reason, and one for all columns that nobody knows. */
export function sentencesOf(faults: readonly ImportFault[], { ignore, columns }: Cures): string[] {
  const unknown = faults.filter(({ isUnknown }) => isUnknown)
  const named = unknown.map(({ column }) => quoted(column ?? "")).join(", ")
  const cure = `leave out what nobody knows with ${ignore}, or say with ${columns} what it means`
  return [
    ...(unknown.length > 0 ? [`unknown ${unknown.length === 1 ? "column" : "columns"} ${named}: ${cure}`] : []),
    ...faults.filter((fault) => !fault.isUnknown).map(({ rows, detail }) => `${rowsIn(rows)}, ${detail}`),
  ]
}

function rowsIn(rows: readonly number[]): string {
  const shown = rows.slice(0, maxNamed).join(", ")
  const more = rows.length - maxNamed
  return `${rows.length === 1 ? "row" : "rows"} ${shown}${more > 0 ? ` and ${more} more` : ""}`
}
