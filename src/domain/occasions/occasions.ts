import { type Calendar, type Day, dayFrom, dayText } from "../calendar.ts"
import type { Clock } from "../clock.ts"
import { invalid } from "../errors.ts"
import { defaultPageSize, pageRange } from "../paging.ts"
import type { PersonSummary, User } from "../people/model.ts"
import { theAdmin } from "../people/users.ts"
import { type OccasionKind, occasionKinds, type Programme } from "../programme/model.ts"
import type { Store } from "../store.ts"
import type { CelebratedDay, DayOfSomebody, Occasion, OccasionPosition } from "./model.ts"

/** When the entries of a day are made, in the time zone of the service. */
const occasionTime = "09:00"

/** How many days a list of occasions has at most. */
export const maxListedDays = 62
export const defaultListedDays = 31
/** Occasions that are read at once to be celebrated. */
const celebratedAtOnce = 200
/** No day after it can be written as YYYY-MM-DD. */
const lastDay = dayFrom("to", "9999-12-31")

interface DatedOccasion extends Pick<Occasion, "kind" | "years"> {
  readonly date: Day
}

/** An occasion of somebody on a day, as people may know it. */
interface ListedOccasion extends DatedOccasion, Omit<PersonSummary, "id"> {}

interface OccasionPage {
  readonly items: readonly ListedOccasion[]
  /** `after` of the next page; null at the end. */
  readonly next: OccasionPosition | null
}

interface PageOfDays {
  readonly from?: Day | undefined
  readonly to?: Day | undefined
  /** Of the page before. */
  readonly after?: OccasionPosition | undefined
  /** 1 to `maxPageSize`. */
  readonly size?: number | undefined
}

interface Dependencies {
  readonly store: Pick<Store, "ledger" | "occasions" | "users">
  /** What is celebrated, and how. */
  readonly programme: () => Promise<Programme>
  readonly clock: Clock
  readonly calendar: Calendar
}

export type Occasions = ReturnType<typeof createOccasions>

/**
 * Birthdays, anniversaries and first days (docs/interface/occasions.md). Each is celebrated once for each person, kind and
 * year: the ledger makes its entry and posts its points in one commit. So every process may do whatever is due, at any time.
 */
export function createOccasions({ store, programme, clock, calendar }: Dependencies) {
  return {
    /**
     * Celebrates what is due today. Nothing is made up for: after a downtime over a whole day, that day has passed. Servers
     * call this every second. A failure of one occasion does not stop the others.
     */
    async celebrateDue(onFailure: (error: unknown) => void): Promise<void> {
      const now = clock()
      const today = calendar.dateAt(now)
      if (now < calendar.momentOf(today, occasionTime)) return
      const { occasions } = await programme()
      const kinds = activeKinds(occasions)
      if (kinds.length === 0) return
      const days = celebratedOn(today)
      for (let after: OccasionPosition | undefined; ; ) {
        const due = await store.occasions.on({ days, kinds, isOpen: true, after, limit: celebratedAtOnce })
        if (due.length === 0) return
        const admin = await theAdmin(store.users)
        for (const one of due) {
          const { userId, kind, year } = one
          const { points, text } = occasions[kind]
          const occasion = { userId, kind, year, years: yearsOf(one), points, text, senderId: admin.id, date: now }
          await store.ledger.celebrate(occasion).catch(onFailure)
        }
        after = due.at(-1)
      }
    },

    /**
     * What will be celebrated, or was, from one day to another, both included: by default from today on for
     * `defaultListedDays`. Ascending by day.
     * @throws DomainError `invalid` (`from`, `to`, `size`)
     */
    async page({ from, to, after, size = defaultPageSize }: PageOfDays): Promise<OccasionPage> {
      const first = from === undefined ? calendar.dayOf(clock()) : dayFrom("from", from)
      const last = to === undefined ? Math.min(first + defaultListedDays - 1, lastDay) : dayFrom("to", to)
      if (last < first) throw invalid("to", "not before from")
      if (last - first >= maxListedDays) throw invalid("to", `at most ${maxListedDays - 1} days after from`)
      const { limit } = pageRange({ size }, "an occasion")
      const days = Array.from({ length: last - first + 1 }, (_, index) => dayText(first + index))
        .filter((day) => after === undefined || day >= after.date)
        .flatMap((day) => celebratedOn(Temporal.PlainDate.from(day)))
      const kinds = activeKinds((await programme()).occasions)
      if (kinds.length === 0) return { items: [], next: null }
      const found = await store.occasions.on({ days, kinds, after, limit })
      const items = found.slice(0, size)
      return { items: items.map(listed), next: found.length > size ? (items.at(-1) ?? null) : null }
    },

    /** What is celebrated of somebody today, from midnight on; null for nothing. */
    async todayOf({ id, birthday, joined }: Pick<User, "id" | "birthday" | "joined">): Promise<DatedOccasion | null> {
      const days = celebratedOn(calendar.dateAt(clock()))
      if (!days.some(({ dayOfYear }) => dayOfYear === birthday || dayOfYear === joined?.slice(5))) return null
      const kinds = activeKinds((await programme()).occasions)
      const [occasion] = await store.occasions.on({ days, kinds, userId: id, limit: 1 })
      return occasion ? { date: occasion.date, kind: occasion.kind, years: yearsOf(occasion) } : null
    },
  }
}

const activeKinds = (programmed: Programme["occasions"]): OccasionKind[] =>
  occasionKinds.filter((kind) => programmed[kind].active)

/** The days of the year that are celebrated on a day. In a common year, the 29th of February is on the 28th. */
function celebratedOn(day: Temporal.PlainDate): CelebratedDay[] {
  const [date, year] = [day.toString(), day.year]
  const dayOfYear = date.slice(5)
  const days = dayOfYear === "02-28" && !day.inLeapYear ? [dayOfYear, "02-29"] : [dayOfYear]
  return days.map((one) => ({ date, dayOfYear: one, year }))
}

/** Of an anniversary: how many years the person has been here. */
const yearsOf = ({ kind, year, joined }: DayOfSomebody): number | null =>
  kind === "anniversary" && joined !== null ? year - Number(joined.slice(0, 4)) : null

const listed = (occasion: DayOfSomebody): ListedOccasion => {
  const { date, username, name, avatar, dept, kind } = occasion
  return { date, username, name, avatar, dept, kind, years: yearsOf(occasion) }
}

/** What the entry of an occasion says: the text of the programme with its places filled in. */
export const textOf = (
  text: string,
  { name, years }: { readonly name: string; readonly years: number | null },
): string => text.replace(/\{(name|years)\}/g, (_, place) => (place === "name" ? name : String(years ?? "")))
