import { maxValue } from "../../domain/ledger.ts"
import { dayMs } from "../../domain/periods.ts"
import type { DayOfOne, StandingsStore } from "../../domain/standings.ts"
import type { Connection } from "./connection.ts"
import { createLists, type SideList } from "./history/lists.ts"
import { createPeople } from "./history/people.ts"
import { createTimeSlices, type Reading } from "./history/time-slices.ts"

interface Row {
  readonly prev: number
  readonly otherId: number
  readonly value: number
  readonly date: number
}

/** `StandingsStore.daysOf`: what a user received and sent since then, each list from its end back to the first day. */
export function createDays({ client }: Pick<Connection, "client">): StandingsStore["daysOf"] {
  const people = createPeople(client, createLists(client))
  const inTimeSlices = createTimeSlices(client)
  const balance = client.prepare<{ value: number }, [number]>("SELECT value FROM balances WHERE user_id = ?")
  const rows = { received: rowOf("user", "from"), sent: rowOf("from", "user") }

  return (userId, since, count) => inTimeSlices(daysOf(userId, since, count))

  function* daysOf(userId: number, since: number, count: number): Reading<DayOfOne[]> {
    const { received, sent } = people.participant(userId)
    let after = balance.get(userId)?.value ?? 0
    const days = Array.from({ length: count }, (_, index) => empty(since + index * dayMs))
    yield* gather(received, since, days)
    yield* gather(sent, since, days)
    for (const day of days.reverse()) {
      day.balance = after
      after -= Number(day.net)
    }
    return days.reverse().map(({ net: _, ...day }) => day)
  }

  function* gather({ side, last, ownerId }: SideList, since: number, days: Writable[]): Reading<void> {
    let met = 0
    for (let id = last; id !== 0; ) {
      const row = rows[side].get(id)
      if (!row) throw new Error(`transaction ${id}, which the lists name, is missing`)
      if (row.date < since) return
      id = row.prev
      const day = days[Math.floor((row.date - since) / dayMs)]
      if (day && row.otherId !== ownerId) {
        day[side] = Math.min(maxValue, day[side] + row.value)
        day[`${side}Count`] += 1
        day.net += side === "received" ? BigInt(row.value) : -BigInt(row.value)
      }
      met += 1
      if (met % 64 === 0) yield
    }
  }

  function rowOf(own: string, other: string) {
    return client.prepare<Row, [number]>(
      `SELECT ${own}_prev AS prev, ${other}_id AS otherId, value, date FROM transactions WHERE id = ?`,
    )
  }
}

/** What is received and sent on a day may be more than is kept exact; what is left of both is not. */
type Writable = { -readonly [K in keyof DayOfOne]: DayOfOne[K] } & { net: bigint }

const empty = (day: number): Writable => ({
  day,
  received: 0,
  receivedCount: 0,
  sent: 0,
  sentCount: 0,
  balance: 0,
  net: 0n,
})
