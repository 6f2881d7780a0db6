import { DomainError, type ErrorCode } from "../errors.ts"
import type { User } from "../model.ts"
import { usernameKey } from "../people/fields.ts"
import type { UserStore } from "../store.ts"
import { isSuperuser } from "./roles.ts"

/**
 * The user of this name: anybody for a superuser, otherwise only `viewer`. `refusal` is the code for all others.
 * @throws DomainError `user_not_found`, `refusal`
 */
export async function ownAccount(
  users: Pick<UserStore, "byUsername">,
  viewer: User,
  username: string,
  refusal: ErrorCode,
): Promise<User> {
  const target = await users.byUsername(usernameKey(username))
  if (!target) throw new DomainError("user_not_found")
  if (!isSuperuser(viewer) && viewer.id !== target.id) throw new DomainError(refusal)
  return target
}

/**
 * The id of the only person whose rows a list shows to `viewer`; undefined: everybody's. Without a username, superusers see
 * all rows and others their own.
 * @throws DomainError `user_not_found`, `refusal`
 */
export async function onlyPersonShown(
  users: Pick<UserStore, "byUsername">,
  viewer: User,
  username: string | undefined,
  refusal: ErrorCode,
): Promise<number | undefined> {
  if (username !== undefined) return (await ownAccount(users, viewer, username, refusal)).id
  return isSuperuser(viewer) ? undefined : viewer.id
}
