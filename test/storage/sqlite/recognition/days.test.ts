import { expect, test } from "bun:test"
import { createCalendar, dayMs } from "../../../../src/domain/calendar.ts"
import { columns } from "../../../../src/domain/recognition/leaderboards.ts"
import { nextTick } from "../../../../src/domain/ticks.ts"
import type { Connection } from "../../../../src/storage/sqlite/database/connection.ts"
import { createUserStore } from "../../../../src/storage/sqlite/people/users.ts"
import { createDays } from "../../../../src/storage/sqlite/recognition/days.ts"
import { openStore } from "../../../../src/storage/sqlite/store.ts"
import { threePeople } from "../../contract/people.ts"
import { connect, plainly, postAll, silent, testFolder } from "../../files.ts"

const utc = createCalendar("UTC")

test("a user's daily totals read each transaction once, whichever process appended it; a longer period continues from there", async () => {
  await using folder = await testFolder()
  const path = folder.file("rewards.db")
  await using connection = await connect(path)
  await using other = await connect(path)
  const { ana, bruno } = await threePeople({ users: createUserStore(connection) })
  const post = async (to: Connection, day: number, values: readonly number[]) => {
    const entries = values.map((value) => ({
      kind: "transfer" as const,
      senderId: ana.id,
      receiverId: bruno.id,
      value,
      date: day * dayMs + 1,
    }))
    await postAll(to, entries)
  }
  let reads = 0
  const { client, read } = connection.reader
  const counting = Object.assign(Object.create(client), {
    prepare(sql: string) {
      const statement = client.prepare(sql)
      if (!sql.includes('FROM "transactions"')) return statement
      return {
        get(...values: never[]) {
          reads += 1
          return statement.get(...values)
        },
      }
    },
  })
  const daysOf = createDays({ client: counting, read }, utc)
  const ask = async (since: number, count: number) => {
    reads = 0
    const days = await daysOf(bruno.id, since, count)
    return { reads, received: days.map(({ received }) => received), balances: days.map(({ balance }) => balance) }
  }
  for (const day of [10, 20, 30]) await post(connection, day, Array(100).fill(day))

  // The first transaction that is not wanted is looked at, too.
  expect(await ask(30, 1)).toEqual({ reads: 101, received: [3000], balances: [6000] })
  expect(await ask(30, 1)).toMatchObject({ reads: 1, received: [3000] })
  await post(other, 31, [7, 8])
  expect(await ask(30, 2)).toEqual({ reads: 2 + 1, received: [3000, 15], balances: [6000, 6015] })
  expect(await ask(20, 12)).toMatchObject({ reads: 101 })
  expect(await ask(1, 31)).toMatchObject({ reads: 100 })
  expect(await createDays(connection.reader, utc)(bruno.id, 1, 31)).toEqual(await daysOf(bruno.id, 1, 31))
})

test("stored snapshots are loaded; one with a flipped bit counts as missing", async () => {
  await using folder = await testFolder()
  const path = folder.file("rewards.db")
  const store = await openStore({ path, log: silent })
  const totals = columns.map((_, index) => Float64Array.of(index, 20, 300))
  const week = { of: "week" as const, startsAt: 7, throughId: 9, totals }
  const month = { ...week, of: "month" as const }
  await store.statistics.saveSnapshots([week, month])
  expect(await store.statistics.loadSnapshots()).toEqual([week, month])

  using other = plainly(path)
  const at = "length(totals) - 4"
  const flipped = `CAST(substr(totals, 1, ${at}) || unhex(CASE hex(substr(totals, ${at} + 1, 1)) WHEN '00' THEN '01' ELSE '00' END)
    || substr(totals, ${at} + 2) AS BLOB)`
  other.run(`UPDATE leaderboard_snapshots SET totals = ${flipped} WHERE period = 'week'`)
  await nextTick()
  expect(await store.statistics.loadSnapshots()).toEqual([month])
  other.run("UPDATE leaderboard_snapshots SET through_id = through_id + 64")
  await nextTick()
  expect(await store.statistics.loadSnapshots()).toEqual([])
  await store.close()
})

test("snapshots of another time zone are not loaded, and are replaced", async () => {
  await using folder = await testFolder()
  const open = (timeZone: string) => openStore({ path: folder.file("rewards.db"), timeZone, verifyMb: 0, log: silent })
  const utc = await open("UTC")
  const tokyo = await open("Asia/Tokyo")
  const snapshot = { of: "week" as const, startsAt: 7, throughId: 9, totals: columns.map(() => Float64Array.of(1)) }
  await utc.statistics.saveSnapshots([snapshot])

  expect(await utc.statistics.loadSnapshots()).toEqual([snapshot])
  expect(await tokyo.statistics.loadSnapshots()).toEqual([])
  const other = { ...snapshot, startsAt: 8, throughId: 3, totals: columns.map(() => Float64Array.of(2)) }
  await tokyo.statistics.saveSnapshots([other])
  expect(await tokyo.statistics.loadSnapshots()).toEqual([other])
  expect(await utc.statistics.loadSnapshots()).toEqual([])
  await Promise.all([utc.close(), tokyo.close()])
})
