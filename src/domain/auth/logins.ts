import type { AuditLog } from "../audit/audit-log.ts"
import { createCounter } from "../counter.ts"
import { DomainError, isOutage } from "../errors.ts"
import { maxLengths, usernameCaseKey, usernameKey } from "../people/fields.ts"
import type { User } from "../people/model.ts"
import type { Store } from "../store.ts"
import { type Hashing, hashingRetryAfterSeconds, maxQueued } from "./hashing.ts"
import { mayLogIn, mayUsePassword, type PasswordLogin } from "./login-rights.ts"
import type { RateLimit } from "./model.ts"
import type { CountedEvents, RateLimiter } from "./rate-limiter.ts"
import type { LoginChallenge, Proof, SecondFactors } from "./second-factors.ts"
import { type LoginSources, sourceOf } from "./sources.ts"

export const loginWindowMs = 5 * 60_000
/** The window in which guesses at one-time codes are counted. */
const guessWindowMs = 60 * 60_000
/** Limits for one account from all sources, and for one source over all accounts, as multiples of `maxFailures`. */
export const accountFactor = 10
export const loginSourceFactor = 100
/** How many log-ins one source may have in progress, including those that wait for a hash or for an earlier attempt. */
export const maxInProgress = 64

export interface Login {
  /** A username or an e-mail address. */
  readonly username: string
  readonly password: string
  /** The client's IP address. */
  readonly address: string
}

interface Dependencies {
  readonly store: Pick<Store, "users">
  readonly hashing: Pick<Hashing, "hash" | "verify" | "waiting" | "isOutdated">
  readonly rateLimiter: Pick<RateLimiter, "waitSeconds" | "count">
  /** Failures that one account may have from one source within five minutes. */
  readonly maxFailures: number
  readonly passwordLogin: PasswordLogin
  readonly loginSources: Pick<LoginSources, "has" | "add">
  readonly auditLog: Pick<AuditLog, "loggedIn" | "loginFailed">
  readonly secondFactors: Pick<SecondFactors, "challengeTo" | "challenged" | "prove" | "has" | "isMissing">
}

type Attempt = Pick<Login, "password" | "address">

/** Log-in with a password and, where the account has one, a second factor (docs/interface/authentication.md). */
export function createLogins(dependencies: Dependencies) {
  const { store, hashing, rateLimiter, maxFailures, passwordLogin, loginSources, auditLog, secondFactors } =
    dependencies
  const isAllowed = (user: User): boolean => mayLogIn(user) && mayUsePassword(passwordLogin, user)
  const limitOf = (kind: string, key: string, factor: number): RateLimit => ({
    kind,
    key,
    max: maxFailures * factor,
    windowMs: loginWindowMs,
  })
  /** The latest unfinished attempt, by account and source. */
  const lastAttempts = new Map<string, Promise<unknown>>()
  const inProgress = createCounter()
  /** How many attempts wait for an earlier one. They count against the hash queue's limit. */
  let waiting = 0

  return {
    /**
     * Logs in with name and password. An account with a second factor gets the challenge that `finish` takes; nothing
     * counts as a log-in before that.
     *
     * Only failures count towards the limits, and beyond them nothing is hashed. An attempt is counted as a failure
     * before its hash begins, and a success is taken back, so that simultaneous guesses in several processes cannot
     * exceed the limit. Failures at other sources do not lock a user out at a source where they have logged in before.
     * An unknown user takes the same time as a wrong password, and so does a user who may not log in with a password. A
     * success replaces a hash whose cost is lower than configured.
     * @throws DomainError `bad_login`, `too_many_failures`, `busy`
     */
    async login(login: Login): Promise<{ readonly user: User; readonly challenge: LoginChallenge | null }> {
      const user = await withPassword(login)
      const challenge = await secondFactors.challengeTo(user)
      if (challenge === null) await recordLogin(user, login.address)
      return { user, challenge }
    },

    /**
     * Like `login`, for tokens: only a password can get them.
     * @throws DomainError `second_factor_required`, when the password is right and the account has or needs a second
     * factor
     */
    async loginForTokens(login: Login): Promise<User> {
      const user = await withPassword(login)
      if ((await secondFactors.has(user)) || (await secondFactors.isMissing(user))) {
        await auditLog.loginFailed(user, login.address)
        throw new DomainError("second_factor_required")
      }
      await recordLogin(user, login.address)
      return user
    },

    /**
     * Checks that somebody who is logged in knows the password of the account. A wrong one counts like a failed log-in.
     * @throws DomainError `wrong_password`, `too_many_failures`, `busy`
     */
    async confirmPassword(user: User, attempt: Attempt): Promise<void> {
      try {
        await withPassword({ username: user.username, ...attempt })
      } catch (error) {
        throw error instanceof DomainError && error.code === "bad_login" ? new DomainError("wrong_password") : error
      }
    },

    /**
     * Finishes a log-in with a second factor. Failures count together with those of passwords. Wrong one-time codes
     * also count for the account over all sources and for longer, because a code has only six digits.
     * @throws DomainError `challenge_ended`, `bad_second_factor`, `too_many_failures`
     */
    async finish(challenge: string, proof: Proof, address: string): Promise<User> {
      const user = await secondFactors.challenged(challenge)
      const { pair, limits } = await limitsOf(user, user.username, sourceOf(address))
      const guesses = { kind: "second_factor", key: user.username, max: maxFailures, windowMs: guessWindowMs }
      try {
        await oneAtATime(pair, async () => {
          const counted = await countedIn(proof.kind === "totp" ? [...limits, guesses] : limits)
          if (!(await secondFactors.prove(challenge, proof, { address }))) throw new DomainError("bad_second_factor")
          await counted.takeBack()
        })
      } catch (error) {
        if (error instanceof DomainError && error.code !== "busy") await auditLog.loginFailed(user, address)
        throw error
      }
      await recordLogin(user, address)
      return user
    },
  }

  /** @throws DomainError `bad_login`, `too_many_failures`, `busy` */
  async function withPassword({ username, password, address }: Login): Promise<User> {
    const account = await accountOf(username)
    const source = sourceOf(address)
    // Attempts at one account count together, whichever of its names is used.
    const name = account?.username ?? usernameCaseKey(username).slice(0, maxLengths.username)
    const { pair, limits } = await limitsOf(account, name, source)
    try {
      const user = await limitedBySource(source, () => verified(account, { password, address }, pair, limits))
      if (hashing.isOutdated(user.password)) await renewHash(user, { password, address })
      return user
    } catch (error) {
      if (error instanceof DomainError && error.code !== "busy") await auditLog.loginFailed(account, address)
      throw error
    }
  }

  async function limitsOf(account: User | null, name: string, source: string) {
    const isFamiliar = account !== null && (await loginSources.has(account, source))
    const pair = limitOf("login", `${source} ${name}`, 1)
    const elsewhere = [
      limitOf("login_account", name, accountFactor),
      limitOf("login_source", source, loginSourceFactor),
    ]
    return { pair: pair.key, limits: isFamiliar ? [pair] : [pair, ...elsewhere] }
  }

  async function recordLogin(user: User, address: string) {
    await loginSources.add(user, sourceOf(address))
    await auditLog.loggedIn(user, address)
  }

  /**
   * An exact username comes first, then a username or e-mail address without regard to case. A name that matches two
   * users matches nobody.
   */
  async function accountOf(name: string): Promise<User | null> {
    const exact = await store.users.byUsername(usernameKey(name))
    if (exact) return exact
    const [only = null, ...others] = (await store.users.byLoginName(name)).filter(mayLogIn)
    return others.length === 0 ? only : null
  }

  async function limitedBySource<T>(source: string, attempt: () => Promise<T>): Promise<T> {
    if (inProgress.of(source) >= maxInProgress)
      throw new DomainError("busy", { retryAfterSeconds: hashingRetryAfterSeconds })
    inProgress.add(source)
    try {
      return await attempt()
    } finally {
      inProgress.remove(source)
    }
  }

  async function verified(account: User | null, attempt: Attempt, pair: string, limits: RateLimit[]): Promise<User> {
    // One at a time: the next attempt waits until an earlier success is taken back.
    return oneAtATime(pair, async () => {
      const waitSeconds = await rateLimiter.waitSeconds(limits)
      if (waitSeconds > 0) throw tooManyFailures(waitSeconds)
      const user = await ownerOfPassword(attempt, account, limits)
      if (user) return user
      throw new DomainError("bad_login")
    })
  }

  /** The account as it is now, when the password is right; otherwise null. */
  async function ownerOfPassword(attempt: Attempt, account: User | null, limits: RateLimit[]): Promise<User | null> {
    const requester = { who: null, address: attempt.address }
    let counted: CountedEvents | undefined
    const before = async () => {
      counted = await countedIn(limits)
    }
    const hash = account && isAllowed(account) ? account.password : null
    const matches = await hashing.verify(attempt.password, hash, requester, before)
    const current = matches && account ? await store.users.byUsername(account.username) : null
    if (current === null || !isAllowed(current)) return null
    await counted?.takeBack()
    if (current.password === account?.password) return current
    // The stored hash has changed meanwhile: either the password changed, and this one is wrong now, or only the cost
    // changed.
    return ownerOfPassword(attempt, current, limits)
  }

  async function countedIn(limits: RateLimit[]): Promise<CountedEvents> {
    const counted = await rateLimiter.count(limits)
    if (typeof counted !== "number") return counted
    throw tooManyFailures(counted)
  }

  /** Does nothing while hashing is busy or the store cannot be written: the next log-in tries again. */
  async function renewHash(user: User, { password, address }: Attempt) {
    try {
      const hash = await hashing.hash(password, { who: user.username, address })
      await store.users.renewHash(user.id, user.password, hash)
    } catch (error) {
      if (!isOutage(error) && !(error instanceof DomainError && error.code === "busy")) throw error
    }
  }

  async function oneAtATime<T>(pair: string, attempt: () => Promise<T>): Promise<T> {
    const earlier = lastAttempts.get(pair)
    if (earlier !== undefined && waiting + hashing.waiting() >= maxQueued)
      throw new DomainError("busy", { retryAfterSeconds: hashingRetryAfterSeconds })
    const mine = earlier === undefined ? attempt() : after(earlier, attempt)
    lastAttempts.set(pair, mine)
    try {
      return await mine
    } finally {
      if (lastAttempts.get(pair) === mine) lastAttempts.delete(pair)
    }
  }

  async function after<T>(earlier: Promise<unknown>, attempt: () => Promise<T>): Promise<T> {
    waiting += 1
    await earlier.catch(() => {}) // its own caller handles the error
    waiting -= 1
    return attempt()
  }
}

const tooManyFailures = (retryAfterSeconds: number) => new DomainError("too_many_failures", { retryAfterSeconds })
