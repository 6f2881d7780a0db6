import { DomainError } from "../errors.ts"
import type { NewUser, User } from "../model.ts"
import { inSlices } from "../slices.ts"
import { isLongerThan } from "../text.ts"
import { storedAvatar } from "./avatars.ts"
import { deptSpelling } from "./departments.ts"
import { checkField, defaultCurrency, emailKey, maxLengths } from "./fields.ts"
import { fault, type ImportColumn, type ImportFault, type ImportRow, importColumns, maxFaults } from "./import-rows.ts"
import { checkMove } from "./users.ts"

export interface MergePlan {
  readonly create: NewUser[]
  readonly update: Change[]
  unchanged: number
  readonly faults: ImportFault[]
}

export interface Change {
  readonly before: User
  readonly after: User
  /** Those that change, but for dept. */
  readonly columns: readonly ImportColumn[]
}

interface Known {
  readonly rows: readonly ImportRow[]
  /** Whoever has a user name or an e-mail address that the rows name. */
  readonly matching: readonly User[]
  /** The departments that there are. */
  readonly depts: readonly string[]
  readonly noPassword: string
  /** Where people reach this server. */
  readonly ownUrl: string
}

/** What the rows make of the people there are. Somebody is known by the user name. */
export async function planMerge({ rows, matching, depts, noPassword, ownUrl }: Known): Promise<MergePlan> {
  const plan: MergePlan = { create: [], update: [], unchanged: 0, faults: [] }
  const spelled = deptSpelling(depts)
  const byUsername = new Map(matching.map((user) => [user.username, user]))
  const ownerOf = new Map(matching.map((user) => [emailKey(user.email), user.username]))
  const first = { username: new Map<string, number>(), email: new Map<string, number>() }

  for await (const given of inSlices(rows)) {
    const one = withKnownDept(given, spelled)
    if (plan.faults.length >= maxFaults) break
    const user = byUsername.get(one.username)
    const faults = [...faultsOf(one, user, ownUrl), ...faultsBeside(one)]
    if (faults.length > 0) plan.faults.push(...faults)
    else if (user) change(user, one)
    else plan.create.push(newUser(one))
  }
  return plan

  /** What other rows and other people speak against it. */
  function faultsBeside({ row, username, cells: { email } }: ImportRow): ImportFault[] {
    const faults: ImportFault[] = []
    const claim = (column: "username" | "email", key: string) => {
      const before = first[column].get(key)
      if (before === undefined) first[column].set(key, row)
      else faults.push(fault(row, column, `${column}: row ${before} has the same`))
    }
    claim("username", username)
    if (email === undefined) return faults
    claim("email", emailKey(email))
    const owner = ownerOf.get(emailKey(email))
    if (owner !== undefined && owner !== username)
      faults.push(fault(row, "email", "email: somebody else has this address"))
    return faults
  }

  /** Links that went to a wrong address must not outlive its correction: a new one ends refresh and reset tokens. */
  function change(before: User, { cells }: ImportRow) {
    const columns = importColumns.filter(
      (column) => cells[column] !== undefined && differs(before, column, cells[column]),
    )
    if (columns.length === 0) plan.unchanged += 1
    else {
      const changed = Object.fromEntries(columns.map((column) => [column, cells[column]]))
      const after = {
        ...before,
        ...changed,
        refreshVersion: before.refreshVersion + (columns.includes("email") ? 1 : 0),
      }
      plan.update.push({ before, after, columns: columns.filter((column) => column !== "dept") })
    }
  }

  function newUser({ username, cells }: ImportRow): NewUser {
    const { name = "", email = "", dept = "", currency = defaultCurrency, avatar = null, bio = null } = cells
    return { username, name, email, dept, currency, avatar, bio, password: noPassword }
  }
}

/** With the department as it is spelled already, or as the first row spells it. */
function withKnownDept(row: ImportRow, spelled: (dept: string) => string): ImportRow {
  const { dept } = row.cells
  if (dept === undefined || isLongerThan(dept, maxLengths.dept)) return row
  return { ...row, cells: { ...row.cells, dept: spelled(dept) } }
}

/** What the rules of the fields speak against a row. What is stored already is not asked about again. */
function faultsOf({ row, username, cells }: ImportRow, user: User | undefined, ownUrl: string): ImportFault[] {
  const faults: ImportFault[] = []
  const check = (column: ImportColumn, rule: () => void) => {
    try {
      rule()
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      faults.push(fault(row, column, error.message))
    }
  }
  for (const column of importColumns) {
    const text = column === "username" ? username : cells[column]
    if (text !== undefined && (!user || differs(user, column, text)))
      check(column, () => checkField(column, column === "avatar" ? storedAvatar(text, ownUrl) : text))
    else if (text === undefined && !user && requiredColumns.includes(column))
      check(column, () => checkField(column, ""))
  }
  const { dept } = cells
  if (user && dept !== undefined) check("dept", () => checkMove(user, dept))
  const isFoundByName = user !== undefined && cells.username === undefined
  if (isFoundByName && (cells.email === undefined || emailKey(cells.email) !== emailKey(user.email)))
    faults.push(fault(row, "username", "username: somebody has the one made from this name; give another, or theirs"))
  return faults
}

/** Of somebody new; what is missing breaks the rule of its field. */
const requiredColumns: readonly ImportColumn[] = ["name", "email", "dept"]

const differs = (user: User, column: ImportColumn, text: string): boolean =>
  column === "username" ? false : user[column] !== text
