import type { JobState } from "../domain/model.ts"

/** An id that no user has. */
export const nobody = 0

type Value = string | number | null

/** The columns that a change sets, with their values: all that are not undefined. */
export const changedColumns = (given: Readonly<Record<string, Value | undefined>>): [column: string, value: Value][] =>
  Object.entries(given).flatMap(([column, value]) => (value === undefined ? [] : [[column, value]]))

/**
 * SQL: since when a job that is not finished waits. A retry moves `run_at` on, so that a job that has been tried waits
 * since it was created; only debug mail is due some seconds later than that.
 */
export const jobWaitsSince = "CASE WHEN attempts = 0 THEN run_at ELSE created_at END"

/** The number of jobs in each state, from a query that returns no row for a state without jobs. */
export const jobCountsOf = (
  rows: readonly { readonly state: JobState; readonly count: number }[],
): Readonly<Record<JobState, number>> => ({
  available: 0,
  running: 0,
  completed: 0,
  discarded: 0,
  ...Object.fromEntries(rows.map(({ state, count }) => [state, count])),
})
