import { DomainError, details, invalid } from "../errors.ts"
import { isLongerThan } from "../text.ts"
import { inTimeSlices } from "../ticks.ts"
import { emailKey, maxLengths, usernameCaseKey, usernameKey } from "./fields.ts"
import type { ImportRow } from "./import-columns.ts"
import { activeIn } from "./import-vocabulary.ts"
import { isSamePerson } from "./maintainers.ts"
import { hasLeft, inCircles } from "./managers.ts"
import { isActive, type User } from "./model.ts"
import type { UserStore } from "./ports.ts"

/** How many people are looked up in one read. */
const peopleAtOnce = 500

export interface ManagerChange {
  readonly username: string
  /** Usernames. */
  readonly before: string | null
  readonly manager: string
}

/** What the column `manager` of a file changes, and what is wrong with it, by the numbers of the rows. */
export interface PlannedManagers {
  readonly changes: ReadonlyMap<number, ManagerChange>
  readonly faults: ReadonlyMap<number, DomainError>
  /** The rows whose manager is nobody. */
  readonly strangers: ReadonlySet<number>
}

interface People {
  readonly existing: readonly User[]
  /** The rows of people who have left and were never here. */
  readonly left: readonly ImportRow[]
}

/**
 * Finds the managers whom the rows name, by username, e-mail address or a name that only one has, among the people as they are after the import.
 * `existing` has all users whom the rows name. `maintainer`, if there is one, must not get a team in this way (maintainers.ts).
 */
export async function plannedManagers(
  store: Pick<UserStore, "managersAbove">,
  rows: readonly ImportRow[],
  { existing, left }: People,
  maintainer: User | null,
): Promise<PlannedManagers> {
  const changes = new Map<number, ManagerChange>()
  const faults = new Map<number, DomainError>()
  const strangers = new Set<number>()
  const naming = rows.filter(({ cells }) => cells.manager !== undefined)
  if (naming.length === 0) return { changes, faults, strangers }

  const find = await peopleAfter(rows, existing, left)
  const matches = new Map<number, Match>()
  for await (const { row, cells } of inTimeSlices(naming)) matches.set(row, find(cells.manager ?? ""))
  const managerOf = await managersBefore(store, naming, existing, matches)
  const erased = new Set(existing.filter(({ erasedAt }) => erasedAt !== null).map(({ username }) => username))
  for await (const { row, username } of inTimeSlices(naming)) {
    const manager = matches.get(row)
    const before = managerOf.get(username) ?? null
    if (manager === "several") faults.set(row, invalid("manager", severalHaveTheName))
    else if (manager === undefined) {
      strangers.add(row)
      faults.set(row, invalid("manager", "nobody has this username, e-mail address or name"))
    } else if (manager.username === before) continue
    else if (erased.has(username))
      faults.set(row, new DomainError("erased", { detail: `manager: ${details.erased}`, field: "manager" }))
    else if (!manager.isActive) faults.set(row, invalid("manager", hasLeft))
    else changes.set(row, { username, before, manager: manager.username })
  }
  for (const { username, manager } of changes.values()) managerOf.set(username, manager)
  const circles = inCircles(managerOf)
  for await (const [row, { username, manager }] of inTimeSlices([...changes]))
    if (circles.has(username)) faults.set(row, new DomainError("manager_cycle"))
    else if (maintainer !== null && isTheirs(maintainer, find(manager), managerOf))
      faults.set(row, new DomainError("not_superuser", { detail: `manager: ${details.not_superuser}` }))
  return { changes, faults, strangers }
}

/** Whether a manager is the maintainer, or reports to them after the import. */
function isTheirs(maintainer: User, manager: Match, managerOf: ReadonlyMap<string, string | null>): boolean {
  if (manager === undefined || manager === "several") return false
  if (isSamePerson(maintainer, manager)) return true
  for (let next: string | null = manager.username; next !== null; next = managerOf.get(next) ?? null)
    if (next === maintainer.username) return true
  return false
}

interface Found extends Pick<User, "username" | "name" | "email"> {
  readonly isActive: boolean
}

/** Who is meant, if it is one person. */
type Match = Found | "several" | undefined
type Find = (cell: string) => Match

const severalHaveTheName = "several people have this name; give the username or e-mail address"

/** What the name of a person may be that a cell names, as it stands there or as `Souza, Ana`. */
export function spellingsOf(cell: string): string[] {
  if (isLongerThan(cell, 2 * maxLengths.name)) return []
  const plain = cell.trim().replace(/\s+/g, " ")
  const forward = forwards(plain)
  return forward === plain ? [plain] : [plain, forward]
}

/** `Souza, Ana` as `Ana Souza`. */
export function forwards(name: string): string {
  const [last = "", first = "", ...others] = name.split(",").map((part) => part.trim())
  return last === "" || first === "" || others.length > 0 ? name : `${first} ${last}`
}

const nameKey = (name: string): string => usernameCaseKey(name.trim().replace(/\s+/g, " "))

/** Finds people as they are after the import: a row may create them, give them another address, or say that they left. */
async function peopleAfter(
  rows: readonly ImportRow[],
  existing: readonly User[],
  left: readonly ImportRow[],
): Promise<Find> {
  const byUsername = new Map<string, Found>()
  const byEmail = new Map<string, string>()
  for (const { username, cells } of left) {
    const { name = "", email = "" } = cells
    byUsername.set(username, { username, name, email, isActive: false })
    if (email !== "") byEmail.set(emailKey(email), username)
  }
  for (const user of existing) {
    const { username, name, email } = user
    byUsername.set(username, { username, name, email, isActive: isActive(user) })
    byEmail.set(emailKey(user.email), user.username)
  }
  for (const { username, cells } of rows) {
    const before = byUsername.get(username) ?? { name: "", email: "", isActive: true }
    const { name = before.name, email = before.email, active = "" } = cells
    byUsername.set(username, { username, name, email, isActive: activeIn(active) ?? before.isActive })
    if (cells.email !== undefined) byEmail.set(emailKey(cells.email), username)
  }
  const byName = new Map<string, Found[]>()
  for await (const one of inTimeSlices(byUsername.values())) {
    const key = nameKey(one.name)
    const others = byName.get(key)
    if (others === undefined) byName.set(key, [one])
    else others.push(one)
  }
  return (cell) =>
    byUsername.get(usernameKey(cell)) ?? byUsername.get(byEmail.get(emailKey(cell)) ?? "") ?? namedIn(byName, cell)
}

/** Whoever has left counts only where nobody else has the name. */
function namedIn(byName: ReadonlyMap<string, readonly Found[]>, cell: string): Match {
  const found = spellingsOf(cell).flatMap((name) => byName.get(nameKey(name)) ?? [])
  const present = found.filter(({ isActive }) => isActive)
  const [first, ...others] = present.length > 0 ? present : found
  return others.length > 0 ? "several" : first
}

/** The present managers of those who get one, and of everybody above the old and the new managers. By usernames. */
async function managersBefore(
  store: Pick<UserStore, "managersAbove">,
  naming: readonly ImportRow[],
  existing: readonly User[],
  matches: ReadonlyMap<number, Match>,
): Promise<Map<string, string | null>> {
  const named = new Set(
    naming.flatMap(({ row, username }) => {
      const manager = matches.get(row)
      return manager === undefined || manager === "several" ? [username] : [username, manager.username]
    }),
  )
  const ids = existing.filter(({ username }) => named.has(username)).map(({ id }) => id)
  const above = new Map<number, Pick<User, "username" | "managerId">>()
  for (let from = 0; from < ids.length; from += peopleAtOnce)
    for (const one of await store.managersAbove(ids.slice(from, from + peopleAtOnce))) above.set(one.id, one)
  return new Map(
    [...above.values()].map(({ username, managerId }) => [
      username,
      managerId === null ? null : (above.get(managerId)?.username ?? null),
    ]),
  )
}
