import { type AuditLog, auditEntry } from "../audit/audit-log.ts"
import { type Calendar, type DayRange, dayFrom, dayText, monthsOf, utcDayOf } from "../calendar.ts"
import type { Clock } from "../clock.ts"
import { invalid } from "../errors.ts"
import { budgetOf } from "../ledger/pockets.ts"
import type { Abortable } from "../paging.ts"
import type { PersonSummary } from "../people/model.ts"
import { type Actor, requireDuty } from "../people/roles.ts"
import { adminUsername } from "../people/users.ts"
import type { Store } from "../store.ts"
import type { DepartmentRecognition, Participation, PersonRecognition, TagRecognition } from "./model.ts"

export const insightNames = ["participation", "overlooked", "budgets", "departments", "tags"] as const
export type InsightName = (typeof insightNames)[number]

/** How many months the insights by month show by default, including the present one. */
const defaultMonths = 12
/** How many days the insights about people cover by default, including today. */
export const defaultInsightDays = 30
/** The longest range in days: ten years. */
const maxDays = 3660

/** First and last day, `YYYY-MM-DD`. */
interface InsightQuery extends Abortable {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** A person whom nobody thanked in the range of days. */
interface Overlooked extends PersonSummary {
  /** `YYYY-MM-DD`; null: never. */
  readonly lastThanked: string | null
}

export interface Budget extends PersonSummary {
  /** What is left of the budget. */
  readonly value: number
  /** Points given as recognition in the range of days. */
  readonly given: number
}

export interface Insights {
  readonly participation: readonly Participation[]
  readonly overlooked: readonly Overlooked[]
  readonly budgets: readonly Budget[]
  readonly departments: readonly DepartmentRecognition[]
  readonly tags: readonly TagRecognition[]
}

/** The rows of an insight, and the range of days that it covers. */
interface Insight<Name extends InsightName> {
  readonly from: string
  readonly to: string
  readonly items: Insights[Name]
}

interface Dependencies {
  readonly store: Pick<Store, "insights">
  readonly clock: Clock
  readonly calendar: Calendar
  readonly auditLog: Pick<AuditLog, "record">
}

export type InsightsReader = Pick<ReturnType<typeof createInsights>, "show">

/** Reports about recognition, for superusers and the duty `insights`, in the whole service (docs/interface/administration.md). Days are those
 *  of the service's time zone. */
export function createInsights({ store: { insights }, clock, calendar, auditLog }: Dependencies) {
  const readers: {
    readonly [Name in InsightName]: (days: DayRange, signal: AbortSignal | undefined) => Promise<Insights[Name]>
  } = {
    /** Every month of the range, ascending. */
    async participation(days, signal) {
      const known = new Map((await insights.participation(days, signal)).map((month) => [month.month, month]))
      return monthsOf(days).map(
        ({ name }) => known.get(name) ?? { month: name, senders: 0, receivers: 0, count: 0, value: 0 },
      )
    },

    /** People who were never thanked come first, then those who were thanked longest ago. */
    async overlooked(days, signal) {
      const people = await insights.people(days, signal)
      return people
        .filter(({ lastReceived, username }) => (lastReceived ?? -1) < days.first && username !== adminUsername)
        .toSorted((a, b) => (a.lastReceived ?? -1) - (b.lastReceived ?? -1) || byName(a, b))
        .map(({ lastReceived, ...person }) => ({
          ...faceOf(person),
          lastThanked: lastReceived === null ? null : dayText(lastReceived),
        }))
    },

    /** The highest budget first. */
    async budgets(days, signal) {
      const people = await insights.people(days, signal)
      return people
        .filter(({ username }) => username !== adminUsername)
        .toSorted((a, b) => budgetOf(b, b) - budgetOf(a, a) || byName(a, b))
        .map((person) => ({ ...faceOf(person), value: budgetOf(person, person), given: person.sent }))
    },

    /** By sender's department, then by receiver's. */
    departments: async (days, signal) =>
      (await insights.departments(days, signal)).toSorted((a, b) => compare(a.from, b.from) || compare(a.to, b.to)),

    /** By month, then most used first. */
    tags: async (days, signal) =>
      (await insights.tags(days, signal)).toSorted(
        (a, b) => compare(a.month, b.month) || b.count - a.count || compare(a.tag, b.tag),
      ),
  }

  return {
    /** @throws DomainError `not_superuser`, `invalid` (`from`, `to`) */
    async show<Name extends InsightName>(actor: Pick<Actor, "user">, name: Name, query: InsightQuery) {
      requireDuty(actor, "insights")
      return read(name, query)
    },

    /** Like `show`, for an exported file. It is recorded in the audit log.
     *  @throws DomainError `not_superuser`, `invalid` (`from`, `to`) */
    async export<Name extends InsightName>(actor: Actor, name: Name, query: InsightQuery) {
      requireDuty(actor, "insights")
      const found = await read(name, query)
      await auditLog.record(auditEntry(actor, clock(), "exported", { detail: `insights: ${name}`, whom: null }))
      return found
    },
  }

  async function read<Name extends InsightName>(name: Name, query: InsightQuery): Promise<Insight<Name>> {
    const days = daysOf(name, query)
    return { from: dayText(days.first), to: dayText(days.last), items: await readers[name](days, query.signal) }
  }

  function daysOf(name: InsightName, { from, to }: InsightQuery): DayRange {
    const last = to === undefined ? calendar.dayOf(clock()) : dayFrom("to", to)
    const first = from === undefined ? firstByDefault(name, last) : dayFrom("from", from)
    if (first < 0) throw invalid("from", "a day from 1970-01-01 on")
    if (first > last) throw invalid("to", "a day that is not before from")
    if (last - first >= maxDays) throw invalid("from", "a day at most ten years before to")
    return { first, last }
  }
}

function firstByDefault(name: InsightName, last: number): number {
  if (name === "overlooked" || name === "budgets") return Math.max(0, last - defaultInsightDays + 1)
  const [year = 0, month = 0] = dayText(last).split("-").map(Number)
  return Math.max(0, utcDayOf(Date.UTC(year, month - defaultMonths)))
}

const faceOf = ({ id, username, name, dept, avatar }: PersonSummary): PersonSummary => ({
  id,
  username,
  name,
  dept,
  avatar,
})

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const byName = (a: PersonRecognition, b: PersonRecognition) => compare(a.name, b.name) || a.id - b.id
