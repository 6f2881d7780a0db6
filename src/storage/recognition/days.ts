import { maxValue } from "../../domain/points.ts"
import type { DayTotals } from "../../domain/recognition/model.ts"

/**
 * What a user received and sent on a day. `received` and `sent` count recognition. A reversal counts on the day of the
 * original, so they are negative until the original has been read. `net` counts every transaction and is always exact,
 * because balances are computed from it.
 */
export interface DaySums {
  received: number
  receivedCount: number
  sent: number
  sentCount: number
  net: bigint
}

const noSums = (): DaySums => ({ received: 0, receivedCount: 0, sent: 0, sentCount: 0, net: 0n })

/** The sums of a day, in which a caller counts. */
export function dayIn(days: Map<number, DaySums>, day: number): DaySums {
  const sums = days.get(day) ?? noSums()
  days.set(day, sums)
  return sums
}

/** The totals of `count` days from `firstDay` on. `days` has everything since then, `balance` is the current one. */
export function totalsOf(
  days: ReadonlyMap<number, DaySums>,
  firstDay: number,
  count: number,
  balance: number,
): DayTotals[] {
  const end = firstDay + count
  let after = BigInt(balance)
  for (const [day, { net }] of days) if (day >= end) after -= net
  return Array.from({ length: count }, (_, index) => end - 1 - index)
    .map((day) => {
      const { net, received, sent, ...counts } = days.get(day) ?? noSums()
      const balance = Number(after)
      after -= net
      return { day, ...counts, received: Math.min(received, maxValue), sent: Math.min(sent, maxValue), balance }
    })
    .reverse()
}
