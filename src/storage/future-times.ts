import { dayMs } from "../domain/calendar.ts"
import { clockSkewMs } from "../domain/clock.ts"
import type { SQL } from "./sql.ts"

/** Stored times of one column that lie further ahead than they can mean: a wrong clock wrote them. */
export interface FutureTimes {
  /** Such as `jobs.run_at`. */
  readonly column: string
  readonly count: number
  /** The latest of them, in milliseconds since the epoch. */
  readonly latest: number
}

/** Times of what has happened, by table. */
const past: Readonly<Record<string, readonly string[]>> = {
  users: ["deactivated_at", "erased_at"],
  transactions: ["date"],
  erasures: ["erased_at"],
  replies: ["date"],
  sessions: ["opened_at"],
  api_tokens: ["created_at", "last_used_at"],
  identities: ["linked_at"],
  second_factors: ["created_at", "last_used_at"],
  login_sources: ["used_at"],
  jobs: ["created_at", "finished_at"],
  allowances: ["due_from", "removed_at"],
  allowance_runs: ["begun_at", "finished_at"],
  redemptions: ["answered_at"],
  events: ["at"],
  webhooks: ["failing_since", "last_success_at"],
  deliveries: ["created_at", "attempted_at"],
  audit: ["at"],
}

const hourMs = 3_600_000

/** Times of what is to come, by table, each with how far ahead it can be. */
const coming: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  balances: { requests_until: hourMs },
  idempotency_keys: { expires_at: dayMs },
  totp_setups: { expires_at: hourMs },
  rate_limits: { ends_at: dayMs },
  jobs: { run_at: hourMs, locked_until: hourMs },
  scheduled_work: { due_at: dayMs, locked_until: hourMs },
  webhooks: { retry_at: dayMs, locked_until: hourMs, old_secret_until: dayMs },
}

const limits = [
  ...Object.entries(past).flatMap(([table, columns]) => columns.map((column) => [table, column, 0] as const)),
  ...Object.entries(coming).flatMap(([table, columns]) =>
    Object.entries(columns).map(([column, aheadMs]) => [table, column, aheadMs] as const),
  ),
]

/** A row for each column that holds such times. */
export const futureTimes = (now: number): SQL<FutureTimes> => ({
  strings: texts,
  values: limits.map(([, , aheadMs]) => now + clockSkewMs + aheadMs),
})

/** Around the latest time that each column can mean. */
const texts = limits
  .map(
    ([table, column]) =>
      `SELECT '${table}.${column}' AS "column", count(*) AS count, max(${column}) AS latest FROM ${table}
       WHERE ${column} > ? HAVING count(*) > 0`,
  )
  .join("\nUNION ALL ")
  .split("?")
