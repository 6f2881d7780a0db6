import type { Calendar } from "../../../domain/calendar.ts"
import { DatabaseDamaged } from "../../../domain/damage.ts"
import type { CountedTransaction } from "../../../domain/ledger/model.ts"
import type { DayTotals } from "../../../domain/recognition/model.ts"
import type { StatisticsStore } from "../../../domain/recognition/ports.ts"
import { countedAs } from "../../../domain/recognition/recognitions.ts"
import { createBoundedCache } from "../../../support/bounded-cache.ts"
import { createTimeSlices, type Reading } from "../../budget.ts"
import { type DaySums, dayIn, totalsOf } from "../../recognition/days.ts"
import { counted, withOriginal } from "../../recognition/statistics.ts"
import { createCompiler } from "../../sql.ts"
import { sqliteDialect } from "../database/database.ts"
import type { Reader } from "../database/reader.ts"
import { createLists, type List } from "../history/lists.ts"
import { createListOwners } from "../history/records.ts"

/** Days in the cache, over all users, some 150 bytes each. The user whose entry was set longest ago is evicted first. */
const maxCachedDays = 100_000

/** The lists that count: a transfer to oneself moves nothing. */
type Side = "received" | "sent"

interface CountedRow extends CountedTransaction {
  /** The id before it in the list. */
  readonly prev: number
}

/** Which part of a list has been read: from `newest` back to the transaction after `next`. */
interface Progress {
  readonly newest: number
  /** Where reading continues backwards; 0 when the whole list was read. */
  readonly next: number
}

/** The totals of a user's days by their numbers, as of one moment; never changed. Days without transactions are absent. */
interface Known {
  readonly days: ReadonlyMap<number, DaySums>
  readonly received: Progress
  readonly sent: Progress
}

/**
 * `StatisticsStore.daysOf`: reads what a user received from others and sent to others, from the newest back to the
 * first day asked for. The totals are cached: next time, only newer transactions are read, and older days when they are
 * asked for. Past transactions never change, whichever process appends.
 */
export function createDays(reader: Pick<Reader, "client" | "read">, calendar: Calendar): StatisticsStore["daysOf"] {
  const { client } = reader
  const owners = createListOwners(client, createLists(client))
  const inTimeSlices = createTimeSlices(reader.read)
  const balance = client.prepare<{ value: number }, [number]>("SELECT value FROM balances WHERE user_id = ?")
  const rows = { received: rowOf("user_prev"), sent: rowOf("from_prev") }
  const cache = createBoundedCache<number, Known>(maxCachedDays, ({ days }) => days.size + 1)

  return (userId, firstDay, days, signal) => inTimeSlices(daysOf(userId, firstDay, days), signal)

  function* daysOf(userId: number, firstDay: number, count: number): Reading<DayTotals[]> {
    const since = calendar.startOf(firstDay)
    const { received, sent } = owners.listsOf(userId)
    const current = balance.get(userId)?.value ?? 0
    const known = cache.get(userId)
    const days = new Map(known?.days.entries().map(([day, totals]) => [day, { ...totals }]))
    cache.set(userId, {
      received: yield* read("received", received, since, days, known?.received),
      sent: yield* read("sent", sent, since, days, known?.sent),
      days,
    })
    return totalsOf(days, firstDay, count, current)
  }

  /** Adds to `days` the transactions newer than those already read, and older ones back to `since`. */
  function* read(
    side: Side,
    list: List,
    since: number,
    days: Map<number, DaySums>,
    before: Progress = { newest: list.last, next: list.last },
  ): Reading<Progress> {
    yield* walk(side, { from: list.last, above: before.newest, since: Number.NEGATIVE_INFINITY }, days)
    return { newest: list.last, next: yield* walk(side, { from: before.next, above: 0, since }, days) }
  }

  /** Adds to `days` the transactions from id `from` backwards while they are above id `above` and not before `since`.
   *  Returns the id at which it stopped. */
  function* walk(
    side: Side,
    { from, above, since }: { readonly from: number; readonly above: number; readonly since: number },
    days: Map<number, DaySums>,
  ): Reading<number> {
    let read = 0
    let id = from
    while (id > above) {
      const row = rows[side].get(id)
      if (!row) throw new DatabaseDamaged(`transaction ${id}, which the history index names, is missing`)
      if (row.prev >= id) throw new DatabaseDamaged(`transaction ${id} names ${row.prev} as the one before it`)
      if (row.date < since) break
      add(days, calendar, side, row)
      id = row.prev
      read += 1
      if (read % 64 === 0) yield
    }
    return id
  }

  function rowOf(prev: string) {
    return client.prepare<CountedRow, [number]>(
      `SELECT transactions.${prev} AS prev, ${countedColumns} FROM ${countedRows} WHERE transactions.id = ?`,
    )
  }
}

function add(days: Map<number, DaySums>, { dayOf }: Calendar, side: Side, row: CountedRow) {
  const value = BigInt(row.value)
  dayIn(days, dayOf(row.date)).net += side === "received" ? value : -value
  const counted = countedAs(row)
  if (counted === null) return
  // A reversal that the user received subtracts from what the user sent.
  const countedSide = row.kind === "reversal" ? otherSide[side] : side
  const day = dayIn(days, dayOf(counted.date))
  day[countedSide] += counted.points
  day[`${countedSide}Count`] += counted.count
}

const otherSide = { received: "sent", sent: "received" } as const

// For statements that do not pass the door.
const compile = createCompiler(sqliteDialect)
const countedColumns = compile(counted).compiled.text
const countedRows = compile(withOriginal).compiled.text
