import type { JobState } from "../domain/model.ts"

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
