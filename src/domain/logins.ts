import { DomainError } from "./errors.ts"
import { maxLengths, usernameKey } from "./fields.ts"
import type { Hashing } from "./hashing.ts"
import type { Clock, Store, User } from "./store.ts"
import type { Trail } from "./trail.ts"

const windowMs = 5 * 60_000
/** Accounts and addresses remembered at once; the oldest are forgotten first. */
const maxRemembered = 10_000

export interface Login {
  readonly username: string
  readonly password: string
  /** Where the attempt comes from: an IP address. */
  readonly address: string
}

interface Dependencies {
  readonly store: Pick<Store, "users">
  readonly hashing: Pick<Hashing, "verify">
  readonly clock: Clock
  /** For one account from one address within five minutes. */
  readonly maxFailures: number
  readonly trail: Pick<Trail, "loggedIn" | "loginFailed">
}

export type Logins = ReturnType<typeof createLogins>

export function createLogins({ store, hashing, clock, maxFailures, trail }: Dependencies) {
  const failures = new Map<string, { count: number; until: number }>()
  /** The last attempt of each account and address that is under way. */
  const turns = new Map<string, Promise<unknown>>()

  return {
    /**
     * The user behind a name and a password (contract, POST /token and POST /login). An unknown user costs the same
     * time as a wrong password. Only failures count towards the limit; once limited, nothing is hashed any more.
     * @throws DomainError `bad_login`, `too_many_failures`
     */
    async login({ username, password, address }: Login): Promise<User> {
      const account = await store.users.byUsername(usernameKey(username))
      try {
        const user = await verified(
          account,
          password,
          `${address} ${usernameKey(username).slice(0, maxLengths.username)}`,
        )
        await trail.loggedIn(user, address)
        return user
      } catch (error) {
        if (error instanceof DomainError) await trail.loginFailed(account, address)
        throw error
      }
    },
  }

  async function verified(account: User | null, password: string, key: string): Promise<User> {
    refuseWhenLimited(key)
    // One after the other, and asked again each time: guesses sent all at once must not outrun the count.
    return inTurn(key, async () => {
      const matches = await hashing.verify(password, account?.password ?? null, () => refuseWhenLimited(key))
      // Read again: a password that was changed while it was hashed opens nothing any more.
      const current = matches && account ? await store.users.byUsername(account.username) : null
      if (current && current.password === account?.password) return current
      countFailure(key)
      throw new DomainError("bad_login")
    })
  }

  function refuseWhenLimited(key: string) {
    const failed = failures.get(key)
    if (!failed) return
    if (failed.until <= clock()) failures.delete(key)
    else if (failed.count >= maxFailures)
      throw new DomainError("too_many_failures", undefined, Math.ceil((failed.until - clock()) / 1000))
  }

  async function inTurn<T>(key: string, attempt: () => Promise<T>): Promise<T> {
    const mine = (turns.get(key) ?? Promise.resolve()).then(attempt, attempt)
    turns.set(key, mine)
    try {
      return await mine
    } finally {
      if (turns.get(key) === mine) turns.delete(key)
    }
  }

  function countFailure(key: string) {
    const failed = failures.get(key)
    if (failed) {
      failed.count += 1
      return
    }
    const oldest = failures.keys().next()
    if (failures.size >= maxRemembered && !oldest.done) failures.delete(oldest.value)
    failures.set(key, { count: 1, until: clock() + windowMs })
  }
}
