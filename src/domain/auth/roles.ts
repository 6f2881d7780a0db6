import { DomainError } from "../errors.ts"
import type { Origin, User } from "../model.ts"

/** Members of this department are superusers (docs/interface.md, "Terms"). */
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

/** Who may log in with a password: the setting `login.password`. */
export type PasswordLogin = "all" | "superusers" | "off"

export const mayUsePassword = (setting: PasswordLogin, user: Pick<User, "dept">): boolean =>
  setting === "all" || (setting === "superusers" && isSuperuser(user))

/** @throws DomainError `not_superuser` */
export function requireSuperuser({ user }: Pick<Actor, "user">): void {
  if (user !== null && !isSuperuser(user)) throw new DomainError("not_superuser")
}
