import { createCount } from "./count.ts"
import { DomainError } from "./errors.ts"
import { maxLengths, usernameKey } from "./fields.ts"
import { type Hashing, maxWaiting } from "./hashing.ts"
import type { KnownSources } from "./known-sources.ts"
import { sourceOf } from "./sources.ts"
import type { Clock, Store, User } from "./store.ts"
import { createTally, type Tally } from "./tally.ts"
import type { Trail } from "./trail.ts"

const windowMs = 5 * 60_000
/** Failures for one account from everywhere, and from one source for all accounts, by failures for one from one. */
const [timesEverywhere, timesAllAccounts] = [10, 100]
/** Attempts of one source under way at once, so that others find a place, too. */
const maxUnderWay = 64
/** When another try may be worth it. */
const retryAfterSeconds = 5

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
  /** For one account from one source within five minutes. */
  readonly maxFailures: number
  readonly known: Pick<KnownSources, "has" | "add">
  readonly trail: Pick<Trail, "loggedIn" | "loginFailed">
}

/** A tally and the key that an attempt has in it. */
type Count = readonly [tally: Tally, key: string]

export type Logins = ReturnType<typeof createLogins>

export function createLogins({ store, hashing, clock, maxFailures, known, trail }: Dependencies) {
  const tally = (times: number) => createTally({ clock, windowMs, max: maxFailures * times })
  const [failures, everywhere, allAccounts] = [tally(1), tally(timesEverywhere), tally(timesAllAccounts)]
  /** The last attempt of each account and source that is under way. */
  const turns = new Map<string, Promise<unknown>>()
  const underWay = createCount()
  /** Attempts that wait for one before them: no more than may wait for a hash, from however many sources. */
  let behind = 0

  return {
    /**
     * The user behind a name and a password (contract, POST /token and POST /login). An unknown user costs the same
     * time as a wrong password. Only failures count towards the limits; once limited, nothing is hashed any more. Guesses
     * from elsewhere keep nobody out where the account was used before.
     * @throws DomainError `bad_login`, `too_many_failures`, `busy`
     */
    async login({ username, password, address }: Login): Promise<User> {
      const account = await store.users.byUsername(usernameKey(username))
      const source = sourceOf(address)
      const name = usernameKey(username).slice(0, maxLengths.username)
      const isKnown = account !== null && (await known.has(account, source))
      const pair: Count = [failures, `${source} ${name}`]
      const limits: Count[] = isKnown ? [pair] : [pair, [everywhere, name], [allAccounts, source]]
      try {
        const user = await underWayFrom(source, () => verified(account, password, pair[1], limits))
        await known.add(user, source)
        await trail.loggedIn(user, address)
        return user
      } catch (error) {
        if (error instanceof DomainError && error.code !== "busy") await trail.loginFailed(account, address)
        throw error
      }
    },
  }

  async function underWayFrom<T>(source: string, attempt: () => Promise<T>): Promise<T> {
    if (underWay.of(source) >= maxUnderWay) throw new DomainError("busy", undefined, retryAfterSeconds)
    underWay.add(source)
    try {
      return await attempt()
    } finally {
      underWay.remove(source)
    }
  }

  async function verified(account: User | null, password: string, turn: string, limits: Count[]): Promise<User> {
    refuseWhenLimited(limits)
    // One after the other, and asked again each time: guesses sent all at once must not outrun the count.
    return inTurn(turn, async () => {
      const matches = await hashing.verify(password, account?.password ?? null, () => refuseWhenLimited(limits))
      // Read again: a password that was changed while it was hashed opens nothing any more.
      const current = matches && account ? await store.users.byUsername(account.username) : null
      if (current && current.password === account?.password) return current
      for (const [tally, key] of limits) tally.add(key)
      throw new DomainError("bad_login")
    })
  }

  function refuseWhenLimited(limits: Count[]) {
    const seconds = Math.max(...limits.map(([tally, key]) => tally.fullFor(key)))
    if (seconds > 0) throw new DomainError("too_many_failures", undefined, seconds)
  }

  async function inTurn<T>(key: string, attempt: () => Promise<T>): Promise<T> {
    const before = turns.get(key)
    if (before !== undefined && behind >= maxWaiting) throw new DomainError("busy", undefined, retryAfterSeconds)
    const mine = before === undefined ? attempt() : after(before, attempt)
    turns.set(key, mine)
    try {
      return await mine
    } finally {
      if (turns.get(key) === mine) turns.delete(key)
    }
  }

  async function after<T>(before: Promise<unknown>, attempt: () => Promise<T>): Promise<T> {
    behind += 1
    await before.catch(() => {}) // whose own caller hears of it
    behind -= 1
    return attempt()
  }
}
