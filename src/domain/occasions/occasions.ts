import { type Calendar, dayFrom, dayText } from "../calendar.ts"
import type { Clock } from "../clock.ts"
import { invalid } from "../errors.ts"
import { adminUsername, theAdmin } from "../people/users.ts"
import { type OccasionKind, occasionKinds, type Programme } from "../programme/model.ts"
import type { Store } from "../store.ts"
import type { Celebrity, Occasion } from "./model.ts"

/** When the entries of a day are made, in the time zone of the service. */
const occasionTime = "09:00"

/** How many days a list of occasions has at most. */
export const maxListedDays = 62
export const defaultListedDays = 31
/** No day after it can be written as YYYY-MM-DD. */
const lastDay = dayFrom("to", "9999-12-31")

interface DatedOccasion extends Pick<Occasion, "kind" | "years"> {
  /** YYYY-MM-DD */
  readonly date: string
}

/** An occasion of somebody on a day, as people may know it. */
interface ListedOccasion extends DatedOccasion, Pick<Celebrity, "username" | "name" | "avatar" | "dept"> {}

/** Days, YYYY-MM-DD. */
interface DayQuery {
  readonly from?: string | undefined
  readonly to?: string | undefined
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
 * Birthdays, anniversaries and first days (docs/interface.md, "Occasions"). Each is celebrated once for each person, kind and
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
      const due = await dueOn(today, occasions)
      if (due.length === 0) return
      const admin = await theAdmin(store.users)
      for (const occasion of due) {
        const { points, text } = occasions[occasion.kind]
        await store.ledger.celebrate({ ...occasion, points, text, senderId: admin.id, date: now }).catch(onFailure)
      }
    },

    /**
     * What will be celebrated, or was, from one day to another, both included: by default from today on for
     * `defaultListedDays`. Ascending by day.
     * @throws DomainError `invalid` (`from`, `to`)
     */
    async between({ from, to }: DayQuery): Promise<ListedOccasion[]> {
      const first = from === undefined ? calendar.dayOf(clock()) : dayFrom("from", from)
      const last = to === undefined ? Math.min(first + defaultListedDays - 1, lastDay) : dayFrom("to", to)
      if (last < first) throw invalid("to", "not before from")
      if (last - first >= maxListedDays) throw invalid("to", `at most ${maxListedDays - 1} days after from`)
      const dates = Array.from({ length: last - first + 1 }, (_, index) =>
        Temporal.PlainDate.from(dayText(first + index)),
      )
      const { occasions } = await programme()
      const people = await celebrities(dates)
      return dates.flatMap((date) =>
        people.flatMap((person) =>
          occasionsOn(date, person, occasions).map(({ kind, years }) => ({
            date: date.toString(),
            username: person.username,
            name: person.name,
            avatar: person.avatar,
            dept: person.dept,
            kind,
            years,
          })),
        ),
      )
    },

    /** What is celebrated of somebody today, from midnight on; null for nothing. */
    async todayOf(person: Celebrity): Promise<DatedOccasion | null> {
      if (person.username === adminUsername) return null
      const today = calendar.dateAt(clock())
      const [occasion] = occasionsOn(today, person, (await programme()).occasions)
      return occasion ? { date: today.toString(), kind: occasion.kind, years: occasion.years } : null
    },
  }

  /** The occasions of a day that were not celebrated yet. */
  async function dueOn(date: Temporal.PlainDate, programmed: Programme["occasions"]): Promise<Occasion[]> {
    if (!occasionKinds.some((kind) => programmed[kind].active)) return []
    const all = (await celebrities([date])).flatMap((person) => occasionsOn(date, person, programmed))
    if (all.length === 0) return []
    const done = await store.occasions.celebratedIn(
      date.year,
      all.map(({ userId }) => userId),
    )
    const keys = new Set(done.map(keyOf))
    return all.filter((occasion) => !keys.has(keyOf(occasion)))
  }

  /** Everybody who may have an occasion on these days. `admin` is nobody to celebrate. */
  async function celebrities(dates: readonly Temporal.PlainDate[]): Promise<Celebrity[]> {
    const people = await store.occasions.on([...new Set(dates.flatMap(daysOfYearOn))])
    return people.filter(({ username }) => username !== adminUsername)
  }
}

const keyOf = ({ userId, kind }: Pick<Occasion, "userId" | "kind">): string => `${userId} ${kind}`

/** The days of the year, MM-DD, that are celebrated on a day. In a common year, the 29th of February is on the 28th. */
function daysOfYearOn(date: Temporal.PlainDate): readonly string[] {
  const day = date.toString().slice(5)
  return day === "02-28" && !date.inLeapYear ? [day, "02-29"] : [day]
}

/** What is celebrated of a person on a day: a birthday only if the person agreed, the rest unless they declined. */
function occasionsOn(date: Temporal.PlainDate, person: Celebrity, programmed: Programme["occasions"]): Occasion[] {
  const { id: userId, birthday, joined, celebrates } = person
  const isOn = (dayOfYear: string) => daysOfYearOn(date).includes(dayOfYear)
  const found: Occasion[] = []
  const add = (kind: OccasionKind, years: number | null = null) => {
    if (programmed[kind].active) found.push({ userId, kind, year: date.year, years })
  }
  if (birthday !== null && celebrates === true && isOn(birthday)) add("birthday")
  if (joined !== null && celebrates !== false && isOn(joined.slice(5))) {
    const years = date.year - Number(joined.slice(0, 4))
    if (years > 0) add("anniversary", years)
    else if (joined === date.toString()) add("first_day")
  }
  return found
}

/** What the entry of an occasion says: the text of the programme with its places filled in. */
export const textOf = (
  text: string,
  { name, years }: { readonly name: string; readonly years: number | null },
): string => text.replace(/\{(name|years)\}/g, (_, place) => (place === "name" ? name : String(years ?? "")))
