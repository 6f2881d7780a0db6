import type { Celebrity, Occasion } from "./model.ts"

/** The days that people celebrate. Their entries are made by `LedgerStore.celebrate`. */
export interface OccasionStore {
  /** Active people whose birthday or first day has one of these days of the year, MM-DD. Ascending by id. */
  on(daysOfYear: readonly string[]): Promise<Celebrity[]>
  /** What was celebrated of these people in this year. */
  celebratedIn(year: number, userIds: readonly number[]): Promise<readonly Pick<Occasion, "userId" | "kind">[]>
}
