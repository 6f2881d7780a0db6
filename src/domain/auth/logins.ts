import type { AuditLog } from "../audit-log.ts"
import { createCount } from "../count.ts"
import { DomainError } from "../errors.ts"
import type { Clock, User } from "../model.ts"
import { maxLengths, usernameCaseKey, usernameKey } from "../people/fields.ts"
import type { Store } from "../store.ts"
import { type Hashing, maxWaiting, retryAfterSeconds } from "./hashing.ts"
import type { KnownSources } from "./known-sources.ts"
import { createTally, type Tally } from "./rate-limiter.ts"
import { sourceOf } from "./sources.ts"

const windowMs = 5 * 60_000
/** Failures for one account from everywhere, and from one source for all accounts, by failures for one from one. */
const [timesEverywhere, timesAllAccounts] = [10, 100]
/** Attempts of one source under way at once, those included that wait for one before them and not yet for a hash. */
const maxUnderWay = 64

export interface Login {
  /** A user name or an e-mail address. */
  readonly username: string
  readonly password: string
  /** Where the attempt comes from: an IP address. */
  readonly address: string
}

interface Dependencies {
  readonly store: Pick<Store, "users">
  readonly hashing: Pick<Hashing, "hash" | "verify" | "waiting" | "isOutdated">
  readonly clock: Clock
  /** For one account from one source within five minutes. */
  readonly maxFailures: number
  readonly known: Pick<KnownSources, "has" | "add">
  readonly auditLog: Pick<AuditLog, "loggedIn" | "loginFailed">
}

type Given = Pick<Login, "password" | "address">

/** A tally and the key that an attempt has in it. */
type Count = readonly [tally: Tally, key: string]

export type Logins = ReturnType<typeof createLogins>

export function createLogins({ store, hashing, clock, maxFailures, known, auditLog }: Dependencies) {
  const tally = (times: number) => createTally({ clock, windowMs, max: maxFailures * times })
  const [failures, everywhere, allAccounts] = [tally(1), tally(timesEverywhere), tally(timesAllAccounts)]
  /** The last attempt of each account and source that is under way. */
  const turns = new Map<string, Promise<unknown>>()
  const underWay = createCount()
  /** Attempts that wait for one before them: together with the hash queue no more than that may hold. */
  let behind = 0

  return {
    /**
     * The user behind a name and a password (contract, POST /token and POST /login). An unknown user costs the same
     * time as a wrong password. Only failures count towards the limits; once limited, nothing is hashed any more. Guesses
     * from elsewhere keep nobody out where the account was used before. A success renews a hash of a lower cost than
     * configured.
     * @throws DomainError `bad_login`, `too_many_failures`, `busy`
     */
    async login({ username, password, address }: Login): Promise<User> {
      const account = await accountOf(username)
      const source = sourceOf(address)
      // However the name of an account is written, the attempts at it count together.
      const name = account?.username ?? usernameCaseKey(username).slice(0, maxLengths.username)
      const isKnown = account !== null && (await known.has(account, source))
      const pair: Count = [failures, `${source} ${name}`]
      const limits: Count[] = isKnown ? [pair] : [pair, [everywhere, name], [allAccounts, source]]
      try {
        const attempt = () => verified(account, { password, address }, pair[1], limits)
        const user = await underWayFrom(source, attempt)
        await known.add(user, source)
        await auditLog.loggedIn(user, address)
        if (hashing.isOutdated(user.password)) await renewHash(user, { password, address })
        return user
      } catch (error) {
        if (error instanceof DomainError && error.code !== "busy") await auditLog.loginFailed(account, address)
        throw error
      }
    },
  }

  /** The exact user name goes first; otherwise the one or the e-mail address that differs only in case. A name that
   *  fits two people so is nobody's. */
  async function accountOf(name: string): Promise<User | null> {
    const exact = await store.users.byUsername(usernameKey(name))
    if (exact) return exact
    const [one = null, ...others] = await store.users.byLoginName(name)
    return others.length === 0 ? one : null
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

  async function verified(account: User | null, given: Given, turn: string, limits: Count[]): Promise<User> {
    refuseWhenLimited(limits)
    // One after the other, and asked again each time: guesses sent all at once must not outrun the count.
    return inTurn(turn, async () => {
      const user = await whoseIs(given, account, limits)
      if (user) return user
      for (const [tally, key] of limits) tally.add(key)
      throw new DomainError("bad_login")
    })
  }

  /** The account as it is now when the password is its own; null otherwise. */
  async function whoseIs(given: Given, account: User | null, limits: Count[]): Promise<User | null> {
    const requester = { who: null, address: given.address }
    const before = () => refuseWhenLimited(limits)
    const matches = await hashing.verify(given.password, account?.password ?? null, requester, before)
    const current = matches && account ? await store.users.byUsername(account.username) : null
    if (current === null || current.password === account?.password) return current
    // While it was verified the password was changed, and opens nothing any more, or its hash was renewed.
    return whoseIs(given, current, limits)
  }

  /** Where there is no time or no space for it now, the next log-in does it. */
  async function renewHash(user: User, { password, address }: Given) {
    try {
      const hash = await hashing.hash(password, { who: user.username, address })
      await store.users.renewHash(user.id, user.password, hash)
    } catch (error) {
      if (!(error instanceof DomainError && (error.code === "busy" || error.code === "unwritable"))) throw error
    }
  }

  function refuseWhenLimited(limits: Count[]) {
    const seconds = Math.max(...limits.map(([tally, key]) => tally.fullFor(key)))
    if (seconds > 0) throw new DomainError("too_many_failures", undefined, seconds)
  }

  async function inTurn<T>(key: string, attempt: () => Promise<T>): Promise<T> {
    const before = turns.get(key)
    if (before !== undefined && behind + hashing.waiting() >= maxWaiting)
      throw new DomainError("busy", undefined, retryAfterSeconds)
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
