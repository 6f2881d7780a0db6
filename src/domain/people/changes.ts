import { auditEntry } from "../audit/audit-log.ts"
import type { AuditAction, AuditEntry, AuditValues, Origin } from "../audit/ports.ts"
import { dutiesChange } from "./duties.ts"
import { type ManagerNames, managerChange } from "./managers.ts"
import type { NewUser, User } from "./model.ts"

/* What the audit log says about changes of accounts. */

const profile = ["name", "avatar", "bio", "birthday", "celebrates"] as const
const corrected = ["name", "email", "currency", "avatar", "bio", "birthday", "joined"] as const
const given = [...corrected, "dept"] as const

export const creationEntry = (origin: Origin, at: number, user: NewUser): AuditEntry =>
  auditEntry(origin, at, "user_created", { whom: user.username, detail: user.dept, after: valuesOf(user, given) })

/** Returns a function that makes the entry about a profile that somebody has changed. */
export const profileEntry =
  (origin: Origin, at: number) =>
  (before: User, after: User): AuditEntry =>
    auditEntry(origin, at, "profile_changed", {
      whom: after.username,
      detail: before.name === after.name ? null : renaming(before.name, after.name),
      before: valuesOf(before, profile),
      after: valuesOf(after, profile),
    })

/** Whether people changed their own profile, but not the name: the log keeps every name that somebody had. */
export const isOwnProfile = ({ action, way, who, whom, detail }: AuditEntry): boolean =>
  action === "profile_changed" && way === "http" && who !== null && who === whom && detail === null

/** An entry that says what two of them say: the first values before, and the last after. */
export function joinedProfiles<Entry extends AuditEntry>(earlier: Entry, later: AuditEntry): Entry {
  const before = { ...later.before, ...earlier.before }
  const after = { ...earlier.after, ...later.after }
  const changed = Object.keys(after).length === 0 ? { before: null, after: null } : { before, after }
  return { ...earlier, at: later.at, count: earlier.count + later.count, ...changed }
}

/** Returns a function that makes the entries about a corrected account, one for each kind of what differs. */
export const correctionEntries =
  (origin: Origin, at: number, manager?: ManagerNames) =>
  (before: User, after: User): AuditEntry[] => {
    const about = (action: AuditAction, fields: readonly (keyof User)[], detail: string) => ({
      isNeeded: fields.some((field) => !Bun.deepEquals(before[field], after[field])),
      entry: auditEntry(origin, at, action, {
        whom: after.username,
        detail,
        before: valuesOf(before, fields),
        after: valuesOf(after, fields),
      }),
    })
    const names = corrected
      .filter((field) => before[field] !== after[field])
      .map((field) => (field === "name" ? renaming(before.name, after.name) : field))
    return [
      about("user_renamed", ["username"], `${before.username} -> ${after.username}`),
      about("profile_changed", corrected, names.join(", ")),
      about("dept_changed", ["dept"], `${before.dept} -> ${after.dept}`),
      ...(manager === undefined ? [] : [{ isNeeded: true, entry: managerEntry(origin, at, after.username, manager) }]),
      about("duties_changed", ["duties"], dutiesChange(before, after)),
    ].flatMap(({ isNeeded, entry }) => (isNeeded ? [entry] : []))
  }

export const managerEntry = (origin: Origin, at: number, whom: string, { before, after }: ManagerNames): AuditEntry =>
  auditEntry(origin, at, "manager_changed", {
    whom,
    detail: managerChange(before, after),
    before: { manager: before },
    after: { manager: after },
  })

const renaming = (before: string, after: string): string => `name: ${before} -> ${after}`

const valuesOf = <Field extends string>(
  thing: { readonly [Name in Field]?: unknown },
  fields: readonly Field[],
): AuditValues => Object.fromEntries(fields.map((field) => [field, thing[field] ?? null]))
