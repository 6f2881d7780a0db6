import type { User } from "../domain/model.ts"
import { usernameKey } from "../domain/people/fields.ts"
import type { Store } from "../domain/store.ts"
import { Refusal } from "./failures.ts"
import { visible } from "./text.ts"

/** @throws Refusal when nobody has this name */
export async function userNamed({ users }: Pick<Store, "users">, name: string): Promise<User> {
  const user = await users.byUsername(usernameKey(name))
  if (!user) throw new Refusal(`User not found: ${visible(name)}`)
  return user
}
