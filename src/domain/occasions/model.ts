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

/** A person with the days that may be celebrated. */
export interface Celebrity {
  readonly id: number
  readonly username: string
  readonly name: string
  readonly avatar: string | null
  readonly dept: string
  readonly birthday: string | null
  readonly joined: string | null
  readonly celebrates: boolean | null
}
