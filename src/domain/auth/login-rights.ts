import { isActive, type User } from "../people/model.ts"
import { isSuperuser } from "../people/roles.ts"

/**
 * Whether somebody may log in, in any way. Otherwise no session, token or link of theirs is valid either, whenever it was made.
 */
export const mayLogIn = (user: User | null | undefined): user is User =>
  user !== null && user !== undefined && isActive(user)

/** Who may log in with a password: the setting `login.password`. */
export type PasswordLogin = "all" | "superusers" | "off"

/** Whether this user, among those who may log in, may do so with a password. */
export const mayUsePassword = (setting: PasswordLogin, user: Pick<User, "dept">): boolean =>
  setting === "all" || (setting === "superusers" && isSuperuser(user))
