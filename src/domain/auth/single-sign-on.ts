import { type AuditLog, auditEntry } from "../audit/audit-log.ts"
import type { Origin } from "../audit/ports.ts"
import type { Clock } from "../clock.ts"
import { DomainError } from "../errors.ts"
import { checkField, maxLengths, usernameFrom } from "../people/fields.ts"
import type { Duty, User } from "../people/model.ts"
import { isMembersDept, isSuperuser } from "../people/roles.ts"
import type { Users } from "../people/users.ts"
import type { Store } from "../store.ts"
import { sha256 } from "../text.ts"
import { mayLogIn } from "./login-rights.ts"
import { loginSourceFactor, loginWindowMs } from "./logins.ts"
import type { RateLimiter } from "./rate-limiter.ts"
import type { Sessions } from "./sessions.ts"
import { type LoginSources, sourceOf } from "./sources.ts"

/** What a provider states about the person who logged in. src/integrations/oidc/provider.ts has verified signature and claims. */
export interface ProvidedProfile {
  readonly issuer: string
  readonly subject: string
  readonly email: string | null
  /** Whether the provider has verified that the address belongs to this person. */
  readonly isEmailVerified: boolean
  readonly name: string | null
  readonly preferredUsername: string | null
  /** The value of the claim that the setting `oidc.department_claim` names. */
  readonly department: string | null
  /** The values of the claim that the setting `oidc.duty_claim` names; null when it names none. */
  readonly groups: readonly string[] | null
  /** The provider's id of this log-in; null when it has none. */
  readonly session: string | null
}

/** Whom the provider has logged out: somebody, everywhere or only in one log-in. */
export interface EndedLogin {
  readonly issuer: string
  readonly subject: string | null
  readonly session: string | null
  /** The provider's id of this statement, which it repeats where no answer arrived. */
  readonly tokenId: string
  /** How long ago it was made, at least. */
  readonly ageMs: number
}

/** Why a log-in through the provider failed, as codes for the browser app. */
const loginRefusals = [
  /** The log-in was not begun in this browser, took too long, or was finished before. */
  "expired",
  /** The person or the provider declined. */
  "denied",
  /** The provider cannot be reached, or reports a failure of its own. */
  "unavailable",
  /** The provider's answer cannot be trusted, or it refuses this service. */
  "failed",
  "unverified_email",
  "no_account",
  "inactive",
  /** A superuser's account is not linked by its e-mail address alone. */
  "superuser",
  /** The account here belongs to another account at the provider. */
  "linked_elsewhere",
  /** No account can be created from the provider's statements. */
  "incomplete",
  "too_many",
] as const

export type LoginRefusalCode = (typeof loginRefusals)[number]

export class LoginRefusal extends Error {
  override readonly name = "LoginRefusal"

  constructor(
    readonly code: LoginRefusalCode,
    /** The account on this server that the log-in was for; null when it is unknown. */
    readonly account: User | null = null,
    /** The reason for the operator; it names no person. */
    readonly reason: string = code,
    options?: ErrorOptions,
  ) {
    super(reason, options)
  }
}

interface Dependencies {
  readonly store: Pick<Store, "users" | "identities">
  readonly sessions: Pick<Sessions, "endProvided">
  readonly users: Pick<Users, "correct" | "createWithoutPassword">
  readonly clock: Clock
  readonly rateLimiter: Pick<RateLimiter, "count">
  readonly loginSources: Pick<LoginSources, "add">
  readonly auditLog: Pick<AuditLog, "loggedIn" | "loginFailed">
  /** The setting `limits.login_failures`. */
  readonly maxFailures: number
  /** The setting `oidc.provision`: whether a person without an account gets one. */
  readonly provisions: boolean
  /** The department of a new account when the provider names none. */
  readonly defaultDept: string
  /** The setting `oidc.follow_profile`: whether name and address follow the provider's. */
  readonly followsProfile: boolean
  /** The duty of a group at the provider, if it gives one. */
  readonly dutyOf: (group: string) => Duty | undefined
  /** What of the provider's statements could not be taken over. */
  readonly onNotFollowed: (reason: string) => void
}

interface Attempt {
  /** The client's IP address. */
  readonly address: string
  /** The id of the user who was logged in when the attempt began; null for nobody. */
  readonly linkTo: number | null
}

/** The name of this method of logging in, in the audit log. */
const way = "single sign-on"
/** Usernames with numbers up to this one are tried before one with random digits. */
const maxNumbered = 20
/** Leaves room for the suffix that makes a username unique. */
const maxBaseLength = maxLengths.username - 9
/** How many log-outs at the provider are remembered, so that none is done twice. */
const maxRememberedLogOuts = 10_000

/**
 * Log-in through a provider (docs/operations/single-sign-on.md): finds or creates the account, and decides whether it
 * may be used.
 */
export function createSingleSignOn(dependencies: Dependencies) {
  const { store, sessions, users, clock, rateLimiter, loginSources, auditLog, maxFailures, provisions, defaultDept } =
    dependencies
  const { followsProfile, dutyOf, onNotFollowed } = dependencies
  /** Attempts since the process started, by result. */
  const results = new Map<LoginRefusalCode | "ok", number>()
  const count = (result: LoginRefusalCode | "ok") => results.set(result, (results.get(result) ?? 0) + 1)
  /** Hashes of what was done, the oldest first. */
  const doneLogOuts = new Set<string>()

  return {
    /** How many attempts had each result: `ok` or the code of a refusal. */
    results: (): ReadonlyMap<string, number> => results,

    /** Removes all links between the user and accounts at providers. Returns whether there was one. */
    async unlink(operator: Origin, { id, username }: User): Promise<boolean> {
      const entry = auditEntry(operator, clock(), "identity_unlinked", { whom: username })
      return (await store.identities.unlink(id, entry)) > 0
    },

    /**
     * Logs in the user whom the provider vouches for. `identify` asks the provider; an error that it throws refuses the
     * attempt. Only failures count towards the limit of a source, and beyond the limit the provider is not asked.
     * @throws LoginRefusal, DomainError `unwritable`
     */
    async login(attempt: Attempt, identify: () => Promise<ProvidedProfile>): Promise<User> {
      const counted = await rateLimiter.count([
        {
          kind: "single_sign_on",
          key: sourceOf(attempt.address),
          max: maxFailures * loginSourceFactor,
          windowMs: loginWindowMs,
        },
      ])
      if (typeof counted === "number") throw await refused(new LoginRefusal("too_many"), attempt.address)
      try {
        const user = await ownerOf(await identify(), attempt)
        await counted.takeBack()
        await loginSources.add(user, sourceOf(attempt.address))
        await auditLog.loggedIn(user, attempt.address, way)
        count("ok")
        return user
      } catch (error) {
        throw error instanceof LoginRefusal ? await refused(error, attempt.address) : error
      }
    },

    /**
     * Ends sessions of somebody who has logged out at the provider: those of the log-in that it names, or all of the person
     * where none is known by it. A repetition ends nothing.
     * @throws DomainError `unwritable`
     */
    async logOut({ issuer, subject, session, tokenId, ageMs }: EndedLogin, address: string): Promise<void> {
      const user = subject === null ? null : await linked({ issuer, subject })
      const key = sha256(JSON.stringify([issuer, tokenId]))
      if ((subject !== null && user === null) || doneLogOuts.has(key)) return
      await sessions.endProvided({ user, login: { issuer, session }, ageMs }, { who: null, way: "http", address })
      doneLogOuts.add(key)
      for (const oldest of doneLogOuts) if (doneLogOuts.size > maxRememberedLogOuts) doneLogOuts.delete(oldest)
    },

    refused,
  }

  /** Records a refusal, and returns it. */
  async function refused(refusal: LoginRefusal, address: string): Promise<LoginRefusal> {
    count(refusal.code)
    await auditLog.loginFailed(refusal.account, address, `${way}: ${refusal.code}`)
    return refusal
  }

  async function ownerOf(profile: ProvidedProfile, attempt: Attempt): Promise<User> {
    const user = (await linked(profile)) ?? (await firstLogin(profile, attempt))
    if (!mayLogIn(user)) throw new LoginRefusal("inactive", user)
    return followed(user, profile, attempt)
  }

  async function linked({ issuer, subject }: Pick<ProvidedProfile, "issuer" | "subject">): Promise<User | null> {
    const userId = await store.identities.find(issuer, subject)
    if (userId === null) return null
    const [user = null] = await store.users.byIds([userId])
    return user
  }

  /**
   * Finds the account by the verified address, or creates one. An account of a superuser is linked only in a browser
   * where that superuser is logged in: somebody who can change an address at the provider must not become a superuser
   * in this way.
   */
  async function firstLogin(profile: ProvidedProfile, attempt: Attempt): Promise<User> {
    const { email } = profile
    if (email === null || !profile.isEmailVerified) throw new LoginRefusal("unverified_email")
    const account = await store.users.byEmail(email)
    if (account === null) return provisioned(profile, email, attempt)
    if (!isSameAddress(account.email, email)) throw new LoginRefusal("no_account")
    if (!mayLogIn(account)) throw new LoginRefusal("inactive", account)
    if (isSuperuser(account) && attempt.linkTo !== account.id) throw new LoginRefusal("superuser", account)
    return link(account, profile, attempt)
  }

  async function provisioned(profile: ProvidedProfile, email: string, attempt: Attempt): Promise<User> {
    if (!provisions) throw new LoginRefusal("no_account")
    const origin = { who: null, way: "http" as const, address: attempt.address }
    const base = usernameBase(profile.preferredUsername ?? email)
    const name = fits("name", profile.name) ? profile.name : base
    const dept = isUsableDept(profile.department) ? profile.department : defaultDept
    for (const username of usernamesFrom(base)) {
      if (!fits("username", username)) continue // a reserved username
      try {
        const user = await users.createWithoutPassword(origin, { name, email, dept, username })
        return await link(user, profile, attempt)
      } catch (error) {
        if (!(error instanceof DomainError)) throw error
        if (error.code === "invalid") throw new LoginRefusal("incomplete", null, error.message)
        // An account with this address was created meanwhile, most likely because the same person clicked twice.
        if (error.code === "integrity") throw new LoginRefusal("expired")
        if (error.code !== "username_taken" && error.code !== "username_lookalike") throw error
      }
    }
    throw new LoginRefusal("incomplete", null, "no username is free")
  }

  async function link(user: User, profile: ProvidedProfile, { address }: Attempt): Promise<User> {
    const { issuer, subject } = profile
    const entry = auditEntry({ who: user.username, way: "http", address }, clock(), "identity_linked", {
      whom: user.username,
      detail: issuer,
      after: { issuer },
    })
    if (await store.identities.link({ issuer, subject, userId: user.id, linkedAt: clock() }, entry)) return user
    // Another log-in of the same person may have been faster.
    const owner = await linked(profile)
    if (owner?.id !== user.id) throw new LoginRefusal("linked_elsewhere", user)
    return owner
  }

  /**
   * Takes over what the provider states about somebody. Superusers are neither made nor moved in this way, and get no duties.
   * Nobody gets the account of a superuser, or of somebody with duties, by an address to which a reset link could be sent.
   */
  async function followed(user: User, profile: ProvidedProfile, { address }: Attempt): Promise<User> {
    const actor = { user: null, who: user.username, way: "http" as const, address }
    const { name, email, department, groups } = profile
    const isMember = !isSuperuser(user)
    const correction = {
      ...(followsProfile && fits("name", name) && { name }),
      ...(isMember && isUsableDept(department) && { dept: department }),
      ...(isMember && groups !== null && { duties: groups.flatMap((group) => dutyOf(group) ?? []) }),
    }
    const corrected = await users.correct(actor, user, correction)
    if (!followsProfile || !profile.isEmailVerified || !fits("email", email)) return corrected
    if (isSuperuser(corrected) || corrected.duties.length > 0 || isSameAddress(corrected.email, email)) return corrected
    try {
      return await users.correct(actor, corrected, { email })
    } catch (error) {
      if (!(error instanceof DomainError && error.code === "email_taken")) throw error
      onNotFollowed("another account has the e-mail address that the provider states")
      return corrected
    }
  }
}

/** Ignores a department that breaks the rule of its field. The provider, unlike a directory, cannot be told about it. */
const isUsableDept = (dept: string | null): dept is string => fits("dept", dept) && isMembersDept(dept)

function fits(field: "name" | "username" | "dept" | "email", text: string | null): text is string {
  try {
    if (text !== null) checkField(field, text)
    return text !== null
  } catch (error) {
    if (error instanceof DomainError) return false
    throw error
  }
}

/**
 * Ignores case in ASCII only. Beyond ASCII, different letters can have the same lower case, such as the Kelvin sign and
 * K, and the addresses can be different mailboxes.
 */
function isSameAddress(one: string, other: string): boolean {
  const isAscii = (text: string) => /^[\x21-\x7E]+$/.test(text)
  return one === other || (isAscii(one) && isAscii(other) && one.toLowerCase() === other.toLowerCase())
}

/**
 * Makes a username from a name or an address at the provider, by the rule for names, without the characters that
 * usernames may not have.
 */
function usernameBase(wish: string): string {
  const [local = ""] = wish.slice(0, 4 * maxLengths.username).split("@")
  const plain = usernameFrom(local).replace(/[^\p{L}\p{N}\p{M}._+'-]+/gu, "-")
  const base = [...plain.replace(/^[-.]+|[-.]+$/g, "")].slice(0, maxBaseLength).join("")
  return base === "" ? "user" : base
}

/** Usernames to try: the base itself, then the base with a number, finally the base with random digits. */
function* usernamesFrom(base: string): Generator<string> {
  yield base
  for (let number = 2; number <= maxNumbered; number += 1) yield `${base}-${number}`
  yield `${base}-${crypto.getRandomValues(new Uint8Array(4)).toHex()}`
}
