import { DomainError } from "../errors.ts"
import { normalized } from "../text.ts"
import { emailKey, maxLengths } from "./fields.ts"
import type { User } from "./model.ts"
import type { UserStore } from "./ports.ts"
import { type Actor, isSuperuser, makesSuperusers } from "./roles.ts"
import { hasPassword } from "./unusable-hash.ts"

/*
 * Who maintains accounts: superusers, and people with the duty `people` (docs/interface/duties.md). The latter must get
 * neither the rights nor the points of others in this way, nor read what was written to others.
 */

/**
 * Whether somebody may maintain this account. The duty `people` does not reach superusers, nor the holder's own account,
 * because a department may have an allowance.
 */
export const maintains = (user: User, target: User): boolean =>
  isSuperuser(user) || (user.duties.includes("people") && !isSuperuser(target) && target.id !== user.id)

/** @throws DomainError `not_superuser` */
export function requireMaintainer({ user }: Pick<Actor, "user">, target: User): void {
  if (user !== null && !maintains(user, target)) throw new DomainError("not_superuser")
}

/** Whether somebody who maintains accounts is neither a superuser nor the operator. */
export const isLimited = ({ user }: Pick<Actor, "user">): boolean => user !== null && !isSuperuser(user)

/** Only superusers make superusers. @throws DomainError `not_superuser` */
export function checkNewDept(actor: Pick<Actor, "user">, dept: string): void {
  if (isLimited(actor) && makesSuperusers(dept)) throw new DomainError("not_superuser", { field: "dept" })
}

/**
 * Nobody gets a team by the duty `people`: a manager whom its holder names is neither the holder nor somebody who reports to
 * them, directly or through others, nor another account that is known to be the holder's.
 * @throws DomainError `not_superuser`
 */
export async function checkNewManager(
  users: Pick<UserStore, "managersAbove">,
  { user }: Pick<Actor, "user">,
  manager: User,
): Promise<void> {
  if (user === null || isSuperuser(user)) return
  const isAbove = (await users.managersAbove([manager.id])).some(({ id }) => id === user.id)
  if (isAbove || isSamePerson(user, manager)) throw new DomainError("not_superuser", { field: "manager" })
}

/** Whether two accounts are known to be one person's: they have the same name, or their mail goes to the same mailbox. */
export const isSamePerson = (one: Named, other: Named): boolean =>
  mailboxOf(one.email) === mailboxOf(other.email) || nameKey(one.name) === nameKey(other.name)

type Named = Pick<User, "name" | "email">

/** Mail to `ana+2@example.com` goes to `ana@example.com`. */
const mailboxOf = (email: string): string => emailKey(email).replace(/\+[^@]*@/, "@")

const nameKey = (name: string): string =>
  normalized(name, "NFKC", maxLengths.name).trim().replace(/\s+/gu, " ").toLowerCase()

/** How many accounts are looked up in one tick. */
const idsAtOnce = 500

/**
 * Returns a function that tells whether only superusers change the e-mail address of one of `targets`. Whoever reads the mail
 * can set a new password, so these are people with duties, accounts that somebody has logged in to, and accounts that were
 * thanked. Before that, the account belongs to whoever gets the invitation, and a wrong address must be corrected.
 */
export async function addressesFixed(
  users: Pick<UserStore, "withHistory">,
  targets: readonly User[],
): Promise<(target: User) => boolean> {
  const isKnown = ({ duties, password }: User) => duties.length > 0 || hasPassword(password)
  const others = targets.filter((target) => !isKnown(target))
  const history = new Set<number>()
  for (let from = 0; from < others.length; from += idsAtOnce)
    for (const id of await users.withHistory(others.slice(from, from + idsAtOnce).map(({ id }) => id))) history.add(id)
  return (target) => isKnown(target) || history.has(target.id)
}
