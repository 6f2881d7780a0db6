import { type Calendar, type Day, dayText, monthsOf } from "../calendar.ts"
import type { Clock } from "../clock.ts"
import { invalid } from "../errors.ts"
import type { Party, TransactionEntry } from "../ledger/model.ts"
import type { Abortable } from "../paging.ts"
import type { PersonSummary, User } from "../people/model.ts"
import { requireDuty } from "../people/roles.ts"
import { maxValue } from "../points.ts"
import { seesLeaderboard } from "../programme/leaderboard.ts"
import type { ProgrammeRules } from "../programme/programme.ts"
import type { Store } from "../store.ts"
import { type BestOf, bestIn, entryIdOf, noWords, type Words } from "./best-words.ts"
import type { Feed } from "./feed.ts"
import type { RecapCounts, RecapFigures, RecapSide, RecognitionSum } from "./model.ts"
import { type RecapPeriod, type RecapUnit, recapPeriodNamed, recapPeriodOn } from "./recap-period.ts"

const maxTags = 3
const maxPeople = 5

/** What a look back shows. It is made to be shown to others, so private reasons are left out, and points of others. */
export interface Recap {
  readonly period: string
  readonly unit: RecapUnit
  readonly from: Day
  readonly to: Day
  /** Whether the period is over. */
  readonly ended: boolean
  readonly received: RecapSide
  readonly given: RecapSide
  /** Every month of the period, ascending. */
  readonly months: readonly RecapMonth[]
  /** The month with the most recognition, of equals the first; null for none. */
  readonly mostActive: string | null
  /** The most used of what was received. */
  readonly tags: readonly { readonly tag: string; readonly count: number }[]
  /** With whom the person exchanged most. Of the company: who was thanked most often; nobody without a leaderboard. */
  readonly people: readonly RecapPerson[]
  /** Reasons received, those with the most responses first, then the longest. */
  readonly words: readonly Words[]
  /** The longest reason received. */
  readonly longest: Words | null
  readonly first: RecapEntry | null
  readonly last: RecapEntry | null
}

export interface CompanyRecap extends Recap {
  /** Those whose people received most often first. */
  readonly departments: readonly RecapDepartment[]
}

interface RecapMonth extends RecapCounts {
  /** YYYY-MM */
  readonly month: string
}

/** How often the person received from somebody, and gave to them. Of the company: how often somebody received, and gave. */
interface RecapPerson extends RecapCounts {
  readonly person: PersonSummary
}

interface RecapEntry {
  readonly recognitionId: number
  readonly from: Party
  readonly to: Party
  readonly date: number
}

/** The departments that people are in now. */
interface RecapDepartment {
  readonly name: string
  readonly received: RecognitionSum
  readonly given: RecognitionSum
}

interface RecapQuery extends Abortable {
  /** By default the present quarter. */
  readonly period?: string | undefined
}

interface Dependencies {
  readonly store: Pick<Store, "insights" | "ledger" | "users">
  readonly programme: Pick<ProgrammeRules, "current">
  readonly clock: Clock
  readonly calendar: Calendar
  readonly feed: Pick<Feed, "seesAll">
}

export type Recaps = ReturnType<typeof createRecaps>

/** Looks back at the recognition of a month, a quarter or a year (docs/interface/looking-back.md). */
export function createRecaps({ store, programme, clock, calendar, feed }: Dependencies) {
  const { insights, ledger, users } = store

  return {
    /** What one person received and gave.
     *  @throws DomainError `invalid` (`period`) */
    async ofPerson(person: User, { period: name, signal }: RecapQuery): Promise<Recap> {
      const period = begun(name)
      const figures = await insights.recap(person.id, period.days, signal)
      return recapOf(period, figures, {
        people: await mostFrequent(figures.people, (one) => one.received + one.given),
        words: await wordsIn(figures, person.id, signal),
        showsEntries: true,
      })
    },

    /** Everybody's, for superusers and the duty `insights`.
     *  @throws DomainError `not_superuser`, `invalid` (`period`) */
    async ofCompany(actor: { readonly user: User }, { period: name, signal }: RecapQuery): Promise<CompanyRecap> {
      requireDuty(actor, "insights")
      const period = begun(name)
      const figures = await insights.recap(null, period.days, signal)
      const showsEntries = feed.seesAll(actor.user)
      const recap = await recapOf(period, figures, {
        people: seesLeaderboard(actor.user, await programme.current())
          ? await mostFrequent(figures.people, ({ received }) => received)
          : [],
        words: showsEntries ? await wordsIn(figures, null, signal) : noWords,
        showsEntries,
      })
      return { ...recap, departments: await departmentsIn(period, signal) }
    },
  }

  /** The period of this name, which has begun. */
  function begun(name: string | undefined): RecapPeriod {
    const today = calendar.dayOf(clock())
    const period = name === undefined ? recapPeriodOn("quarter", today) : recapPeriodNamed(name)
    if (period === null || period.days.first < 0 || period.days.first > today)
      throw invalid("period", "a year, quarter or month that has begun: 2026, 2026-Q4 or 2026-11")
    return period
  }

  async function recapOf(
    { name, unit, days }: RecapPeriod,
    { received, given, tags, firstId, lastId, ...figures }: RecapFigures,
    shown: { readonly people: Recap["people"]; readonly words: BestOf; readonly showsEntries: boolean },
  ): Promise<Recap> {
    const known = new Map(figures.months.map((month) => [month.month, month]))
    const [most] = figures.months.toSorted((one, other) => timesIn(other) - timesIn(one))
    const entryOf = async (id: number | null) =>
      shown.showsEntries && id !== null ? recapEntry(await ledger.entry(id)) : null
    return {
      period: name,
      unit,
      from: dayText(days.first),
      to: dayText(days.last),
      ended: days.last < calendar.dayOf(clock()),
      received,
      given,
      months: monthsOf(days).map(({ name }) => known.get(name) ?? { month: name, received: 0, given: 0 }),
      mostActive: most?.month ?? null,
      tags: tags.toSorted((one, other) => other.count - one.count || compare(one.tag, other.tag)).slice(0, maxTags),
      people: shown.people,
      ...shown.words,
      first: await entryOf(firstId),
      last: await entryOf(lastId),
    }
  }

  /** People with the highest numbers, leaving out those with none. */
  async function mostFrequent(
    people: RecapFigures["people"],
    timesOf: (counts: RecapCounts) => number,
  ): Promise<RecapPerson[]> {
    const most = people
      .filter((one) => timesOf(one) > 0)
      .sort((one, other) => timesOf(other) - timesOf(one) || one.userId - other.userId)
      .slice(0, maxPeople)
    const found = new Map((await users.byIds(most.map(({ userId }) => userId))).map((user) => [user.id, user]))
    return most.flatMap(({ userId, received, given }) => {
      const user = found.get(userId)
      return user ? [{ person: user, received, given }] : []
    })
  }

  async function wordsIn(
    { firstId, lastId }: RecapFigures,
    receiverId: number | null,
    signal: AbortSignal | undefined,
  ): Promise<BestOf> {
    if (firstId === null || lastId === null) return noWords
    return bestIn(store, { first: firstId, last: lastId, receiverId }, signal)
  }

  async function departmentsIn({ days }: RecapPeriod, signal: AbortSignal | undefined): Promise<RecapDepartment[]> {
    const found = await insights.departments(days, signal)
    const sumOf = (some: readonly RecognitionSum[] = []): RecognitionSum => ({
      count: some.reduce((sum, { count }) => sum + count, 0),
      value: Math.min(
        some.reduce((sum, { value }) => sum + value, 0),
        maxValue,
      ),
    })
    const [received, given] = [Map.groupBy(found, ({ to }) => to), Map.groupBy(found, ({ from }) => from)]
    return [...new Set([...received.keys(), ...given.keys()])]
      .map((name) => ({ name, received: sumOf(received.get(name)), given: sumOf(given.get(name)) }))
      .sort((one, other) => other.received.count - one.received.count || compare(one.name, other.name))
  }
}

const recapEntry = (entry: TransactionEntry | null): RecapEntry | null =>
  entry && { recognitionId: entryIdOf(entry), from: entry.sender, to: entry.receiver, date: entry.date }

const timesIn = ({ received, given }: RecapCounts): number => received + given

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
