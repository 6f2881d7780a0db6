import { DomainError, details, invalid } from "../errors.ts"
import { isLongerThan } from "../text.ts"
import { inTimeSlices } from "../ticks.ts"
import { storedAvatar } from "./avatars.ts"
import { checkField, emailKey, maxLengths, usernameFrom, usernameKey } from "./fields.ts"
import {
  type ColumnOptions,
  type Header,
  headerOf,
  type ImportRow,
  type ReadColumn,
  type Table,
} from "./import-columns.ts"
import { createDateOrder, type DateOrder, dayOf, type Slashed } from "./import-dates.ts"
import type { ImportError } from "./import-faults.ts"
import { forwards, type PlannedManagers, spellingsOf } from "./import-managers.ts"
import { differs } from "./import-updates.ts"
import { activeIn, type ImportColumn, type Meaning, type OwnColumn, ownColumns } from "./import-vocabulary.ts"
import type { User, UserKeys } from "./model.ts"
import { checkActive, checkMove } from "./users.ts"

/** Users in one file, which is imported in one commit. */
export const maxImportRows = 20_000
/** An import stops after this many errors. */
export const maxImportErrors = 1000

/** Required for a new user. */
const requiredColumns: readonly ImportColumn[] = ["name", "email", "dept"]

/** What a file says, before anybody is looked up. */
export interface ReadRows {
  readonly rows: ImportRow[]
  readonly errors: ImportError[]
  readonly columns: readonly ReadColumn[]
  readonly unknown: readonly string[]
  readonly slashed: Slashed
}

export interface ReadOptions extends ColumnOptions {
  /** How slashed dates are written. */
  readonly dates?: DateOrder | undefined
}

/** The rows below the header, and the errors in the form of the table. @throws DomainError `invalid` for wrong options */
export async function readRows(table: Table, options: ReadOptions): Promise<ReadRows> {
  const header = await headerOf(table, options)
  const { index, columns, unknown } = header
  const body = table.slice(index + 1)
  const errors = header.faults.map(({ column, detail, ...fault }) => ({
    ...errorAt(index + 1, column, detail),
    ...fault,
  }))
  if (body.length > maxImportRows)
    errors.push(errorAt(index + maxImportRows + 2, null, `at most ${maxImportRows} rows below the header`))
  const slashed = await slashedIn(body, columns, options.dates)
  const read = { errors, columns, unknown, slashed }
  if (errors.some(({ isUnknown }) => !isUnknown)) return { rows: [], ...read }

  const rows: ImportRow[] = []
  for await (const [at, cells] of inTimeSlices(body.entries())) {
    if (errors.length >= maxImportErrors) break
    if (cells.every(isBlank)) continue
    const row = index + at + 2
    if (!cells.slice(columns.length).every(isBlank))
      errors.push(errorAt(row, null, "more cells than the header has columns"))
    else {
      const { faults, ...found } = cellsOf(cells, header, slashed)
      errors.push(...faults.map((column) => errorAt(row, column, `${column}: ${unclearDate}`)))
      const { username, name = "" } = found.cells
      rows.push({ row, username: username === undefined ? usernameFrom(name) : usernameKey(username), ...found })
    }
  }
  return { rows, ...read }
}

const unclearStatus = "yes or no, or a word such as Active or Terminated; change these cells, or leave the column out"
const unclearDate = "it can begin with the day or the month; say which with dates, dmy or mdy"

async function slashedIn(body: Table, columns: readonly ReadColumn[], given: DateOrder | undefined): Promise<Slashed> {
  const order = createDateOrder(given)
  const places = columns.flatMap(({ means }, at) => (means === "birthday" || means === "joined" ? [at] : []))
  if (places.length > 0)
    for await (const cells of inTimeSlices(body)) for (const at of places) order.see(cells[at] ?? "")
  return order.found()
}

type Filled = Partial<Record<Meaning, string>>

/** The cells of a row in the form of the fields, and the columns whose date could be two days. */
function cellsOf(row: readonly string[], header: Header, slashed: Slashed) {
  const filled: Filled = {}
  for (const [at, { means }] of header.columns.entries()) {
    const cell = row[at] ?? ""
    if (means !== null && !isBlank(cell)) filled[means] = trimmedColumns.includes(means) ? cell.trim() : cell
  }
  const { first_name, last_name, status, blocked, ...cells } = filled
  const name = wholeName(filled, header)
  if (name !== undefined) cells.name = name
  const isHere = cells.active ?? status ?? (blocked === undefined ? undefined : opposite(blocked))
  if (isHere !== undefined) cells.active = isHere
  const faults = dateColumns.filter((column) => {
    const cell = cells[column]
    const day = cell === undefined ? undefined : dayOf(column, cell, slashed)
    if (day === undefined) return false
    if (day === null) delete cells[column]
    else cells[column] = day
    return day === null
  })
  return { cells, faults, hasStatus: cells.active !== undefined && filled.active === undefined }
}

const dateColumns = ["birthday", "joined"] as const

/** Columns whose blanks around a cell say nothing. */
const trimmedColumns: readonly Meaning[] = [
  "name",
  "email",
  "currency",
  "avatar",
  "manager",
  "birthday",
  "joined",
  "first_name",
  "last_name",
]

function wholeName({ name, first_name, last_name }: Filled, { isReversed, isHalf }: Header): string | undefined {
  if (name !== undefined) return isReversed ? forwards(name) : name
  const [first = "", last = ""] = [first_name, last_name]
  // The column may have whole names nevertheless.
  if (isHalf && ` ${last} `.includes(` ${first} `) && last !== first) return last
  if (isHalf && ` ${first} `.includes(` ${last} `) && last !== first) return first
  return first === "" && last === "" ? undefined : `${first} ${last}`.trim()
}

/** What a column says whose `yes` means that the account is blocked. */
function opposite(cell: string): string {
  const isBlocked = activeIn(cell)
  return isBlocked === undefined ? cell : isBlocked ? "no" : "yes"
}

const isBlank = (cell: string): boolean => cell.trim() === ""

/** The names by which a row may name a manager. */
export const managerNames = (rows: readonly ImportRow[]): string[] => [
  ...new Set(rows.flatMap(({ cells: { manager } }) => (manager === undefined ? [] : spellingsOf(manager)))),
]

/** What finds the people and the managers of these rows. Nobody is found by a text that is too long. */
export async function keysOf(rows: readonly ImportRow[]): Promise<UserKeys> {
  const usernames: string[] = []
  const emails: string[] = []
  for await (const { username, cells } of inTimeSlices(rows)) {
    usernames.push(username)
    if (username.trim() !== username) usernames.push(username.trim())
    for (const key of [cells.email, cells.manager])
      if (key !== undefined && !isLongerThan(key, maxLengths.email)) emails.push(key)
    const { manager = "" } = cells
    if (manager !== "" && !isLongerThan(manager, maxLengths.username)) usernames.push(usernameKey(manager))
  }
  return { usernames, emails }
}

/** The row with the existing spelling of its department, or with the spelling in the first row that names it. */
export function withDeptSpelling(row: ImportRow, spelled: (dept: string) => string): ImportRow {
  const { dept } = row.cells
  if (dept === undefined || isLongerThan(dept, maxLengths.dept)) return row
  return { ...row, cells: { ...row.cells, dept: spelled(dept) } }
}

/** What new people need and no column of the file says. */
export function missingColumns(columns: readonly ReadColumn[]): ImportColumn[] {
  const said = new Set(columns.map(({ means }) => means))
  if (said.has("first_name") || said.has("last_name")) said.add("name")
  return requiredColumns.filter((column) => !said.has(column))
}

const noColumn = "new people need this, and no column says it"

/** Errors in cells that break the rule of their field. Cells that change nothing are not checked. */
export function fieldErrors(
  { row, username, cells }: ImportRow,
  user: User | undefined,
  { ownUrl, missing }: { readonly ownUrl: string; readonly missing: readonly ImportColumn[] },
): ImportError[] {
  const errors: ImportError[] = []
  const check = (column: ImportColumn, rule: () => void) => {
    try {
      rule()
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      // Where nobody gave a username, its rule says nothing.
      const isMade = column === "username" && cells.username === undefined && username !== ""
      errors.push({ row, column, code: error.code, detail: isMade ? `username: ${noneToMake}` : error.message })
    }
  }
  for (const column of ownColumns) {
    const text = column === "username" ? username : cells[column]
    const broken = text === undefined || (user && !differs(user, column, text)) ? null : brokenBefore(text)
    if (broken !== null) errors.push(errorAt(row, column, `${column}: ${broken}`))
    else if (text !== undefined && (!user || differs(user, column, text)))
      check(column, () => checkCell(column, column === "avatar" ? storedAvatar(text, ownUrl) : text, user))
    else if (text !== undefined || user || !requiredColumns.includes(column)) continue
    else if (missing.includes(column)) errors.push(errorAt(row, column, `${column}: ${noColumn}`))
    else check(column, () => checkCell(column, "", user))
  }
  const { dept } = cells
  if (user && dept !== undefined) check("dept", () => checkMove(user, dept))
  // A person of the same name must not overwrite the user who already has the username derived from it.
  const isFoundByName = user !== undefined && cells.username === undefined
  if (isFoundByName && (cells.email === undefined || emailKey(cells.email) !== emailKey(user.email)))
    errors.push(errorAt(row, "username", "username: the one made from this name is taken; give another, or theirs"))
  return errors
}

/** A new account cannot have a former username of somebody else. `former`: who had one. */
export function formerErrors({ row, username }: ImportRow, former: ReadonlyMap<string, User>): ImportError[] {
  const owner = former.get(username)
  if (owner === undefined) return []
  const detail = `username: ${owner.username} had this one until less than a year ago; give theirs, or another`
  const cause = "username: others had these until less than a year ago; give theirs, or other ones"
  return [{ row, column: "username", code: "username_taken", detail, cause }]
}

/** The usernames that rows give for managers whom nobody is. */
export async function strangersIn(rows: readonly ImportRow[], { strangers }: PlannedManagers): Promise<string[]> {
  const usernames: string[] = []
  for await (const { cells } of inTimeSlices(rows.filter(({ row }) => strangers.has(row))))
    if (cells.manager !== undefined && !isLongerThan(cells.manager, maxLengths.username))
      usernames.push(usernameKey(cells.manager))
  return usernames
}

export function managerErrors(
  { row, cells }: ImportRow,
  { faults, strangers }: PlannedManagers,
  former: ReadonlyMap<string, User>,
): ImportError[] {
  const fault = faults.get(row)
  if (fault === undefined) return []
  const isFormer = former.size > 0 && strangers.has(row) && !isLongerThan(cells.manager ?? "", maxLengths.username)
  const owner = isFormer ? former.get(usernameKey(cells.manager ?? "")) : undefined
  if (owner !== undefined)
    return [errorAt(row, "manager", `manager: ${owner.username} had this username before; give the present one`)]
  return [{ row, column: "manager", code: fault.code, detail: fault.message }]
}

const noneToMake = "none can be made from this name; add a column username, with one here"

/** What programs write for bytes that they cannot read. */
const lostLetter = "\uFFFD"
/** What spreadsheets write for a formula that failed: `#N/A`, `#REF!`, in German `#NV`, in Spanish `#¡REF!`. */
const failedFormula = /^#(N\/[AD]|NV|[¡¿]?(DIV\/0|\p{Lu}+)[!?])$/u

/** What went wrong with a cell before this file was written; null if nothing shows. */
function brokenBefore(cell: string): string | null {
  if (cell.includes(lostLetter))
    return `letters were lost before this file was written (${lostLetter}); export it again, as “CSV UTF-8”`
  if (cell.length < 20 && failedFormula.test(cell.trim()))
    return "a formula failed in the spreadsheet; mend it, or empty the cell"
  return null
}

function checkCell(column: OwnColumn, text: string, user: User | undefined) {
  if (user && user.erasedAt !== null)
    throw new DomainError("erased", { detail: `${column}: ${details.erased}`, field: column })
  if (column !== "active") return checkField(column, text)
  const active = activeIn(text)
  if (active === undefined) throw invalid("active", unclearStatus)
  if (user) checkActive(user, active)
  else if (!active) throw invalid("active", "a new account is active; leave the row out")
}

/**
 * Returns a function that finds conflicts of a row: a username or e-mail address of an earlier row, or an address of
 * another user.
 */
export function conflictsWith(ownerOfEmail: ReadonlyMap<string, string>): (row: ImportRow) => ImportError[] {
  const firstRow = { username: new Map<string, number>(), email: new Map<string, number>() }

  return ({ row, username, cells }) => {
    const { email } = cells
    const errors = duplicates(row, "username", username, cells.username === undefined ? namesakes : same)
    if (email === undefined) return errors
    errors.push(...duplicates(row, "email", emailKey(email), same))
    const owner = ownerOfEmail.get(emailKey(email))
    if (owner !== undefined && owner !== username)
      errors.push(errorAt(row, "email", "email: somebody else has this address"))
    return errors
  }

  function duplicates(row: number, column: "username" | "email", key: string, says: typeof same): ImportError[] {
    const first = firstRow[column].get(key)
    if (first !== undefined)
      return [
        {
          ...errorAt(row, column, `${column}: ${says(`row ${first}`)}`),
          cause: `${column}: ${says("an earlier row")}`,
        },
      ]
    firstRow[column].set(key, row)
    return []
  }
}

const same = (row: string) => `the same as in ${row}`
const namesakes = (row: string) => `${same(row)}, made from the same name; add a column username, with another one here`

const errorAt = (row: number, column: string | null, detail: string): ImportError => ({
  row,
  column,
  code: "invalid",
  detail,
})
