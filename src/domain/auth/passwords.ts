import { auditEntry } from "../audit/audit-log.ts"
import type { Origin } from "../audit/ports.ts"
import type { Clock } from "../clock.ts"
import { DomainError, invalid } from "../errors.ts"
import { type MailJobs, type MailRequest, resetMailKind } from "../jobs/jobs.ts"
import { emailKey, maxLengths } from "../people/fields.ts"
import type { User } from "../people/model.ts"
import { adminUsername } from "../people/users.ts"
import type { Store } from "../store.ts"
import { isLongerThan, isShorterThan } from "../text.ts"
import type { PasswordGrant } from "./access.ts"
import type { Hashing } from "./hashing.ts"
import type { RateLimiter } from "./rate-limiter.ts"
import { sourceOf } from "./sources.ts"

const mailWindowMs = 15 * 60_000
/** How many reset mails one source may request, as a multiple of the limit for one e-mail address. */
export const mailSourceFactor = 10

interface Dependencies {
  readonly store: Pick<Store, "users" | "jobs">
  readonly hashing: Pick<Hashing, "hash">
  readonly rateLimiter: Pick<RateLimiter, "count">
  readonly clock: Clock
  /** The minimum length of a new password, in characters. */
  readonly minLength: number
  /** Whether a password is among the most common ones; null when those are allowed. */
  readonly isCommon: ((password: string) => Promise<boolean>) | null
  readonly mailJobs: MailJobs
  /** Lifetime of the link in a reset mail. After that time the mail is not sent any more. */
  readonly resetLifetimeMs: number
  /** How many reset mails go to one e-mail address within 15 minutes. */
  readonly maxMails: number
  /** Called when a reset mail is not queued because too many were requested; `address` is the IP address. */
  readonly onHeldBack: (address: string) => void
}

export type Passwords = ReturnType<typeof createPasswords>

/** Changing passwords, and the mails that lead to a new one (docs/interface/users.md). */
export function createPasswords(dependencies: Dependencies) {
  const { store, hashing, rateLimiter, clock, minLength, isCommon, mailJobs, resetLifetimeMs, maxMails, onHeldBack } =
    dependencies

  return {
    check,

    /**
     * Stores a new password. Refresh tokens and other sessions always end; access tokens and all sessions end too when
     * a superuser, an operator or a reset token changes it.
     * @throws DomainError `invalid`, `passwords_differ`, `busy`; `not_own_password` when the credential that allowed
     * the change has ended while the password was hashed
     */
    async change(
      grant: PasswordGrant,
      { password, confirmation }: { password: string; confirmation: string },
      from: Pick<Origin, "way" | "address">,
    ): Promise<User> {
      await check(password)
      if (password !== confirmation) throw new DomainError("passwords_differ")
      const { target, by, bySelf, keepSession, spends } = grant
      const hash = await hashing.hash(password, { who: by, address: from.address })
      const accessVersion = bySelf && keepSession === null ? target.accessVersion : undefined
      const change = { userId: target.id, password: hash, endsEverything: !bySelf, keepSession, accessVersion, spends }
      const detail = spends ? "by reset token" : null
      const about = { whom: target.username, detail }
      return store.users.changePassword(change, auditEntry({ who: by, ...from }, clock(), "password_changed", about))
    },

    /**
     * Queues a reset mail. An unknown address takes the same work, so that neither the answer nor its time reveals who
     * has an account. Beyond the limits nothing is sent, because a stranger must not be able to fill someone's mailbox.
     * Only the operator learns of it.
     */
    async requestReset(email: string, address: string): Promise<void> {
      if (isLongerThan(email, maxLengths.email)) return // nobody has such an address
      const counted = await rateLimiter.count([
        { kind: "reset_mail", key: emailKey(email), max: maxMails, windowMs: mailWindowMs },
        { kind: "reset_mail_source", key: sourceOf(address), max: maxMails * mailSourceFactor, windowMs: mailWindowMs },
      ])
      if (typeof counted === "number") return onHeldBack(address)
      await store.jobs.enqueue(mailJobs.of(resetMailKind, { email } satisfies MailRequest, resetLifetimeMs))
      mailJobs.wake()
    },
  }

  /** @throws DomainError `invalid` */
  async function check(password: string) {
    if (isShorterThan(password, minLength))
      throw invalid("password", `at least ${minLength} ${minLength === 1 ? "character" : "characters"}`)
    if (Buffer.byteLength(password) > maxLengths.passwordBytes || !password.isWellFormed())
      throw invalid("password", `at most ${maxLengths.passwordBytes} bytes of well-formed text`)
    if (await isCommon?.(password)) throw invalid("password", "none of the most common passwords")
  }
}

/** `default`: the one of every new installation, which anybody can look up. `configured`: the one in the settings. */
export type InitialPassword = "default" | "configured"

interface InitialPasswordDependencies {
  readonly hashing: Pick<Hashing, "verify">
  /** The passwords that a new database may have given to `admin`. */
  readonly initial: Readonly<Record<InitialPassword, string>>
}

/**
 * Returns a function that says which initial password a user still has; null for everybody but `admin`, and once it was
 * changed. The result is cached for each stored hash.
 */
export function createInitialPassword({ hashing, initial }: InitialPasswordDependencies) {
  let known: { readonly hash: string; readonly found: Promise<InitialPassword | null> } | undefined

  return async ({ username, password: hash }: User): Promise<InitialPassword | null> => {
    if (username !== adminUsername) return null
    if (known?.hash !== hash) known = { hash, found: initialOf(hash) }
    try {
      return await known.found
    } catch (error) {
      known = undefined // hashing was busy: the next call tries again
      throw error
    }
  }

  async function initialOf(hash: string): Promise<InitialPassword | null> {
    const matches = (password: string) => hashing.verify(password, hash, { who: null, address: null })
    if (await matches(initial.default)) return "default"
    return initial.configured !== initial.default && (await matches(initial.configured)) ? "configured" : null
  }
}
