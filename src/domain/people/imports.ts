import { auditEntry } from "../audit/audit-log.ts"
import type { AuditEntry } from "../audit/ports.ts"
import { type Actor, makesSuperusers, requireDuty } from "../auth/roles.ts"
import type { Clock } from "../clock.ts"
import { DomainError, details, type ErrorCode, invalid } from "../errors.ts"
import { alsoMaking, type KeyedRequest, type MakeOnce } from "../idempotency/idempotency.ts"
import type { Once } from "../idempotency/ports.ts"
import { invitationKind, type MailJobs, type MailRequest } from "../jobs/jobs.ts"
import type { NewJob } from "../jobs/ports.ts"
import type { Store } from "../store.ts"
import { isLongerThan } from "../text.ts"
import { inTimeSlices } from "../ticks.ts"
import { storedAvatar } from "./avatars.ts"
import { allDepartments, deptSpelling } from "./departments.ts"
import { dutiesAfter, dutiesChange } from "./duties.ts"
import { checkField, defaultCurrency, emailKey, maxLengths, usernameFrom, usernameKey } from "./fields.ts"
import { activeIn, headerOf, type ImportColumn, type ImportRow, importColumns } from "./import-columns.ts"
import { type ManagerChange, type PlannedManagers, plannedManagers } from "./import-managers.ts"
import { checkActive } from "./leavers.ts"
import { addressesFixed, isLimited, maintains } from "./maintainers.ts"
import { managerChange } from "./managers.ts"
import { isActive, type NewUser, type User, type UserChanges, type UserKeys } from "./model.ts"
import { checkMove, renaming } from "./users.ts"

/** Users in one file, which is imported in one commit. */
export const maxImportRows = 20_000
/** Size of the file in bytes. */
export const maxImportBytes = 10_000_000
/** An import stops after this many errors. */
export const maxImportErrors = 1000

/** Required for a new user. */
const requiredColumns: readonly ImportColumn[] = ["name", "email", "dept"]

/** How many rows are looked up, or audit entries made, in one tick. */
const rowsAtOnce = 500
/** How many times an import is planned, in case users change meanwhile, and when to retry after that, in seconds. */
const maxAttempts = 3
const retryAfterSeconds = 5

interface ImportOptions {
  /** Changes nothing. */
  readonly dryRun: boolean
  /** Sends an invitation to every new user, with a link to set the password. */
  readonly invite: boolean
}

export interface ImportResult {
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  /** The updated people whose accounts the import deactivates or reactivates. */
  readonly deactivated: readonly ImportedPerson[]
  readonly reactivated: readonly ImportedPerson[]
  /** Departments that no account had before. */
  readonly newDepartments: readonly string[]
  /** Ordered by row. If there are any, nothing is imported. */
  readonly errors: readonly ImportError[]
}

type ImportedPerson = Pick<User, "username" | "name">

interface ImportError {
  /** The number of the row in a spreadsheet: the header is row 1. */
  readonly row: number
  /** Null when the error is about the whole row. */
  readonly column: string | null
  readonly code: ErrorCode
  readonly detail: string
}

interface Plan {
  readonly create: NewUser[]
  readonly update: Update[]
  readonly managers: ManagerChange[]
  unchanged: number
  newDepartments: readonly string[]
  readonly errors: ImportError[]
}

interface Update {
  readonly before: User
  readonly after: User
  readonly columns: readonly OwnColumn[]
}

interface Dependencies {
  readonly store: Pick<Store, "users" | "people">
  readonly clock: Clock
  readonly makeOnce: MakeOnce
  /** A hash that matches no password. */
  readonly unusableHash: string
  readonly mailJobs: MailJobs
  /** The public URL of this server. */
  readonly address: { readonly url: string }
}

export function createImports({ store, clock, makeOnce, unusableHash, mailJobs, address }: Dependencies) {
  return {
    /**
     * Creates and updates users from a table whose first row names the columns (docs/interface.md, "Administration"). All
     * rows are imported, or none. Blank cells change nothing; passwords and balances never change. A new e-mail address
     * ends that user's refresh, reset and invitation tokens. A row must not do what the actor may not do with a correction.
     * Reading, planning and writing run in time slices.
     * @throws DomainError `not_superuser`, `invalid` (naming the wrong rows; a dry run returns them instead),
     *   `unwritable` (users kept changing in the meantime), and those of `MakeOnce`
     */
    async run(
      actor: Actor,
      table: readonly (readonly string[])[],
      options: ImportOptions,
      keyed?: KeyedRequest | null,
    ): Promise<ImportResult> {
      requireDuty(actor, "people")
      const { rows, errors } = await readRows(table)
      return makeOnce(keyed, (once) => imported(actor, rows, errors, options, once))
    },
  }

  async function imported(
    actor: Actor,
    rows: readonly ImportRow[],
    errors: readonly ImportError[],
    options: ImportOptions,
    once?: Once<ImportResult>,
  ): Promise<ImportResult> {
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      const plan = await planImport(actor, rows)
      const result = resultOf(plan, errors)
      if (options.dryRun) return result
      if (result.errors.length > 0) throw refusal(result.errors)
      const changes = await changesOf(plan, actor, options)
      if (
        !(await store.users.merge(
          changes,
          alsoMaking(once, () => result),
        ))
      )
        continue
      if (options.invite) mailJobs.wake()
      return result
    }
    throw new DomainError("unwritable", { retryAfterSeconds })
  }

  /** Decides for each row whether it creates or updates a user. Users are identified by their username. */
  async function planImport(actor: Actor, rows: readonly ImportRow[]): Promise<Plan> {
    const plan: Plan = { create: [], update: [], managers: [], unchanged: 0, newDepartments: [], errors: [] }
    const now = clock()
    const departments = (await allDepartments(store.people)).map(({ name }) => name)
    const spelled = deptSpelling(departments)
    const existing = await existingUsers(rows)
    const byUsername = new Map(existing.map((user) => [user.username, user]))
    const ownerOfEmail = new Map(existing.map((user) => [emailKey(user.email), user.username]))
    const errorsWithOthers = conflictsWith(ownerOfEmail)
    const managers = await plannedManagers(store.users, rows, existing)
    const errorsOfRights = await rightsOf(actor, rows, byUsername)

    for await (const given of inTimeSlices(rows)) {
      if (plan.errors.length >= maxImportErrors) break
      const row = withDeptSpelling(given, spelled)
      const user = byUsername.get(row.username)
      const manager = managers.changes.get(row.row)
      const errors = [
        ...fieldErrors(row, user, address.url),
        ...errorsWithOthers(row),
        ...managerErrors(row, managers),
        ...errorsOfRights(row, user, manager !== undefined),
      ]
      if (manager !== undefined) plan.managers.push(manager)
      if (errors.length > 0) plan.errors.push(...errors)
      else if (!user) plan.create.push(newUser(row, unusableHash))
      else {
        const update = updateOf(user, row, now, manager !== undefined)
        if (update) plan.update.push(update)
        else plan.unchanged += 1
      }
    }
    const moved = plan.update.filter(({ columns }) => columns.includes("dept")).map(({ after }) => after)
    const named = new Set([...plan.create, ...moved].map(({ dept }) => dept))
    plan.newDepartments = [...named.difference(new Set(departments))]
    return plan
  }

  /** The users whose username or e-mail address occurs in the rows. */
  async function existingUsers(rows: readonly ImportRow[]): Promise<User[]> {
    const found = new Map<number, User>()
    for (let from = 0; from < rows.length; from += rowsAtOnce) {
      const keys = keysOf(rows.slice(from, from + rowsAtOnce))
      for (const user of await store.users.matching(keys)) found.set(user.id, user)
    }
    return [...found.values()]
  }

  /** Returns a function that finds what a row would do although only superusers may. */
  async function rightsOf(
    actor: Actor,
    rows: readonly ImportRow[],
    byUsername: ReadonlyMap<string, User>,
  ): Promise<(row: ImportRow, user: User | undefined, changesManager: boolean) => ImportError[]> {
    const { user: maintainer } = actor
    if (maintainer === null || !isLimited(actor)) return () => []
    const isReaddressed = (user: User, row: ImportRow) => changedColumns(user, row).includes("email")
    const readdressed = rows.flatMap((row) => {
      const user = byUsername.get(row.username)
      return user && isReaddressed(user, row) ? [user] : []
    })
    const isAddressFixed = await addressesFixed(store.users, readdressed)

    return (row, user, changesManager) => {
      const refused = (column: ImportColumn | null, code: ErrorCode): ImportError[] => [
        { row: row.row, column, code, detail: column === null ? details[code] : `${column}: ${details[code]}` },
      ]
      const changed = user ? changedColumns(user, row) : ownColumns
      if (user && (changed.length > 0 || changesManager) && !maintains(maintainer, user))
        return refused(null, "not_superuser")
      const { dept = "" } = row.cells
      return [
        ...(changed.includes("dept") && makesSuperusers(dept) ? refused("dept", "not_superuser") : []),
        ...(user && isReaddressed(user, row) && isAddressFixed(user) ? refused("email", "address_fixed") : []),
      ]
    }
  }

  async function changesOf(
    { create, update, managers, unchanged }: Plan,
    actor: Actor,
    { invite }: ImportOptions,
  ): Promise<UserChanges> {
    const at = clock()
    const detail = `${create.length} created, ${update.length} updated, ${unchanged} unchanged`
    const entries = [auditEntry(actor, at, "users_imported", { detail })]
    const jobs: NewJob[] = []
    for await (const { username, dept, email } of inTimeSlices(create, rowsAtOnce)) {
      entries.push(auditEntry(actor, at, "user_created", { whom: username, detail: dept }))
      if (invite) jobs.push(mailJobs.of(invitationKind, { email } satisfies MailRequest))
    }
    for await (const one of inTimeSlices(update, rowsAtOnce)) entries.push(...updateEntries(one, actor, at))
    for (const { username, before, manager } of managers)
      entries.push(auditEntry(actor, at, "manager_changed", { whom: username, detail: managerChange(before, manager) }))
    return { create, update, managers, entries, jobs }
  }
}

/** The rows below the header, and the errors in the form of the table. */
async function readRows(table: readonly (readonly string[])[]): Promise<{ rows: ImportRow[]; errors: ImportError[] }> {
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

const keysOf = (rows: readonly ImportRow[]): UserKeys => ({
  usernames: rows.flatMap(({ username, cells: { manager } }) =>
    manager === undefined ? [username] : [username, usernameKey(manager)],
  ),
  emails: rows.flatMap(({ cells: { email, manager } }) => [email, manager].filter((one) => one !== undefined)),
})

/** The row with the existing spelling of its department, or with the spelling in the first row that names it. */
function withDeptSpelling(row: ImportRow, spelled: (dept: string) => string): ImportRow {
  const { dept } = row.cells
  if (dept === undefined || isLongerThan(dept, maxLengths.dept)) return row
  return { ...row, cells: { ...row.cells, dept: spelled(dept) } }
}

/** Errors in cells that break the rule of their field. Cells that change nothing are not checked. */
function fieldErrors({ row, username, cells }: ImportRow, user: User | undefined, ownUrl: string): ImportError[] {
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

/** The columns that say something about the person of the row alone. */
type OwnColumn = Exclude<ImportColumn, "manager">
const ownColumns = importColumns.filter((column): column is OwnColumn => column !== "manager")

function managerErrors({ row }: ImportRow, { faults }: PlannedManagers): ImportError[] {
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
function conflictsWith(ownerOfEmail: ReadonlyMap<string, string>): (row: ImportRow) => ImportError[] {
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

function newUser({ username, cells }: ImportRow, unusableHash: string): NewUser {
  const { name = "", email = "", dept = "", currency = defaultCurrency, ...others } = cells
  const { avatar = null, bio = null, birthday = null, joined = null } = others
  return { username, name, email, dept, currency, avatar, bio, birthday, joined, password: unusableHash }
}

/** Null when the row changes nothing. A new e-mail address ends refresh and reset tokens, because links that were sent
 *  to a wrong address must not work after the correction. */
function updateOf(before: User, row: ImportRow, now: number, changesManager: boolean): Update | null {
  const { cells } = row
  const columns = changedColumns(before, row)
  if (columns.length === 0 && !changesManager) return null
  const fields = columns.filter((column) => column !== "active")
  const changed = Object.fromEntries(fields.map((column) => [column, cells[column]]))
  const refreshVersion = before.refreshVersion + (columns.includes("email") ? 1 : 0)
  const deactivatedAt = !columns.includes("active") ? before.deactivatedAt : isActive(before) ? now : null
  const { dept = before.dept } = cells
  const duties = columns.includes("active") ? [] : (dutiesAfter(before, { dept }) ?? before.duties)
  return { before, after: { ...before, ...changed, refreshVersion, deactivatedAt, duties }, columns }
}

const changedColumns = (user: User, { cells }: ImportRow): readonly OwnColumn[] =>
  ownColumns.filter((column) => cells[column] !== undefined && differs(user, column, cells[column]))

function differs(user: User, column: OwnColumn, text: string): boolean {
  if (column === "active") return activeIn(text) !== isActive(user)
  return column === "username" ? false : user[column] !== text
}

function updateEntries({ before, after, columns }: Update, actor: Actor, at: number): AuditEntry[] {
  const whom = after.username
  const profile = columns
    .filter((column) => column !== "dept" && column !== "active")
    .map((column) => (column === "name" ? renaming(before.name, after.name) : column))
  const dropped = after.duties.length < before.duties.length
  return [
    ...(columns.includes("dept")
      ? [auditEntry(actor, at, "dept_changed", { whom, detail: `${before.dept} -> ${after.dept}` })]
      : []),
    ...(columns.includes("active")
      ? [auditEntry(actor, at, isActive(after) ? "user_reactivated" : "user_deactivated", { whom })]
      : []),
    ...(dropped ? [auditEntry(actor, at, "duties_changed", { whom, detail: dutiesChange(before, after) })] : []),
    ...(profile.length > 0 ? [auditEntry(actor, at, "profile_changed", { whom, detail: profile.join(", ") })] : []),
  ]
}

const errorAt = (row: number, column: string | null, detail: string): ImportError => ({
  row,
  column,
  code: "invalid",
  detail,
})

function resultOf(
  { create, update, unchanged, newDepartments, errors }: Plan,
  before: readonly ImportError[],
): ImportResult {
  const all = [...before, ...errors].sort((a, b) => a.row - b.row).slice(0, maxImportErrors)
  const switched = update.filter(({ columns }) => columns.includes("active")).map(({ after }) => after)
  return {
    created: create.length,
    updated: update.length,
    unchanged,
    deactivated: switched.filter((user) => !isActive(user)),
    reactivated: switched.filter(isActive),
    newDepartments,
    errors: all,
  }
}

const refusal = (errors: readonly ImportError[]) =>
  new DomainError("invalid", { detail: errors.map(({ row, detail }) => `row ${row}, ${detail}`).join("; ") })
