import { auditEntry } from "../audit/audit-log.ts"
import type { Clock } from "../clock.ts"
import { DomainError, details, type ErrorCode } from "../errors.ts"
import { alsoMaking, type KeyedRequest, type MakeOnce } from "../idempotency/idempotency.ts"
import type { Once } from "../idempotency/ports.ts"
import { invitationKind, type MailJobs, type MailRequest } from "../jobs/jobs.ts"
import type { NewJob } from "../jobs/ports.ts"
import type { Store } from "../store.ts"
import { inTimeSlices } from "../ticks.ts"
import { creationEntry, managerEntry } from "./changes.ts"
import { allDepartments, deptSpelling } from "./departments.ts"
import { emailKey } from "./fields.ts"
import type { ImportRow, ReadColumn, Table } from "./import-columns.ts"
import type { DateOrder } from "./import-dates.ts"
import { type Cures, faultsOf, type ImportError, type ImportFault, sentencesOf } from "./import-faults.ts"
import { type ManagerChange, plannedManagers } from "./import-managers.ts"
import {
  conflictsWith,
  fieldErrors,
  formerErrors,
  keysOf,
  managerErrors,
  managerNames,
  maxImportErrors,
  missingColumns,
  type ReadOptions,
  type ReadRows,
  readRows,
  strangersIn,
  withDeptSpelling,
} from "./import-rows.ts"
import { changedColumns, newUser, type Update, updateEntries, updateOf } from "./import-updates.ts"
import { activeIn, type ImportColumn, ownColumns } from "./import-vocabulary.ts"
import { addressesFixed, isLimited, maintains } from "./maintainers.ts"
import { isActive, type NewUser, type User, type UserChanges } from "./model.ts"
import { type Actor, makesSuperusers, requireDuty } from "./roles.ts"
import { inviterOf } from "./users.ts"

/** Size of the file in bytes. */
export const maxImportBytes = 10_000_000

/** How many rows are looked up, or audit entries made, in one tick. */
const rowsAtOnce = 500
/** How many times an import is planned, in case users change meanwhile, and when to retry after that, in seconds. */
const maxAttempts = 3
const retryAfterSeconds = 5

interface ImportOptions extends ReadOptions {
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
  /** How the file was read; only in a dry run. */
  readonly reading: Reading | null
}

interface Reading {
  readonly columns: readonly ReadColumn[]
  /** The columns that nobody knows. */
  readonly unknown: readonly string[]
  /** How slashed dates were read, if there are any. */
  readonly dates: DateOrder | "unclear" | null
  /** People who have left and were never here. */
  readonly leftOut: number
  /** The errors, one for each column and reason. */
  readonly faults: readonly ImportFault[]
}

type ImportedPerson = Pick<User, "username" | "name">

interface Plan {
  readonly create: NewUser[]
  readonly update: Update[]
  readonly managers: ManagerChange[]
  unchanged: number
  leftOut: number
  newDepartments: readonly string[]
  readonly errors: ImportError[]
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
     * Creates and updates users from a table whose first row names the columns (docs/interface/administration.md). All
     * rows are imported, or none. Blank cells change nothing; passwords and balances never change. A new e-mail address
     * ends that user's refresh, reset and invitation tokens. A row must not do what the actor may not do with a correction.
     * Reading, planning and writing run in time slices.
     * @throws DomainError `not_superuser`, `invalid` (naming the wrong rows; a dry run returns them instead),
     *   `unwritable` (users kept changing in the meantime), and those of `MakeOnce`
     */
    async run(actor: Actor, table: Table, options: ImportOptions, keyed?: KeyedRequest | null): Promise<ImportResult> {
      requireDuty(actor, "people")
      const read = await readRows(table, options)
      return makeOnce(keyed, (once) => imported(actor, read, options, once))
    },
  }

  async function imported(
    actor: Actor,
    read: ReadRows,
    options: ImportOptions,
    once?: Once<ImportResult>,
  ): Promise<ImportResult> {
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      const plan = await planImport(actor, read)
      const result = resultOf(plan, read.errors)
      if (options.dryRun) return { ...result, reading: readingOf(read, plan, result.errors) }
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
  async function planImport(actor: Actor, { rows: given, columns }: ReadRows): Promise<Plan> {
    const plan: Plan = {
      create: [],
      update: [],
      managers: [],
      unchanged: 0,
      leftOut: 0,
      newDepartments: [],
      errors: [],
    }
    const now = clock()
    const departments = (await allDepartments(store.people)).map(({ name }) => name)
    const spelled = deptSpelling(departments)
    const existing = await existingUsers(given)
    const byUsername = new Map(existing.map((user) => [user.username, user]))
    const ownerOfEmail = new Map(existing.map((user) => [emailKey(user.email), user.username]))
    const [rows, left]: [ImportRow[], ImportRow[]] = [[], []]
    for await (const one of inTimeSlices(given)) {
      const row = withOwnUsername(byUsername.has(one.username) ? one : withoutBlanks(one), ownerOfEmail)
      if (byUsername.has(row.username) || !hasLeft(row)) rows.push(row)
      else left.push(row)
    }
    plan.leftOut = left.length
    const errorsWithOthers = conflictsWith(ownerOfEmail)
    const known = [...existing, ...(await namedManagers(rows, byUsername))]
    const maintainer = isLimited(actor) ? actor.user : null
    const managers = await plannedManagers(store.users, rows, { existing: known, left }, maintainer)
    const former = await formerUsernames(
      [
        ...rows.flatMap(({ username }) => (byUsername.has(username) ? [] : [username])),
        ...(await strangersIn(rows, managers)),
      ],
      now,
    )
    const errorsOfRights = await rightsOf(actor, rows, byUsername)

    const missing = missingColumns(columns)
    for await (const one of inTimeSlices(rows)) {
      if (plan.errors.length >= maxImportErrors) break
      const row = withDeptSpelling(one, spelled)
      const user = byUsername.get(row.username)
      const manager = managers.changes.get(row.row)
      // Whose username it was says more than whose address it is.
      const [others, ofFormer] = [errorsWithOthers(row), user ? [] : formerErrors(row, former)]
      const errors = [
        ...fieldErrors(row, user, { ownUrl: address.url, missing }),
        ...(ofFormer.length > 0 ? ofFormer : others),
        ...managerErrors(row, managers, former),
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

  /** Who had these usernames before. */
  async function formerUsernames(usernames: readonly string[], now: number): Promise<ReadonlyMap<string, User>> {
    const found = new Map<string, User>()
    for (let from = 0; from < usernames.length; from += rowsAtOnce)
      for (const { username, user } of await store.users.formerlyAmong(usernames.slice(from, from + rowsAtOnce), now))
        found.set(username, user)
    return found
  }

  /** The users whose username or e-mail address occurs in the rows. */
  async function existingUsers(rows: readonly ImportRow[]): Promise<User[]> {
    const found = new Map<number, User>()
    for (let from = 0; from < rows.length; from += rowsAtOnce) {
      const keys = await keysOf(rows.slice(from, from + rowsAtOnce))
      for (const user of await store.users.matching(keys)) found.set(user.id, user)
    }
    return [...found.values()]
  }

  /** Those who have the names of managers, and are not among the existing users yet. */
  async function namedManagers(rows: readonly ImportRow[], byUsername: ReadonlyMap<string, User>): Promise<User[]> {
    const names = managerNames(rows)
    const found: User[] = []
    for (let from = 0; from < names.length; from += rowsAtOnce)
      found.push(...(await store.users.named(names.slice(from, from + rowsAtOnce))))
    return found.filter(({ username }) => !byUsername.has(username))
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
    for await (const user of inTimeSlices(create, rowsAtOnce)) {
      entries.push(creationEntry(actor, at, user))
      if (invite)
        jobs.push(mailJobs.of(invitationKind, { email: user.email, ...inviterOf(actor) } satisfies MailRequest))
    }
    for await (const one of inTimeSlices(update, rowsAtOnce)) entries.push(...updateEntries(one, actor, at))
    for (const { username, before, manager } of managers)
      entries.push(managerEntry(actor, at, username, { before, after: manager }))
    return { create, update, managers, entries, jobs }
  }
}

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
    reading: null,
  }
}

const readingOf = (
  { columns, unknown, slashed }: ReadRows,
  { leftOut }: Plan,
  errors: readonly ImportError[],
): Reading => ({
  columns,
  unknown,
  dates: slashed.isUsed ? (slashed.order ?? "unclear") : null,
  leftOut,
  faults: faultsOf(errors),
})

/** Nobody has a username with these blanks, which somebody typed. */
function withoutBlanks(row: ImportRow): ImportRow {
  const username = row.username.trim()
  return username === row.username ? row : { ...row, username, cells: { ...row.cells, username } }
}

/** A row without a username is about the person who has its e-mail address, whose name may have changed. */
function withOwnUsername(row: ImportRow, ownerOfEmail: ReadonlyMap<string, string>): ImportRow {
  const { username, email } = row.cells
  const owner = username === undefined && email !== undefined ? ownerOfEmail.get(emailKey(email)) : undefined
  return owner === undefined ? row : { ...row, username: owner }
}

const hasLeft = ({ cells: { active }, hasStatus }: ImportRow): boolean =>
  hasStatus === true && active !== undefined && activeIn(active) === false

const refusal = (errors: readonly ImportError[]) =>
  new DomainError("invalid", { detail: sentencesOf(faultsOf(errors), cures).join("; ") })

const cures: Cures = { ignore: "ignore_unknown=true", columns: "columns" }
