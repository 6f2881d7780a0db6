import { inSlices } from "../slices.ts"
import { usernameFrom, usernameKey } from "./fields.ts"

/** The fields of UserRequest that an import takes, and of an export those that it takes back. */
export const importColumns = ["username", "name", "email", "dept", "currency", "avatar", "bio"] as const

/** In an export, and nothing that an import could change: left aside. */
const ignoredColumns = ["balance"]

/** More than these are not named: they would take long to list, and nobody reads them. */
export const maxFaults = 1000

export type ImportColumn = (typeof importColumns)[number]

export interface ImportFault {
  /** As a spreadsheet numbers them: the names of the columns stand in row 1. */
  readonly row: number
  /** Null when it is about the row as a whole. */
  readonly column: string | null
  readonly detail: string
}

export interface ImportRow {
  readonly row: number
  /** Given, or made from the name. */
  readonly username: string
  /** Those that are not blank. */
  readonly cells: Partial<Readonly<Record<ImportColumn, string>>>
}

/** What a table says of people, and what is wrong with its form. */
export async function rowsOf(table: readonly (readonly string[])[], maxRows: number) {
  const [head = [], ...body] = table
  const columns = head.map((name) => name.trim().toLowerCase())
  const faults = faultsOfHead(columns)
  if (body.length > maxRows)
    faults.push(fault(maxRows + 2, null, `at most ${maxRows} rows under the names of the columns`))
  if (faults.length > 0) return { rows: [], faults }

  const rows: ImportRow[] = []
  for await (const [index, cells] of inSlices(body.entries())) {
    if (faults.length === maxFaults) break
    if (cells.every(isBlank)) continue
    const row = index + 2
    if (cells.length > columns.length) faults.push(fault(row, null, "more cells than the first row names"))
    else rows.push(rowOf(row, cells, columns))
  }
  return { rows, faults }
}

export const fault = (row: number, column: string | null, detail: string): ImportFault => ({ row, column, detail })

/** Names of columns may be people's data when they were left out: they are told by number. */
function faultsOfHead(columns: readonly string[]): ImportFault[] {
  const faults: ImportFault[] = []
  for (const [index, name] of columns.entries()) {
    const what = `column ${index + 1}`
    if (name === "password")
      faults.push(fault(1, name, `${what}: passwords are not imported; invite new people instead`))
    else if (!isColumn(name) && !ignoredColumns.includes(name))
      faults.push(fault(1, null, `${what}: one of ${[...importColumns, ...ignoredColumns].join(", ")}`))
    else if (columns.indexOf(name) !== index) faults.push(fault(1, name, `${what}: ${name} stands twice`))
  }
  if (faults.length === 0 && !columns.includes("username") && !columns.includes("name"))
    faults.push(fault(1, null, "the first row names the columns, username or name among them"))
  return faults
}

function rowOf(row: number, cells: readonly string[], columns: readonly string[]): ImportRow {
  const filled: Partial<Record<ImportColumn, string>> = {}
  for (const [index, name] of columns.entries()) {
    const cell = cells[index] ?? ""
    if (isColumn(name) && !isBlank(cell)) filled[name] = cell
  }
  const { username, name = "" } = filled
  return { row, username: username === undefined ? usernameFrom(name) : usernameKey(username), cells: filled }
}

const isBlank = (cell: string): boolean => cell.trim() === ""

const isColumn = (name: string): name is ImportColumn => importColumns.some((column) => column === name)
