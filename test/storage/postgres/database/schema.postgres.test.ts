import { afterAll, expect, test } from "bun:test"
import { getTableConfig } from "drizzle-orm/sqlite-core"
import { parseDatabaseUrl } from "../../../../src/config/database-url.ts"
import type { Queries } from "../../../../src/storage/postgres/database/client.ts"
import { sqlStateOf } from "../../../../src/storage/postgres/database/errors.ts"
import { openStore } from "../../../../src/storage/postgres/store.ts"
import * as tables from "../../../../src/storage/tables.ts"
import { clientOf, testDatabase } from "../../../support/postgres.ts"
import { silent } from "../../files.ts"
import { beginningsIn, refusalsIn, writeRows } from "../../schema-refusals.ts"

/** With what `writeRows` writes; reached as any program would. */
const database = await testDatabase()
const client = clientOf(database)
await fill(database.url)
afterAll(async () => {
  await client.close()
  await database[Symbol.asyncDispose]()
})

async function fill(text: string) {
  const url = parseDatabaseUrl(text)
  if (url === undefined) throw new Error("the test's URL is not valid")
  const store = await openStore({ url, poolSize: 2, log: silent })
  await writeRows(store)
  await store.close()
}

/** SQLSTATE by name. */
const states = {
  TRIGGER: "23001",
  NOTNULL: "23502",
  FOREIGNKEY: "23503",
  UNIQUE: "23505",
  CHECK: "23514",
  DATATYPE: "22P02",
} as const

const dialect = { bytes: (count: number) => `decode(repeat('00', ${count}), 'hex')`, lineFeed: "chr(10)" }
const { transaction, note, job } = beginningsIn(dialect)

test.each([
  ...refusalsIn(dialect),
  ["a delete of all at once", "TRUNCATE transactions CASCADE", "TRIGGER"],
  ["an upsert", `${transaction} 2, 2, 1, 9, 1 ON CONFLICT (id) DO UPDATE SET value = 99`, "TRIGGER"],
  ["a gap in the ids", `${transaction} 3, 2, 1, 99, 1`, "TRIGGER"],
  ["a gap within a batch", `${transaction} id, 2, 1, 99, 1 FROM (VALUES (2), (4)) AS batch (id)`, "TRIGGER"],
  ["a delete of all audit entries at once", "TRUNCATE audit", "TRIGGER"],
  ["a delete of all notes at once", "TRUNCATE notes", "TRIGGER"],
  ["an erasure for no transaction", "INSERT INTO erasures VALUES (2, 1)", "FOREIGNKEY"],
  ["a payload that is no JSON", `${job}) VALUES ('mail', '{', 'available', 1, 1, 1, 1)`, "DATATYPE"],
] as const)("PostgreSQL itself refuses %s", async (_, sql, reason) => {
  const state = await client.query(sql).then(() => "nothing refused", sqlStateOf)
  expect(state).toBe(states[reason])
})

test("a batch reads only the users that it names", async () => {
  const others = "email, email_key, username, username_key, password, name, dept, currency"
  const rolledBack = client.transaction(async ({ query }) => {
    await query(`INSERT INTO users (${others})
      SELECT n, n, n, n, repeat('x', 60), n, 'sales', 'USD' FROM (SELECT 'n' || generate_series(1, 1000)) AS added (n)`)
    // The plan is made for the first batch and stays for those that follow.
    await query(`${transaction} id, 2, 1, 1, 1 FROM generate_series(2, 1001) AS batch (id)`)
    await query("UPDATE ledger_state SET last_id = 1001, transaction_count = 1001")
    const readBefore = await usersRead(query)
    await query(`${transaction} 1002, 2, 1, 1, 1`)
    throw new Read((await usersRead(query)) - readBefore)
  })
  expect(await rolledBack.catch((error) => error)).toEqual(new Read(0))
})

/** How many rows of users were read in this transaction without an index. */
async function usersRead(query: Queries["query"]): Promise<number> {
  const [row] = await query<{ read: number }>(
    "SELECT seq_tup_read AS read FROM pg_stat_xact_user_tables WHERE relname = 'users'",
  )
  return row?.read ?? Number.NaN
}

class Read extends Error {
  constructor(rows: number) {
    super(`read ${rows} rows`)
  }
}

test("an earlier transaction cannot get a note; an erasure deletes its note, and neither can be restored", async () => {
  const refused = async (sql: string) =>
    client.transaction(async ({ query }) => {
      await query("INSERT INTO erasures VALUES (1, 5)")
      expect([...(await query("SELECT FROM notes"))]).toEqual([])
      await query(sql)
    })
  for (const sql of [
    `${note} (1, ${dialect.bytes(16)}, 'Thanks', '', 0)`,
    "UPDATE erasures SET erased_at = 6",
    "DELETE FROM erasures",
    "TRUNCATE erasures",
  ])
    expect(await refused(sql).then(() => "nothing refused", sqlStateOf)).toBe(states.TRIGGER)
})

test("an erasure of a note that never existed is refused", async () => {
  const erased = client.transaction(async ({ query }) => {
    await query(`${transaction} 2, 2, 1, 1, 1`)
    await query("INSERT INTO erasures VALUES (2, 1)")
  })
  expect(await erased.then(() => "nothing refused", sqlStateOf)).toBe(states.TRIGGER)
})

test("texts are compared and sorted by bytes, whatever the locale of the cluster", async () => {
  const [locale] = await client.query<{ sorted: string[] }>(
    "SELECT array_agg(word ORDER BY word) AS sorted FROM unnest(ARRAY['b', 'A', 'a']) AS word",
  )
  expect(locale?.sorted).toEqual(["a", "A", "b"])
  const texts = await client.query(
    `SELECT table_name, column_name FROM information_schema.columns
     WHERE table_schema = 'public' AND data_type IN ('text', 'character varying') AND collation_name IS DISTINCT FROM 'C'`,
  )
  expect([...texts]).toEqual([])
})

test("the view balance has the time of each balance's last change", async () => {
  const rows = await client.query<object>("SELECT user_id, value, updated_at FROM balance ORDER BY user_id")
  expect([...rows]).toEqual([
    { user_id: 1, value: -5, updated_at: 1 },
    { user_id: 2, value: 5, updated_at: 1 },
  ])
})

test("the tables in tables.ts have columns that the migrations create, NOT NULL where they say so", async () => {
  for (const table of Object.values(tables)) {
    const { name, columns } = getTableConfig(table)
    const made = await client.query<{ name: string; isNotNull: boolean }>(
      `SELECT column_name AS name, is_nullable = 'NO' AS "isNotNull" FROM information_schema.columns
       WHERE table_schema = 'public' AND table_name = $1`,
      [name],
    )
    const described = columns.map((column) => ({ name: column.name, isNotNull: column.notNull || column.primary }))
    expect({ name, columns: [...made] }).toEqual({ name, columns: expect.arrayContaining(described) })
  }
})
