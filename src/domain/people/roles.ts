import type { Origin } from "../audit/ports.ts"
import { DomainError, type ErrorCode } from "../errors.ts"
import { usernameKey } from "./fields.ts"
import type { Duty, User } from "./model.ts"
import type { UserStore } from "./ports.ts"

/** Members of this department are superusers (docs/interface/README.md, "Terms"). */
export const managementDept = "management"

/** Who acts. `user` is null for the operator on the command line, who may do everything. */
export interface Actor extends Origin {
  readonly user: User | null
}

export const isSuperuser = (user: Pick<User, "dept">): boolean => user.dept === managementDept

/** Whether this can be meant as the name of the superusers' department: ignores case and surrounding white space. */
export const makesSuperusers = (dept: string): boolean => dept.trim().toLowerCase() === managementDept

/** Whether this names a department whose members are no superusers. */
export const isMembersDept = (dept: string | null): dept is string =>
  dept !== null && dept.trim() !== "" && !makesSuperusers(dept)

/** @throws DomainError `not_superuser` */
export function requireSuperuser({ user }: Pick<Actor, "user">): void {
  if (user !== null && !isSuperuser(user)) throw new DomainError("not_superuser")
}

/** Whether somebody may do what one of these duties is for: those who have it, and superusers. */
export const hasDuty = (user: Pick<User, "dept" | "duties">, ...duties: readonly Duty[]): boolean =>
  isSuperuser(user) || duties.some((duty) => user.duties.includes(duty))

/** @throws DomainError `not_superuser` */
export function requireDuty({ user }: Pick<Actor, "user">, ...duties: readonly Duty[]): void {
  if (user !== null && !hasDuty(user, ...duties)) throw new DomainError("not_superuser")
}

/** What belongs to the person with the id `ownerId` is open to them and to those who see everybody's. @throws DomainError `refusal` */
export function requireOwn(
  viewer: User,
  ownerId: number | undefined,
  refusal: ErrorCode,
  seesAll = isSuperuser(viewer),
): void {
  if (!seesAll && viewer.id !== ownerId) throw new DomainError(refusal)
}

/**
 * The user of this name, if what belongs to them is open to `viewer`.
 * @throws DomainError `user_not_found`, `refusal`
 */
export async function ownAccount(
  users: Pick<UserStore, "byUsername">,
  viewer: User,
  username: string,
  refusal: ErrorCode,
  seesAll = isSuperuser(viewer),
): Promise<User> {
  const target = await users.byUsername(usernameKey(username))
  if (!target) throw new DomainError("user_not_found")
  requireOwn(viewer, target.id, refusal, seesAll)
  return target
}

/**
 * The id of the only person whose rows a list shows to `viewer`; undefined: everybody's. Without a username, those
 * who see everybody's see all rows, and others their own.
 * @throws DomainError `user_not_found`, `refusal`
 */
export async function onlyPersonShown(
  users: Pick<UserStore, "byUsername">,
  viewer: User,
  username: string | undefined,
  refusal: ErrorCode,
  seesAll = isSuperuser(viewer),
): Promise<number | undefined> {
  if (username !== undefined) return (await ownAccount(users, viewer, username, refusal, seesAll)).id
  return seesAll ? undefined : viewer.id
}
