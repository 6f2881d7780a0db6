import { dayMs } from "../calendar.ts"
import type { Clock } from "../clock.ts"
import { clockSkewMs } from "../clock.ts"
import type { Lane, NewJob } from "./ports.ts"

/** The kinds of background jobs. The payload of the first two is a `MailRequest`; the others have one of their own. */
export const resetMailKind = "reset_mail"
export const invitationKind = "invitation"
export const redemptionMailKind = "redemption_mail"
export const factorNoticeKind = "factor_notice"
/** To a superuser who wants to know whether mail arrives. Its payload is a `TestMail`. */
export const testMailKind = "test_mail"

/** Holds the address, never a token: the worker looks the user up and signs the token when it sends the mail. */
export interface MailRequest {
  readonly email: string
  /** The id of the user who invites; absent: nobody in particular. */
  readonly by?: number
}

/** Tells those who answer requests about one, or the member about its answer. Holds ids: the worker looks up the rest. */
export interface RedemptionMail {
  readonly redemption: number
  /** A user's id. */
  readonly to: number
  readonly about: "request" | "answer"
}

export interface TestMail {
  readonly userId: number
}

export const factorChanges = ["passkey_added", "totp_added", "passkey_removed", "totp_removed", "reset"] as const

/** Tells a person that a second factor of theirs was added or removed, because somebody else may have done it. */
export interface FactorNotice {
  readonly userId: number
  readonly change: (typeof factorChanges)[number]
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** How long mail waits for a mail server that does not accept it: somebody has to notice, and to correct the settings. */
const mailRetryMs = 7 * dayMs

/** The longest wait before an attempt: the largest value of `email.debug_delay_seconds`. */
const longestWaitMs = 3_600_000

/** A job that is due, or leased, for later than this was stored by a wrong clock. It is due at once. */
export const latestDueAt = (now: number, leaseMs: number): number =>
  now + Math.max(longestWaitMs, leaseMs) + clockSkewMs

interface MailJobOptions {
  readonly clock: Clock
  /** The setting `jobs.max_attempts`. Temporary failures of the mail server do not count as attempts. */
  readonly maxAttempts: number
  /** Delay before a mail is sent: in debug mode the setting `email.debug_delay_seconds`, otherwise 0. */
  readonly delayMs: number
  /** Wakes the worker of this process. */
  readonly wake: () => void
}

export type MailJobs = ReturnType<typeof createMailJobs>

/** The jobs that send mail. */
export const createMailJobs = ({ clock, maxAttempts, delayMs, wake }: MailJobOptions) => ({
  /**
   * A job to store in the commit of its cause. Call `wake` after that commit. While the mail server does not accept the
   * mail, it is retried for `retryMs`.
   */
  of(kind: string, payload: NewJob["payload"], retryMs = mailRetryMs): NewJob {
    const now = clock()
    const runAt = now + delayMs
    return { kind, payload, maxAttempts, retryUntil: runAt + retryMs, runAt, createdAt: now }
  },
  wake,
})

/**
 * Mail about recognition. Payloads hold ids of people and transactions; everything else is read when the mail is sent.
 */
export const thanksMailKind = "thanks_mail"
export const digestMailKind = "digest_mail"
export const summaryMailKind = "summary_mail"
export const recapMailKind = "recap_mail"
export const teamMailKind = "team_mail"
export const newcomerMailKind = "newcomer_mail"

/** A message to a browser: that its owner received points. Everything else is read when it is sent. */
export const pushKind = "push"

export interface PushMessage {
  readonly transactionId: number
  readonly deviceId: number
  readonly userId: number
}

/** Sends points that somebody requested in a chat, and answers there. */
export const slackGiveKind = "slack_give"
export const mattermostGiveKind = "mattermost_give"

/**
 * The lanes of kinds. `accounts` is for mail that somebody waits for now, which invitations are not: an import enqueues thousands of
 * them at once. `mail` has everything else, also kinds that only a later version knows.
 */
const lanesByKind: ReadonlyMap<string, Lane> = new Map([
  [resetMailKind, "accounts"],
  [invitationKind, "invitations"],
  [factorNoticeKind, "accounts"],
  [testMailKind, "accounts"],
  [pushKind, "push"],
  [slackGiveKind, "chats"],
  [mattermostGiveKind, "chats"],
])

/** The lanes that send mail. */
export const mailLanes: readonly Lane[] = ["accounts", "invitations", "mail"]

export const laneOf = (kind: string): Lane => lanesByKind.get(kind) ?? "mail"

/** Tells somebody that they were thanked. */
export interface ThanksMail {
  readonly transactionId: number
}

/** Tells somebody what they received in a day or a week. Times in milliseconds, `until` exclusive. */
export interface DigestMail {
  readonly userId: number
  readonly period: "day" | "week"
  readonly since: number
  readonly until: number
}

/** Sums up a month for a superuser. Days as YYYY-MM-DD. */
export interface SummaryMail {
  readonly userId: number
  readonly from: string
  readonly to: string
}

/** Looks back at a quarter, such as `2026-Q4`, for somebody who took part in it. */
export interface RecapMail {
  readonly userId: number
  readonly period: string
}

/** Tells a manager whom of the team nobody has thanked for long. */
export interface TeamMail {
  readonly userId: number
}

/** Tells the manager of this person that the person has been here for three weeks. */
export interface NewcomerMail {
  readonly userId: number
}

/** How long discarded jobs stay visible, so that an operator who looks once a month sees them. */
export const discardedKeptDays = 30

/** An error message without e-mail addresses, which mail servers like to repeat. At most 500 characters. */
export const withoutAddresses = (text: string): string =>
  text.slice(0, 500).replaceAll(/[^\s<>()"':;,]+@[^\s<>()"':;,]+/g, "…@…")
