import { emailKey, usernameCaseKey } from "../../domain/people/fields.ts"
import type { Damage } from "./damage.ts"
import { maxListed } from "./ledger.ts"

/** A user with the keys by which log-ins find the account. */
export interface UserKeys {
  readonly id: number
  readonly username: string
  readonly username_key: string
  readonly email: string
  readonly email_key: string
}

export const selectUserKeys = "SELECT id, username, username_key, email, email_key FROM users ORDER BY id"

/** Users whom a log-in would not find. Their confusables are not checked, because these follow from the Unicode data of the
 *  version that wrote them. */
export function* userFaults(users: Iterable<UserKeys>): Generator<Damage> {
  let listed = 0
  for (const { id, username, username_key, email, email_key } of users) {
    const wrong = [
      ...(username_key === usernameCaseKey(username) ? [] : ["its username_key is not that of its username"]),
      ...(email_key === emailKey(email) ? [] : ["its email_key is not that of its email"]),
    ]
    for (const fault of wrong) yield { check: "users", fault: `user ${id}: ${fault}` }
    listed += wrong.length
    if (listed >= maxListed) return
  }
}
