import type { Day } from "../calendar.ts"
import type { PersonSummary } from "../people/model.ts"
import type { OccasionKind } from "../programme/model.ts"

/** What is celebrated. */
interface Celebrated {
  readonly kind: OccasionKind
  /** Of an anniversary: how many years the person has been here. Otherwise null. */
  readonly years: number | null
}

/** Somebody's occasion on a day. */
export interface Occasion extends Celebrated {
  readonly userId: number
  /** The calendar year of the day. */
  readonly year: number
}

/** An occasion that is to be celebrated. */
export interface NewOccasion extends Occasion {
  /** `admin`, who pays. */
  readonly senderId: number
  /** 0: it has an entry, and no transaction. */
  readonly points: number
  /** With the places `{name}` and `{years}`. */
  readonly text: string
  readonly date: number
}

/** A day of the calendar, and a day of the year, MM-DD, that is celebrated on it. */
export interface CelebratedDay {
  readonly date: Day
  readonly dayOfYear: string
  readonly year: number
}

/** A place in a list of occasions: by day, then by person, of whom a birthday comes first. */
export interface OccasionPosition {
  readonly date: Day
  readonly userId: number
  readonly kind: OccasionKind
}

/** Somebody's occasion with what people may know of them. `joined` is null where only a birthday is celebrated. */
export interface DayOfSomebody extends OccasionPosition, Omit<PersonSummary, "id"> {
  readonly year: number
  readonly joined: Day | null
}
