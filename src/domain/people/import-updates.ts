import { auditEntry } from "../audit/audit-log.ts"
import type { AuditEntry } from "../audit/ports.ts"
import { correctionEntries } from "./changes.ts"
import { dutiesAfter } from "./duties.ts"
import { defaultCurrency } from "./fields.ts"
import type { ImportRow } from "./import-columns.ts"
import { activeIn, type OwnColumn, ownColumns } from "./import-vocabulary.ts"
import { isActive, type NewUser, type User } from "./model.ts"
import type { Actor } from "./roles.ts"

/** A person whom an import changes. */
export interface Update {
  readonly before: User
  readonly after: User
  readonly columns: readonly OwnColumn[]
}

export function newUser({ username, cells }: ImportRow, unusableHash: string): NewUser {
  const { name = "", email = "", dept = "", currency = defaultCurrency, ...others } = cells
  const { avatar = null, bio = null, birthday = null, joined = null } = others
  return { username, name, email, dept, currency, avatar, bio, birthday, joined, password: unusableHash }
}

/** Null when the row changes nothing. A new e-mail address ends refresh and reset tokens, because links that were sent
 *  to a wrong address must not work after the correction. */
export function updateOf(before: User, row: ImportRow, now: number, changesManager: boolean): Update | null {
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

export const changedColumns = (user: User, { cells }: ImportRow): readonly OwnColumn[] =>
  ownColumns.filter((column) => cells[column] !== undefined && differs(user, column, cells[column]))

export function differs(user: User, column: OwnColumn, text: string): boolean {
  if (column === "active") return activeIn(text) !== isActive(user)
  // A cell with a name is without the blanks around it.
  return column === "username" || (column === "name" && user.name.trim() === text) ? false : user[column] !== text
}

export const updateEntries = ({ before, after }: Update, actor: Actor, at: number): AuditEntry[] => [
  ...(isActive(before) === isActive(after)
    ? []
    : [
        auditEntry(actor, at, isActive(after) ? "user_reactivated" : "user_deactivated", {
          whom: after.username,
          before: { active: isActive(before) },
          after: { active: isActive(after) },
        }),
      ]),
  ...correctionEntries(actor, at)(before, after),
]
