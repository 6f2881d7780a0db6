import { createBoundedCache } from "../../../bounded-cache.ts"
import { maxValue } from "../../../domain/ledger/ledger.ts"
import type { DayTotals } from "../../../domain/model.ts"
import { dayMs, dayOf } from "../../../domain/recognition/periods.ts"
import type { StatisticsStore } from "../../../domain/store.ts"
import type { Connection } from "../database/connection.ts"
import { createLists, createTimeSlices, type Reading, type SideList } from "../history/lists.ts"
import { createPeople } from "../history/records.ts"

/** Days of all users in memory, some 150 bytes each; those of the users who were asked about longest ago are dropped. */
const maxCachedDays = 100_000

interface Row {
  readonly prev: number
  readonly otherId: number
  readonly value: number
  readonly date: number
}

/** How far one of a user's lists was read: everything from `newest` back to what comes after `next`. */
interface Progress {
  readonly newest: number
  /** Where reading goes on further back; 0 at the end. */
  readonly next: number
}

/** The days of a user on which something was received or sent, by `dayOf`; of one moment, and never changed. */
interface Known {
  readonly days: ReadonlyMap<number, Totals>
  readonly received: Progress
  readonly sent: Progress
}

/** What is received and sent on a day may be more than is kept exact; what is left of both is not. */
interface Totals {
  received: number
  receivedCount: number
  sent: number
  sentCount: number
  net: bigint
}

/**
 * `StatisticsStore.daysOf`: what a user received and sent, each list read from its end back to the first day asked for.
 * The totals are cached: the next time only transactions since then are read, and those of earlier days if they are asked
 * for. What was read never changes, whichever process appends.
 */
export function createDays({ client }: Pick<Connection, "client">): StatisticsStore["daysOf"] {
  const people = createPeople(client, createLists(client))
  const inTimeSlices = createTimeSlices(client)
  const balance = client.prepare<{ value: number }, [number]>("SELECT value FROM balances WHERE user_id = ?")
  const rows = { received: rowOf("user", "from"), sent: rowOf("from", "user") }
  const cache = createBoundedCache<number, Known>(maxCachedDays, ({ days }) => days.size + 1)

  return (userId, since, count) => inTimeSlices(daysOf(userId, since, count))

  function* daysOf(userId: number, since: number, count: number): Reading<DayTotals[]> {
    const { received, sent } = people.participant(userId)
    let after = balance.get(userId)?.value ?? 0
    const known = cache.get(userId)
    const days = new Map(known?.days.entries().map(([day, totals]) => [day, { ...totals }]))
    cache.set(userId, {
      received: yield* read(received, since, days, known?.received),
      sent: yield* read(sent, since, days, known?.sent),
      days,
    })
    return Array.from({ length: count }, (_, index) => since + (count - 1 - index) * dayMs)
      .map((day) => {
        const { net, ...totals } = days.get(dayOf(day)) ?? noTotals()
        const balance = after
        after -= Number(net)
        return { day, ...totals, balance }
      })
      .reverse()
  }

  /** Adds to `days` what is newer than was read before, and what is older, back to `since`. */
  function* read(
    list: SideList,
    since: number,
    days: Map<number, Totals>,
    before: Progress = { newest: list.last, next: list.last },
  ): Reading<Progress> {
    yield* walk(list, { from: list.last, above: before.newest, since: Number.NEGATIVE_INFINITY }, days)
    return { newest: list.last, next: yield* walk(list, { from: before.next, above: 0, since }, days) }
  }

  /** Adds to `days` the transactions from `from` backwards; returns the first that is not `above` or older than `since`. */
  function* walk(
    { side, ownerId }: SideList,
    { from, above, since }: { readonly from: number; readonly above: number; readonly since: number },
    days: Map<number, Totals>,
  ): Reading<number> {
    let met = 0
    let id = from
    while (id > above) {
      const row = rows[side].get(id)
      if (!row) throw new Error(`transaction ${id}, which the lists name, is missing`)
      if (row.date < since) break
      if (row.otherId !== ownerId) add(days, side, row)
      id = row.prev
      met += 1
      if (met % 64 === 0) yield
    }
    return id
  }

  function rowOf(own: string, other: string) {
    return client.prepare<Row, [number]>(
      `SELECT ${own}_prev AS prev, ${other}_id AS otherId, value, date FROM transactions WHERE id = ?`,
    )
  }
}

function add(days: Map<number, Totals>, side: SideList["side"], { value, date }: Row) {
  const day = days.get(dayOf(date)) ?? noTotals()
  days.set(dayOf(date), day)
  day[side] = Math.min(maxValue, day[side] + value)
  day[`${side}Count`] += 1
  day.net += side === "received" ? BigInt(value) : -BigInt(value)
}

const noTotals = (): Totals => ({ received: 0, receivedCount: 0, sent: 0, sentCount: 0, net: 0n })
