import { type AuditLog, auditEntry } from "../audit/audit-log.ts"
import { type Calendar, dayFrom, dayText, lastOfMonth, monthsOf } from "../calendar.ts"
import type { Clock } from "../clock.ts"
import { invalid } from "../errors.ts"
import type { Abortable } from "../paging.ts"
import type { PersonSummary } from "../people/model.ts"
import { type Actor, requireDuty } from "../people/roles.ts"
import { type PointValue, worthOf } from "../programme/point-value.ts"
import type { Store } from "../store.ts"
import { createPastPockets, type HoldingSums, sumsOf } from "./past-pockets.ts"

/** What somebody holds, or all people together. */
interface Held extends HoldingSums {
  /** What the redeemable points are worth in money; null while a point has no value. */
  readonly value: number | null
}

export interface HeldByPerson extends PersonSummary, Held {}

export interface Outstanding {
  /** `YYYY-MM-DD`, as of its end; today so far. */
  readonly at: string
  /** Of `value`; null while a point has no value. */
  readonly currency: string | null
  readonly total: Held
  /** Everybody who holds points, ascending by id. */
  readonly items: readonly HeldByPerson[]
}

export interface OutstandingMonth extends Held {
  /** `YYYY-MM` */
  readonly month: string
  /** The day whose end counts, `YYYY-MM-DD`: the last of the month, or today. */
  readonly day: string
  readonly currency: string | null
}

interface DayQuery extends Abortable {
  /** `YYYY-MM-DD`; by default today. */
  readonly at?: string | undefined
}

interface Dependencies {
  readonly store: Pick<Store, "ledger" | "people" | "statistics" | "users">
  readonly clock: Clock
  readonly calendar: Calendar
  readonly auditLog: Pick<AuditLog, "record">
  /** What a point was worth at a moment. */
  readonly pointValueAt: (moment: number) => Promise<PointValue | null>
}

/** How many people are read at once: about 1 ms. */
const peopleAtOnce = 500

/**
 * Points outstanding, for finance (docs/interface/finance.md): what people hold at the end of a day of the service's
 * time zone. The answer for a day that has ended stays the same, except for names.
 */
export function createOutstanding({ store, clock, calendar, auditLog, pointValueAt }: Dependencies) {
  const past = createPastPockets({ store, calendar })

  return {
    /** @throws DomainError `not_superuser`, `invalid` (`at`) */
    async on(actor: Pick<Actor, "user">, query: DayQuery): Promise<Outstanding> {
      requireDuty(actor, "insights")
      return outstandingOn(query)
    },

    /** Like `on`, for an exported file. It is recorded in the audit log.
     *  @throws DomainError `not_superuser`, `invalid` (`at`) */
    async exportDay(actor: Actor, query: DayQuery): Promise<Outstanding> {
      requireDuty(actor, "insights")
      const found = await outstandingOn(query)
      await auditLog.record(auditEntry(actor, clock(), "exported", { detail: `outstanding: ${found.at}`, whom: null }))
      return found
    },

    /** The totals at the end of each month, from that of the first transaction to the present one, which counts so far.
     *  @throws DomainError `not_superuser` */
    async monthly(actor: Pick<Actor, "user">, query: Abortable): Promise<OutstandingMonth[]> {
      requireDuty(actor, "insights")
      return months(query)
    },

    /** Like `monthly`, for an exported file. It is recorded in the audit log.
     *  @throws DomainError `not_superuser` */
    async exportMonths(actor: Actor, query: Abortable): Promise<OutstandingMonth[]> {
      requireDuty(actor, "insights")
      const found = await months(query)
      await auditLog.record(auditEntry(actor, clock(), "exported", { detail: "outstanding: by month", whom: null }))
      return found
    },
  }

  async function outstandingOn({ at, signal }: DayQuery): Promise<Outstanding> {
    const today = calendar.dayOf(clock())
    const day = at === undefined ? today : dayFrom("at", at)
    if (day < 0) throw invalid("at", "a day from 1970-01-01 on")
    if (day > today) throw invalid("at", "a day that is not after today")
    const pointValue = await valueOn(day)
    const held = heldAt(pointValue)
    const holdings = await past.at(day, signal)
    const items: HeldByPerson[] = []
    for (let from = 0; from < holdings.length; from += peopleAtOnce) {
      const some = holdings.slice(from, from + peopleAtOnce)
      const people = await store.people.summaries(some.map(({ userId }) => userId))
      signal?.throwIfAborted()
      for (const [index, { userId, ...points }] of some.entries()) {
        const person = people[index]
        if (person?.id !== userId) throw new Error(`user ${userId}, whom a transaction names, is missing`)
        items.push({ ...person, ...held(points) })
      }
    }
    return { at: dayText(day), currency: pointValue?.currency ?? null, total: held(sumsOf(holdings)), items }
  }

  async function months({ signal }: Abortable): Promise<OutstandingMonth[]> {
    const today = calendar.dayOf(clock())
    const [first] = await store.statistics.transactionsAfter(0, 1)
    if (first === undefined) return []
    const found: OutstandingMonth[] = []
    for (const { name: month, firstDay } of monthsOf({
      first: Math.min(calendar.dayOf(first.date), today),
      last: today,
    })) {
      const lastDay = lastOfMonth(firstDay)
      const day = Math.min(lastDay, today)
      const sums = lastDay < today ? await past.sumsAtMonthEnd(lastDay) : sumsOf(await past.at(today, signal))
      const pointValue = await valueOn(day)
      found.push({ month, day: dayText(day), currency: pointValue?.currency ?? null, ...heldAt(pointValue)(sums) })
    }
    return found
  }

  function valueOn(day: number): Promise<PointValue | null> {
    return pointValueAt(calendar.startOf(day + 1) - 1)
  }
}

/** Adds what points are worth. */
function heldAt(pointValue: PointValue | null): (points: HoldingSums) => Held {
  const worth = pointValue === null ? () => null : worthOf(pointValue)
  return (points) => ({ ...points, value: worth(points.redeemable) })
}
