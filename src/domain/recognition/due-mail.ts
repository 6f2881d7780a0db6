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
import { isSuperuser } from "../people/roles.ts"
import type { Store } from "../store.ts"
import { isLeft, isWorthADigest } from "./mail-contents.ts"
import type { MailFrequency, MailReader } from "./model.ts"
import { recapPeriodOn } from "./recap-period.ts"

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
 * Enqueues mail about recognition (docs/interface/mail.md). The commit that adds the jobs also
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
