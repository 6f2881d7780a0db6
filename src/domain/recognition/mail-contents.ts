import type { Day } from "../calendar.ts"
import type { DigestMail, NewcomerMail, RecapMail, SummaryMail, TeamMail, ThanksMail } from "../jobs/jobs.ts"
import type { ProgrammeOf } from "../ledger/ledger.ts"
import type { TransactionEntry } from "../ledger/model.ts"
import { givableOf } from "../ledger/pockets.ts"
import { asSeenBy } from "../ledger/reason-readers.ts"
import { takesPart, type User } from "../people/model.ts"
import { isSuperuser } from "../people/roles.ts"
import type { Store } from "../store.ts"
import type { Insights, InsightsReader } from "./insights.ts"
import type { MailChoice, TagRecognition } from "./model.ts"
import type { Recap, Recaps } from "./recaps.ts"
import { isRecognition } from "./recognitions.ts"
import type { TeamMember, Teams } from "./team.ts"

/** How many recognitions a digest reads at most. */
const maxThanks = 500
const topTags = 5

/** A recognition as its receiver reads it, or points that somebody added to one. */
export interface Thanks {
  /** Of the transaction, which leads to the recognition. */
  readonly id: number
  readonly from: string
  /** Of the sender. */
  readonly avatar: string | null
  /** Who sent the recognition to which these points were added; null for a recognition. Reason and tags are those of it. */
  readonly addedTo: string | null
  /** Points, less reversals. */
  readonly value: number
  /** Empty when there is none. */
  readonly reason: string
  readonly tags: readonly string[]
}

export interface Digest {
  readonly period: DigestMail["period"]
  /** Newest first. */
  readonly thanks: readonly Thanks[]
  /** How many times the reader thanked others. */
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

/** Those who report to a manager and whom nobody has thanked for long, longest first. */
export type Overlooked = readonly Pick<TeamMember, "username" | "name" | "lastThanked">[]

/** Somebody who has been here for three weeks. */
export interface Newcomer {
  readonly name: string
  readonly joined: Day
  /** How often colleagues thanked this person since then. */
  readonly thanked: number
}

/** The recipient and the content of a mail. */
interface MailContent<T> {
  readonly user: User
  readonly choice: MailChoice
  readonly content: T
}

interface ContentDependencies {
  readonly store: Pick<Store, "ledger" | "mail" | "users">
  readonly insights: InsightsReader
  readonly recaps: Pick<Recaps, "ofPerson">
  readonly teams: Pick<Teams, "overlookedBy" | "timesThankedSince">
  readonly programme: ProgrammeOf
}

export type MailContents = ReturnType<typeof createMailContents>

/**
 * The contents of mail about recognition, read when the mail is sent. Null when there is nothing to send: the reader
 * has been deactivated or no longer wants mail, or everything was reversed.
 */
export function createMailContents({ store, insights, recaps, teams, programme }: ContentDependencies) {
  const { ledger, mail, users } = store

  return {
    async thanks({ transactionId }: ThanksMail): Promise<MailContent<Thanks> | null> {
      const entry = await ledger.entry(transactionId)
      const reader = entry && (await readerWith(entry.receiverId))
      if (!entry || !reader || !isLeft(entry)) return null
      const [content] = await thanksIn(reader.user, [entry])
      return content ? { ...reader, content } : null
    },

    async digest({ userId, period, since, until }: DigestMail): Promise<MailContent<Digest> | null> {
      const reader = await readerWith(userId)
      if (reader === null) return null
      const { user } = reader
      const within = { kind: "transfer", since, until, limit: maxThanks } as const
      const received = (await ledger.entries({ ...within, receiver: user.username })).filter(isLeft)
      const thanks = await thanksIn(user, received)
      const given = (await ledger.entries({ ...within, sender: user.username })).filter(isLeft).length
      const toGive = givableOf(user, await users.pocketsOf(userId), await programme())
      if (!isWorthADigest(period, { thanked: thanks.length > 0, gave: given > 0, toGive })) return null
      return { ...reader, content: { period, thanks, given, toGive } }
    },

    async summary({ userId, from, to }: SummaryMail): Promise<MailContent<Summary> | null> {
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

    async recap({ userId, period }: RecapMail): Promise<MailContent<Recap> | null> {
      const reader = await readerWith(userId)
      if (reader === null) return null
      const content = await recaps.ofPerson(reader.user, { period })
      return content.received.count + content.given.count === 0 ? null : { ...reader, content }
    },

    async team({ userId }: TeamMail): Promise<MailContent<Overlooked> | null> {
      const reader = await readerWith(userId)
      const overlooked = reader === null ? [] : await teams.overlookedBy(reader.user)
      return reader === null || overlooked.length === 0 ? null : { ...reader, content: overlooked }
    },

    /** The reader is the manager at the time of sending. */
    async newcomer({ userId }: NewcomerMail): Promise<MailContent<Newcomer> | null> {
      const [newcomer] = await users.byIds([userId])
      if (!takesPart(newcomer) || newcomer.managerId === null || newcomer.joined === null) return null
      const reader = await readerWith(newcomer.managerId)
      if (reader === null) return null
      const { name, joined } = newcomer
      return { ...reader, content: { name, joined, thanked: await teams.timesThankedSince(newcomer, joined) } }
    },
  }

  async function thanksIn(reader: User, entries: readonly TransactionEntry[]): Promise<Thanks[]> {
    const ids = [...new Set(entries.flatMap(({ addsTo }) => addsTo ?? []))]
    const found = await Promise.all(ids.map((id) => ledger.entry(id)))
    const addedTo = new Map(found.flatMap((entry) => (entry ? [[entry.id, entry]] : [])))
    return entries.map((entry) => thanksOf(reader, entry, addedTo.get(entry.addsTo ?? 0)))
  }

  async function readerWith(id: number): Promise<{ readonly user: User; readonly choice: MailChoice } | null> {
    const [user] = await users.byIds([id])
    if (!takesPart(user)) return null
    const choice = await mail.choiceOf(id)
    return choice.mail === "off" ? null : { user, choice }
  }
}

/**
 * Whether a digest has something to say. Decided when it is enqueued, because most people have no entries on most days,
 * and again when it is sent.
 */
export const isWorthADigest = (
  period: DigestMail["period"],
  { thanked, gave, toGive }: { readonly thanked: boolean; readonly gave: boolean; readonly toGive: number },
): boolean => thanked || (period === "week" && (gave || toGive > 0))

export const isLeft = (entry: TransactionEntry): boolean => isRecognition(entry) && entry.reversed < entry.value

function thanksOf(
  reader: User,
  { id, sender, value, reversed, ...entry }: TransactionEntry,
  addedTo: TransactionEntry | undefined,
): Thanks {
  const { note } = asSeenBy(reader.id, addedTo ?? entry)
  return {
    id,
    from: sender.name,
    avatar: sender.avatar,
    addedTo: addedTo?.sender.name ?? null,
    value: value - reversed,
    reason: note?.reason ?? "",
    tags: note?.tags ?? [],
  }
}
