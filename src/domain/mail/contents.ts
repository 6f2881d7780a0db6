import { isSuperuser } from "../auth/roles.ts"
import type { DigestMail, SummaryMail, ThanksMail } from "../jobs.ts"
import { isActive, type MailChoice, type TagRecognition, type TransactionEntry, type User } from "../model.ts"
import type { Insights, InsightsReader } from "../recognition/insights.ts"
import { asSeenBy, isRecognition } from "../recognition/recognitions.ts"
import type { Store } from "../store.ts"

/** Recognitions that a digest reads at most. */
const maxThanks = 500
const topTags = 5

/** A recognition as its receiver reads it. */
export interface Thanks {
  readonly from: string
  /** Points, less what was taken back. */
  readonly value: number
  /** Empty when there is none. */
  readonly reason: string
  readonly tags: readonly string[]
}

export interface Digest {
  readonly period: DigestMail["period"]
  /** Newest first. */
  readonly thanks: readonly Thanks[]
  /** How often the reader thanked others. */
  readonly given: number
  readonly toGive: number
}

export interface Summary {
  /** The first day of the month. */
  readonly from: string
  readonly month: Insights["participation"][number]
  readonly tags: readonly TagRecognition[]
  /** How many people were not thanked in the month. */
  readonly overlooked: number
}

/** Somebody who gets a mail, and what it says. */
interface Letter<T> {
  readonly user: User
  readonly choice: MailChoice
  readonly content: T
}

interface Dependencies {
  readonly store: Pick<Store, "ledger" | "mail" | "users">
  readonly insights: InsightsReader
}

export type MailContents = ReturnType<typeof createMailContents>

/**
 * The contents of mail about recognition, read when the mail is sent. Null when there is nothing to send: the reader has
 * been deactivated or wants no mail any more, or everything was taken back.
 */
export function createMailContents({ store: { ledger, mail, users }, insights }: Dependencies) {
  return {
    async thanks({ transactionId }: ThanksMail): Promise<Letter<Thanks> | null> {
      const entry = await ledger.entry(transactionId)
      const reader = entry && (await readerWith(entry.receiverId))
      return entry && reader && isLeft(entry) ? { ...reader, content: thanksOf(reader.user, entry) } : null
    },

    async digest({ userId, period, since, until }: DigestMail): Promise<Letter<Digest> | null> {
      const reader = await readerWith(userId)
      if (reader === null) return null
      const { user } = reader
      const within = { kind: "transfer", since, until, limit: maxThanks } as const
      const received = (await ledger.entries({ ...within, receiver: user.username })).filter(isLeft)
      const thanks = received.map((entry) => thanksOf(user, entry))
      if (period === "day" && thanks.length === 0) return null
      const given = (await ledger.entries({ ...within, sender: user.username })).filter(isLeft).length
      const toGive = await users.balanceOf(userId)
      if (thanks.length === 0 && given === 0 && toGive <= 0) return null
      return { ...reader, content: { period, thanks, given, toGive } }
    },

    async summary({ userId, from, to }: SummaryMail): Promise<Letter<Summary> | null> {
      const reader = await readerWith(userId)
      if (reader === null || !isSuperuser(reader.user)) return null
      const days = { from, to }
      const { items } = await insights.show(reader, "participation", days)
      const tags = await insights.show(reader, "tags", days)
      const overlooked = await insights.show(reader, "overlooked", days)
      const [month] = items
      if (!month) return null
      return {
        ...reader,
        content: { from, month, tags: tags.items.slice(0, topTags), overlooked: overlooked.items.length },
      }
    },
  }

  async function readerWith(id: number): Promise<{ readonly user: User; readonly choice: MailChoice } | null> {
    const [user] = await users.byIds([id])
    if (!user || !isActive(user)) return null
    const choice = await mail.choiceOf(id)
    return choice.mail === "off" ? null : { user, choice }
  }
}

const isLeft = (entry: TransactionEntry): boolean => isRecognition(entry) && entry.reversed < entry.value

function thanksOf(reader: User, entry: TransactionEntry): Thanks {
  const { sender, value, reversed, note } = asSeenBy(reader.id, entry)
  return { from: sender.name, value: value - reversed, reason: note?.reason ?? "", tags: note?.tags ?? [] }
}
