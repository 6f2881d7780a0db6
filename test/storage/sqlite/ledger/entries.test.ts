import { expect, test } from "bun:test"
import type { NewTransaction } from "../../../../src/domain/ledger/model.ts"
import { createEntries } from "../../../../src/storage/sqlite/ledger/entries.ts"
import { createUserStore } from "../../../../src/storage/sqlite/people/users.ts"
import { threePeople } from "../../contract/people.ts"
import { connect, postAll, testFolder } from "../../files.ts"
import { wrongSteps } from "../../plans.ts"

/** Ana to Bruno; the first is a grant, and has a note. */
async function history(count: number) {
  const folder = await testFolder()
  const connection = await connect(folder.file("rewards.db"))
  const { ana, bruno } = await threePeople({ users: createUserStore(connection) })
  const transfer = { kind: "transfer" as const, senderId: ana.id, receiverId: bruno.id, value: 1 }
  const note = { reason: "Budget", tags: [], isPrivate: false }
  const entries = Array.from({ length: count }, (_, index): NewTransaction => ({ ...transfer, date: index }))
  entries[0] = { ...transfer, kind: "grant", date: 0, note }
  await postAll(connection, entries)

  const counted = { sql: new Set<string>(), rows: 0, slices: 0 }
  const { client, read } = connection.reader
  const counting = Object.assign(Object.create(client), {
    prepare(sql: string) {
      counted.sql.add(sql)
      const statement = client.prepare(sql)
      return {
        get: (...values: never[]) => statement.get(...values),
        all(...values: never[]) {
          const found = statement.all(...values)
          counted.rows += found.length
          return found
        },
      }
    },
  })
  return {
    client,
    counted,
    counting: {
      client: counting,
      read<T>(work: () => T) {
        counted.slices += 1
        return read(work)
      },
    },
    async [Symbol.asyncDispose]() {
      await connection.close()
      await folder[Symbol.asyncDispose]()
    },
  }
}

test("a page, a page by day and a search in few notes read few rows of a long history", async () => {
  await using here = await history(20_000)
  const { entries } = createEntries(here.counting)

  for (const query of [
    {},
    { participantId: 2, before: 10_000 },
    { since: 5_000, until: 5_020 },
    { participantId: 1, until: 50 },
    { noteMatches: () => true },
  ]) {
    here.counted.rows = 0
    expect((await entries({ ...query, limit: 20 })).length).toBeGreaterThan(0)
    expect({ query, isFew: here.counted.rows < 1500 }).toEqual({ query, isFew: true })
  }
})

test("a search for a rare kind runs in time slices", async () => {
  await using here = await history(20_000)
  const { entries } = createEntries(here.counting, 0)

  for (const query of [{}, { participantId: 2 }]) {
    here.counted.slices = 0
    expect(await entries({ ...query, kind: "grant", limit: 20 })).toMatchObject([{ id: 1, kind: "grant" }])
    expect(here.counted.slices).toBeGreaterThan(50)
  }
})

test("no statement scans a whole table", async () => {
  await using here = await history(300)
  createEntries(here.counting)

  const reads = [...here.counted.sql].filter((sql) => sql.startsWith("SELECT"))
  const wrong = reads
    .map((sql) => ({ sql, wrong: wrongSteps(here.client, sql) }))
    .filter(({ wrong }) => wrong.length > 0)
  expect(wrong).toEqual([])
  expect(reads.length).toBeGreaterThan(10)
})
