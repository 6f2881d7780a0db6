import { DomainError, details, type ErrorCode, invalid } from "../errors.ts"
import { isLongerThan } from "../text.ts"
import { inTimeSlices } from "../ticks.ts"
import { storedAvatar } from "./avatars.ts"
import { checkField, emailKey, maxLengths, usernameFrom, usernameKey } from "./fields.ts"
import { activeIn, headerOf, type ImportColumn, type ImportRow, type OwnColumn, ownColumns } from "./import-columns.ts"
import type { PlannedManagers } from "./import-managers.ts"
import { differs } from "./import-updates.ts"
import type { User, UserKeys } from "./model.ts"
import { checkActive, checkMove } from "./users.ts"

/** Users in one file, which is imported in one commit. */
export const maxImportRows = 20_000
/** An import stops after this many errors. */
export const maxImportErrors = 1000

/** Required for a new user. */
const requiredColumns: readonly ImportColumn[] = ["name", "email", "dept"]

export interface ImportError {
  /** The number of the row in a spreadsheet: the header is row 1. */
  readonly row: number
  /** Null when the error is about the whole row. */
  readonly column: string | null
  readonly code: ErrorCode
  readonly detail: string
}

/** The rows below the header, and the errors in the form of the table. */
export async function readRows(
  table: readonly (readonly string[])[],
): Promise<{ rows: ImportRow[]; errors: ImportError[] }> {
  const [header = [], ...body] = table
  const { columns, faults } = headerOf(header)
  const errors = faults.slice(0, maxImportErrors).map(({ column, detail }) => errorAt(1, column, detail))
  if (body.length > maxImportRows)
    errors.push(errorAt(maxImportRows + 2, null, `at most ${maxImportRows} rows below the header`))
  if (errors.length > 0) return { rows: [], errors }

  const rows: ImportRow[] = []
  for await (const [index, cells] of inTimeSlices(body.entries())) {
    if (errors.length === maxImportErrors) break
    if (cells.every(isBlank)) continue
    const row = index + 2
    if (cells.length > columns.length) errors.push(errorAt(row, null, "more cells than the header has columns"))
    else rows.push(rowOf(row, cells, columns))
  }
  return { rows, errors }
}

function rowOf(row: number, cells: readonly string[], columns: readonly (ImportColumn | null)[]): ImportRow {
  const filled: Partial<Record<ImportColumn, string>> = {}
  for (const [index, name] of columns.entries()) {
    const cell = cells[index] ?? ""
    if (name !== null && !isBlank(cell)) filled[name] = trimmedColumns.includes(name) ? cell.trim() : cell
  }
  const { username, name = "" } = filled
  return { row, username: username === undefined ? usernameFrom(name) : usernameKey(username), cells: filled }
}

/** Columns by which people are found. */
const trimmedColumns: readonly ImportColumn[] = ["email", "manager"]

const isBlank = (cell: string): boolean => cell.trim() === ""

export const keysOf = (rows: readonly ImportRow[]): UserKeys => ({
  usernames: rows.flatMap(({ username, cells: { manager } }) =>
    manager === undefined ? [username] : [username, usernameKey(manager)],
  ),
  emails: rows.flatMap(({ cells: { email, manager } }) => [email, manager].filter((one) => one !== undefined)),
})

/** The row with the existing spelling of its department, or with the spelling in the first row that names it. */
export function withDeptSpelling(row: ImportRow, spelled: (dept: string) => string): ImportRow {
  const { dept } = row.cells
  if (dept === undefined || isLongerThan(dept, maxLengths.dept)) return row
  return { ...row, cells: { ...row.cells, dept: spelled(dept) } }
}

/** Errors in cells that break the rule of their field. Cells that change nothing are not checked. */
export function fieldErrors(
  { row, username, cells }: ImportRow,
  user: User | undefined,
  ownUrl: string,
): ImportError[] {
  const errors: ImportError[] = []
  const check = (column: ImportColumn, rule: () => void) => {
    try {
      rule()
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      errors.push({ row, column, code: error.code, detail: error.message })
    }
  }
  for (const column of ownColumns) {
    const text = column === "username" ? username : cells[column]
    if (text !== undefined && (!user || differs(user, column, text)))
      check(column, () => checkCell(column, column === "avatar" ? storedAvatar(text, ownUrl) : text, user))
    else if (text === undefined && !user && requiredColumns.includes(column))
      check(column, () => checkCell(column, "", user))
  }
  const { dept } = cells
  if (user && dept !== undefined) check("dept", () => checkMove(user, dept))
  // A person of the same name must not overwrite the user who already has the username derived from it.
  const isFoundByName = user !== undefined && cells.username === undefined
  if (isFoundByName && (cells.email === undefined || emailKey(cells.email) !== emailKey(user.email)))
    errors.push(errorAt(row, "username", "username: the one made from this name is taken; give another, or theirs"))
  return errors
}

export function managerErrors({ row }: ImportRow, { faults }: PlannedManagers): ImportError[] {
  const fault = faults.get(row)
  return fault ? [{ row, column: "manager", code: fault.code, detail: fault.message }] : []
}

function checkCell(column: OwnColumn, text: string, user: User | undefined) {
  if (user && user.erasedAt !== null)
    throw new DomainError("erased", { detail: `${column}: ${details.erased}`, field: column })
  if (column !== "active") return checkField(column, text)
  const active = activeIn(text)
  if (active === undefined) throw invalid("active", "yes or no")
  if (user) checkActive(user, active)
  else if (!active) throw invalid("active", "a new account is active; leave the row out")
}

/**
 * Returns a function that finds conflicts of a row: a username or e-mail address of an earlier row, or an address of
 * another user.
 */
export function conflictsWith(ownerOfEmail: ReadonlyMap<string, string>): (row: ImportRow) => ImportError[] {
  const firstRow = { username: new Map<string, number>(), email: new Map<string, number>() }

  return ({ row, username, cells: { email } }) => {
    const errors = duplicates(row, "username", username)
    if (email === undefined) return errors
    errors.push(...duplicates(row, "email", emailKey(email)))
    const owner = ownerOfEmail.get(emailKey(email))
    if (owner !== undefined && owner !== username)
      errors.push(errorAt(row, "email", "email: somebody else has this address"))
    return errors
  }

  function duplicates(row: number, column: "username" | "email", key: string): ImportError[] {
    const first = firstRow[column].get(key)
    if (first !== undefined) return [errorAt(row, column, `${column}: the same as in row ${first}`)]
    firstRow[column].set(key, row)
    return []
  }
}

const errorAt = (row: number, column: string | null, detail: string): ImportError => ({
  row,
  column,
  code: "invalid",
  detail,
})
