import { isSuperuser } from "../auth/roles.ts"
import { type Calendar, type Day, dayFrom } from "../calendar.ts"
import { type Clock, createFutureCheck } from "../clock.ts"
import {
  type DigestMail,
  digestMailKind,
  type MailJobs,
  type NewcomerMail,
  newcomerMailKind,
  type RecapMail,
  recapMailKind,
  type SummaryMail,
  summaryMailKind,
  type TeamMail,
  type ThanksMail,
  teamMailKind,
  thanksMailKind,
} from "../jobs/jobs.ts"
import type { ProgrammeOf } from "../ledger/ledger.ts"
import type { TransactionEntry } from "../ledger/model.ts"
import { givableOf } from "../ledger/pockets.ts"
import { takesPart, type User } from "../people/model.ts"
import type { Store } from "../store.ts"
import type { Insights, InsightsReader } from "./insights.ts"
import type { MailChoice, MailFrequency, MailReader, TagRecognition } from "./model.ts"
import { recapPeriodOn } from "./recap-period.ts"
import type { Recap, Recaps } from "./recaps.ts"
import { asSeenBy, isRecognition } from "./recognitions.ts"
import type { TeamMember, Teams } from "./team.ts"

/** The time of day at which digests and summaries fall due, in the time zone of the service. */
const dueTime = "08:00"
/** How many transactions one commit handles at most. */
const transactionsAtOnce = 2000
/** How many people's mails are enqueued in one commit. */
const readersAtOnce = 500
/** How many days after somebody's first day their manager gets a mail. */
const newcomerDays = 21
/** For how many days these mails are made up for when no server ran. */
const maxMadeUpDays = 14
/** How many entries of the ledger are read in one tick. */
const entriesAtOnce = 500

interface Dependencies {
  readonly store: Pick<Store, "insights" | "jobs" | "ledger" | "mail">
  readonly clock: Clock
  readonly calendar: Calendar
  readonly mailJobs: MailJobs
}

/** A mail that falls due once in a period. */
interface PeriodicMail {
  /** The name of this work in `job_progress`. */
  readonly work: string
  /** It goes to people who chose one of these. */
  readonly frequencies: readonly MailFrequency[]
  /** The first day of the last period that has ended by `today`. */
  readonly latest: (today: Temporal.PlainDate) => Temporal.PlainDate
  readonly length: Temporal.DurationLike
  /** Reads what a mail needs to know of the period before it is enqueued. `end` is exclusive. */
  readonly jobs: (first: Temporal.PlainDate, end: Temporal.PlainDate) => Promise<JobFor>
}

/** The job that sends the mail to this person; null when there is nothing to send. */
type JobFor = (reader: MailReader) => DueMail | null

type DueMail =
  | { readonly kind: typeof thanksMailKind; readonly payload: ThanksMail }
  | { readonly kind: typeof digestMailKind; readonly payload: DigestMail }
  | { readonly kind: typeof summaryMailKind; readonly payload: SummaryMail }
  | { readonly kind: typeof recapMailKind; readonly payload: RecapMail }
  | { readonly kind: typeof teamMailKind; readonly payload: TeamMail }
  | { readonly kind: typeof newcomerMailKind; readonly payload: NewcomerMail }

/**
 * Enqueues mail about recognition (docs/interface.md, "Mail about recognition"). The commit that adds the jobs also
 * stores the progress, so neither a crash nor another process loses a mail or enqueues it twice. (A crash while a mail
 * is sent may send it twice: src/jobs/attempt.ts.) Nothing is sent for the time before the first call.
 */
export function createMailDispatch({ store, clock, calendar, mailJobs }: Dependencies) {
  const { insights, jobs: queue, ledger, mail } = store
  const isLastinglyFromFuture = createFutureCheck(clock)

  const digest =
    (period: DigestMail["period"]): PeriodicMail["jobs"] =>
    async (first, end) => {
      const span = { since: startOf(first), until: startOf(end) }
      const took = await participantsIn(span)
      return ({ id: userId, balance }) => {
        const parts = { thanked: took.receivers.has(userId), gave: took.senders.has(userId), toGive: balance }
        return isWorthADigest(period, parts) ? { kind: digestMailKind, payload: { userId, period, ...span } } : null
      }
    }

  const periodic: readonly PeriodicMail[] = [
    {
      work: "day",
      frequencies: ["daily"],
      latest: (today) => today.subtract({ days: 1 }),
      length: { days: 1 },
      jobs: digest("day"),
    },
    {
      work: "week",
      frequencies: ["each", "daily"],
      latest: (today) => today.subtract({ days: today.dayOfWeek - 1 + 7 }),
      length: { weeks: 1 },
      jobs: digest("week"),
    },
    {
      work: "month",
      frequencies: ["each", "daily"],
      latest: (today) => today.with({ day: 1 }).subtract({ months: 1 }),
      length: { months: 1 },
      jobs: async (first, end) => {
        const days = { from: first.toString(), to: end.subtract({ days: 1 }).toString() }
        return (reader) =>
          isSuperuser(reader) ? { kind: summaryMailKind, payload: { userId: reader.id, ...days } } : null
      },
    },
    {
      work: "quarter",
      frequencies: ["each", "daily"],
      latest: (today) => today.with({ day: 1 }).subtract({ months: ((today.month - 1) % 3) + 3 }),
      length: { months: 3 },
      jobs: async (first) => {
        const { name: period, days } = recapPeriodOn("quarter", dayFrom("first", first.toString()))
        const { people } = await insights.recap(null, days)
        const took = new Set(people.map(({ userId }) => userId))
        return ({ id: userId }) => (took.has(userId) ? { kind: recapMailKind, payload: { userId, period } } : null)
      },
    },
    {
      work: "team_month",
      frequencies: ["each", "daily"],
      latest: (today) => today.with({ day: 1 }).subtract({ months: 1 }),
      length: { months: 1 },
      jobs: async () => (reader) =>
        reader.reports > 0 ? { kind: teamMailKind, payload: { userId: reader.id } } : null,
    },
  ]

  return {
    /** Enqueues every mail that is due and was not enqueued yet. */
    async enqueueDue(): Promise<void> {
      await enqueueThanks()
      for (const one of periodic) await enqueuePeriod(one)
      await enqueueNewcomers()
    },
  }

  async function enqueueThanks() {
    const last = await ledger.lastId()
    const reached = await queue.progressOf("each")
    if (reached === null) {
      await queue.advance({ work: "each", from: null, to: `${last}` }, [])
      return
    }
    for (let after = Number(reached); after < last; ) {
      const through = Math.min(last, after + transactionsAtOnce)
      const jobs = (await mail.recognitionsToMail(after, through)).map(
        (transactionId): DueMail => ({ kind: thanksMailKind, payload: { transactionId } }),
      )
      // When another process has advanced the progress, it enqueues the rest.
      if (!(await advance("each", `${after}`, `${through}`, jobs))) return
      after = through
    }
  }

  async function enqueuePeriod(one: PeriodicMail) {
    const latest = one.latest(latestDay()).toString()
    const reached = await queue.progressOf(one.work)
    if (reached === null) {
      await queue.advance({ work: one.work, from: null, to: formatProgress({ first: latest, afterId: "done" }) }, [])
      return
    }
    const progress = parseProgress(reached)
    if (isLastinglyFromFuture(one.work, dueAt(one, progress.first))) {
      // Enqueued by a wrong clock. What it did of the periods before is unknown, and nobody should get a mail twice.
      await advance(one.work, reached, formatProgress({ first: latest, afterId: "done" }), [])
      return
    }
    if (progress.afterId !== "done") return enqueueRest(one, reached) // an unfinished period is finished first
    if (progress.first >= latest) return
    const begun = formatProgress({ first: latest, afterId: 0 })
    if (await advance(one.work, reached, begun, [])) await enqueueRest(one, begun)
  }

  /** The last day whose time for mail has come. */
  function latestDay(): Temporal.PlainDate {
    const now = clock()
    const today = calendar.dateAt(now)
    return now < calendar.momentOf(today, dueTime) ? today.subtract({ days: 1 }) : today
  }

  /**
   * Mails about those who have been here for three weeks, day by day: each day is handled once, by one process, and the progress
   * says up to whom. Unlike a digest, nothing repeats what a mail of another day says, so some missed days are made up for.
   */
  async function enqueueNewcomers() {
    const work = "team_newcomers"
    const latest = latestDay()
    const done = formatProgress({ first: latest.toString(), afterId: "done" })
    const reached = await queue.progressOf(work)
    if (reached === null) {
      await queue.advance({ work, from: null, to: done }, [])
      return
    }
    if (
      isLastinglyFromFuture(work, calendar.momentOf(Temporal.PlainDate.from(parseProgress(reached).first), dueTime))
    ) {
      await advance(work, reached, done, []) // a wrong clock, as above
      return
    }
    const earliest = latest.subtract({ days: maxMadeUpDays - 1 })
    for (let from = reached; ; ) {
      const { first, afterId } = parseProgress(from)
      const next = Temporal.PlainDate.from(first).add({ days: afterId === "done" ? 1 : 0 })
      const isTooOld = Temporal.PlainDate.compare(next, earliest) < 0
      const day = isTooOld ? earliest : next
      if (Temporal.PlainDate.compare(day, latest) > 0) return
      const joined = day.subtract({ days: newcomerDays }).toString()
      const some = await mail.newcomers(joined, afterId === "done" || isTooOld ? 0 : afterId, readersAtOnce)
      const last = some.length < readersAtOnce ? undefined : some.at(-1)
      const to = formatProgress({ first: day.toString(), afterId: last ?? "done" })
      const due = some.map((userId): DueMail => ({ kind: newcomerMailKind, payload: { userId } }))
      if (!(await advance(work, from, to, due))) return
      from = to
    }
  }

  /** When the mails of the period that begins on this day fall due. */
  function dueAt({ length }: PeriodicMail, first: Day): number {
    return calendar.momentOf(Temporal.PlainDate.from(first).add(length), dueTime)
  }

  async function enqueueRest({ work, frequencies, length, jobs }: PeriodicMail, reached: string) {
    const start = Temporal.PlainDate.from(parseProgress(reached).first)
    const jobFor = await jobs(start, start.add(length))
    for (let from = reached; ; ) {
      const { first, afterId } = parseProgress(from)
      if (afterId === "done") return
      const some = await mail.readers(frequencies, afterId, readersAtOnce)
      const last = some.length < readersAtOnce ? undefined : some.at(-1)
      const to = formatProgress({ first, afterId: last?.id ?? "done" })
      const due = some.flatMap((reader) => jobFor(reader) ?? [])
      if (!(await advance(work, from, to, due))) return
      from = to
    }
  }

  /** Who received and who sent what a digest of this time shows. */
  async function participantsIn(span: { readonly since: number; readonly until: number }) {
    const participants = { receivers: new Set<number>(), senders: new Set<number>() }
    for (let before: number | undefined; ; ) {
      const some = await ledger.entries({ kind: "transfer", ...span, before, limit: entriesAtOnce })
      for (const { receiverId, senderId } of some.filter(isLeft)) {
        participants.receivers.add(receiverId)
        participants.senders.add(senderId)
      }
      if (some.length < entriesAtOnce) return participants
      before = some.at(-1)?.id
    }
  }

  async function advance(work: string, from: string, to: string, jobs: readonly DueMail[]): Promise<boolean> {
    const moved = await queue.advance(
      { work, from, to },
      jobs.map(({ kind, payload }) => mailJobs.of(kind, payload)),
    )
    if (moved && jobs.length > 0) mailJobs.wake()
    return moved
  }

  function startOf(date: Temporal.PlainDate): number {
    return calendar.momentOf(date, "00:00")
  }
}

/**
 * Whether a digest has something to say. Decided when it is enqueued, because most people have no entries on most days,
 * and again when it is sent.
 */
const isWorthADigest = (
  period: DigestMail["period"],
  { thanked, gave, toGive }: { readonly thanked: boolean; readonly gave: boolean; readonly toGive: number },
): boolean => thanked || (period === "week" && (gave || toGive > 0))

/** The progress of the mails of a period: the mails of all people up to the id `afterId` are enqueued. */
interface PeriodProgress {
  readonly first: Day
  readonly afterId: number | "done"
}

const formatProgress = ({ first, afterId }: PeriodProgress): string => `${first} ${afterId}`

function parseProgress(reached: string): PeriodProgress {
  const [first = "", afterId = ""] = reached.split(" ")
  return { first, afterId: afterId === "done" ? afterId : Number(afterId) }
}

/** How many recognitions a digest reads at most. */
const maxThanks = 500
const topTags = 5

/** A recognition as its receiver reads it, or points that somebody added to one. */
export interface Thanks {
  /** Of the transaction, which leads to the recognition. */
  readonly id: number
  readonly from: string
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

    /** For whoever is the manager when the mail is sent. */
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

const isLeft = (entry: TransactionEntry): boolean => isRecognition(entry) && entry.reversed < entry.value

function thanksOf(
  reader: User,
  { id, sender, value, reversed, ...entry }: TransactionEntry,
  addedTo: TransactionEntry | undefined,
): Thanks {
  const { note } = asSeenBy(reader.id, addedTo ?? entry)
  return {
    id,
    from: sender.name,
    addedTo: addedTo?.sender.name ?? null,
    value: value - reversed,
    reason: note?.reason ?? "",
    tags: note?.tags ?? [],
  }
}
