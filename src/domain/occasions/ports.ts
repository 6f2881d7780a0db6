import type { OccasionKind } from "../programme/model.ts"
import type { CelebratedDay, DayOfSomebody, NewOccasion, OccasionPosition } from "./model.ts"

export interface OccasionQuery {
  /** Of each day of the year at most one. */
  readonly days: readonly CelebratedDay[]
  readonly kinds: readonly OccasionKind[]
  /** Only of this person. */
  readonly userId?: number | undefined
  /** Only what was not celebrated yet. */
  readonly isOpen?: boolean | undefined
  /** Only what comes later. */
  readonly after?: OccasionPosition | undefined
  readonly limit: number
}

/** The days that people celebrate. Their entries are made by `OccasionLedger.celebrate`. */
export interface OccasionStore {
  /**
   * What is celebrated of active people on these days, `admin` excepted: a birthday only of those who agreed, the rest of
   * everybody who did not decline. Ascending by day, person and kind, as in `OccasionPosition`. However many people have an
   * occasion, only those of the answer are read.
   */
  on(query: OccasionQuery): Promise<DayOfSomebody[]>
}

/** What the ledger does for occasions. */
export interface OccasionLedger {
  /**
   * Makes the entry of an occasion and posts its points, if it has any, in one commit. The points are reduced where a
   * balance would leave ±2^53−1. False, with nothing changed, when this occasion of the person was celebrated in this year,
   * or when the person has left.
   */
  celebrate(occasion: NewOccasion): Promise<boolean>
}
