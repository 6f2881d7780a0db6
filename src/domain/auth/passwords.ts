import { auditEntry } from "../audit-log.ts"
import { DomainError, invalid } from "../errors.ts"
import type { Clock, NewJob, Origin, User } from "../model.ts"
import { emailKey, maxLengths } from "../people/fields.ts"
import type { Store } from "../store.ts"
import { isLongerThan } from "../text.ts"
import type { PasswordGrant } from "./access.ts"
import type { Hashing } from "./hashing.ts"
import { createTally } from "./rate-limiter.ts"
import { sourceOf } from "./sources.ts"

/** The kind of job that sends a reset mail; its payload is a `ResetRequest`. */
export const resetMailKind = "reset_mail"

/** The kind of job that mails the way to a first password; its payload is a `ResetRequest`. */
export const invitationKind = "invitation"

/** Of the link in an invitation, which nobody waits for; a first password ends it. */
export const invitationLifetimeMinutes = 7 * 24 * 60

/** Holds the address, never a token: the worker looks the user up and signs the token when it sends. */
export interface ResetRequest {
  readonly email: string
}

/** How long an invitation is tried while the mail server does not take it. */
const invitationTriedMs = 3 * 24 * 3_600_000

const mailWindowMs = 15 * 60_000
/** Mails that one source may ask for, by those for one address. */
const timesOneSource = 10

interface Dependencies {
  readonly store: Pick<Store, "users" | "jobs">
  readonly hashing: Pick<Hashing, "hash">
  readonly clock: Clock
  /** Of a new password, in bytes. */
  readonly minLength: number
  /** Whether everybody guesses this new password first; null where such passwords may be chosen. */
  readonly isCommon: ((password: string) => Promise<boolean>) | null
  /** Between the request and the mail (contract, Limits: debug e-mail delay). */
  readonly mailDelayMs: number
  readonly maxAttempts: number
  /** Of the link in a reset mail, which is of no use to anybody later. */
  readonly resetLifetimeMs: number
  /** For one address of e-mail within a quarter of an hour. */
  readonly maxMails: number
  /** Tells the worker of this process that a job waits. */
  readonly onEnqueue: () => void
  /** A mail was not queued, because it was asked for too often, last from this IP address. */
  readonly onHeldBack: (address: string) => void
}

export type Passwords = ReturnType<typeof createPasswords>

export function createPasswords(dependencies: Dependencies) {
  const {
    store,
    hashing,
    clock,
    minLength,
    isCommon,
    mailDelayMs,
    maxAttempts,
    resetLifetimeMs,
    maxMails,
    onEnqueue,
    onHeldBack,
  } = dependencies
  const ofAccount = createTally({ clock, windowMs: mailWindowMs, max: maxMails })
  const ofSource = createTally({ clock, windowMs: mailWindowMs, max: maxMails * timesOneSource })
  return {
    check,

    /**
     * Stores a new password and ends what it must end (contract, POST /user/{username}/password/): refresh tokens and
     * other sessions always, access tokens and all sessions when somebody else, or a reset token, changed it.
     * @throws DomainError `invalid`, `passwords_differ`, `busy`, `not_own_password` (the reset token was spent meanwhile)
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
      const change = { userId: target.id, password: hash, endsEverything: !bySelf, keepSession, spends }
      const detail = spends ? "by reset token" : null
      const about = { whom: target.username, detail }
      return store.users.changePassword(change, auditEntry({ who: by, ...from }, clock(), "password_changed", about))
    },

    /** Queues a mail for whoever has this address (contract, POST /user/pwd_reset_token/). Known or not, it does the
     *  same work, so that neither the answer nor its time tells. What is asked for too often is held back, and nobody is told
     *  but the operator: a stranger must not fill somebody's mailbox. */
    async requestReset(email: string, address: string): Promise<void> {
      if (isLongerThan(email, maxLengths.email)) return // nobody has one
      const [account, source] = [emailKey(email), sourceOf(address)]
      if (ofAccount.fullFor(account) > 0 || ofSource.fullFor(source) > 0) return onHeldBack(address)
      ofAccount.add(account)
      ofSource.add(source)
      await store.jobs.enqueue(mailTo(resetMailKind, email, resetLifetimeMs))
      onEnqueue()
    },

    /** The job that invites whoever has this address; whoever queues it calls `onEnqueue`. */
    invitationTo: (email: string): NewJob => mailTo(invitationKind, email, invitationTriedMs),
    onEnqueue,
  }

  function mailTo(kind: string, email: string, triedMs: number): NewJob {
    const now = clock()
    const payload: ResetRequest = { email }
    const runAt = now + mailDelayMs
    return { kind, payload, maxAttempts, retryUntil: runAt + triedMs, runAt, createdAt: now }
  }

  /** @throws DomainError `invalid` */
  async function check(password: string) {
    const bytes = Buffer.byteLength(password)
    if (bytes < minLength || bytes > maxLengths.passwordBytes || !password.isWellFormed())
      throw invalid("password", `${minLength} to ${maxLengths.passwordBytes} bytes`)
    if (await isCommon?.(password)) throw invalid("password", "none of the most common passwords")
  }
}
