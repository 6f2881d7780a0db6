import { expect, test } from "bun:test"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { type CopyTarget, orderedJson } from "../../../src/storage/copy/copy.ts"
import {
  comparedTables,
  jsonColumns,
  ledgerTables,
  ownTables,
  tablesWithSequence,
} from "../../../src/storage/copy/tables.ts"
import { openStore } from "../../../src/storage/sqlite/store.ts"
import { testDatabase } from "../../support/postgres.ts"
import { allow } from "../contract/people.ts"
import { plainly, silent, testFolder } from "../files.ts"
import { storeAt, tamper } from "../postgres/maintenance/support.ts"
import { testClient } from "../postgres/support.ts"
import { copyBetween, maintenanceAt, writeHouse } from "./support.ts"

const copied = [...comparedTables, ledgerTables.transactions]

/** What is left out: it counts changes of one database, or says when a migration was applied. */
const notCompared = ["migrations", "access_changes"]

/** Every row of a database file, by table. */
function contentOf(path: string) {
  using client = plainly(path)
  const tables = client
    .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'sqlite_sequence'")
    .all()
    .filter(({ name }) => !notCompared.includes(name))
  const rows = tables.map(({ name }) => [
    name,
    client
      .query<Record<string, unknown>, []>(`SELECT * FROM ${name}`)
      .all()
      .map(({ revision: _, ...row }) => JSON.stringify(row)) // each database has revisions of its own
      .toSorted(),
  ])
  const payloads = client.query<{ payload: string }, []>("SELECT payload FROM jobs").all()
  const sequences = client
    .query<{ name: string; seq: number }, []>("SELECT name, seq FROM sqlite_sequence ORDER BY name")
    .all()
  return {
    ...Object.fromEntries(rows),
    // Each database has revisions of its own.
    ledger_state: client
      .query("SELECT transaction_count, last_id, last_date, hex(last_hash) FROM ledger_state")
      .values(),
    jobs: client.query("SELECT id, kind, state, created_at FROM jobs").values(),
    payloads: payloads.map(({ payload }) => orderedJson(payload)),
    sequences: sequences.filter(({ name }) => tablesWithSequence.includes(name)),
  }
}

test("every table and column of both schemas is copied, or is one that each database creates itself", async () => {
  await using folder = await testFolder()
  await using subject = await testClient({ migrated: true })
  const file = folder.file("rewards.db")
  await (await openStore({ path: file, log: silent })).close()
  const columnsAt = async (place: string) => maintenanceAt(place).asSource((source) => source.columns())
  await subject.client.close()
  const [here, there] = [await columnsAt(file), await columnsAt(subject.url)]

  const known = new Set([...copied.map(({ name }) => name), ...ownTables])
  expect([...here.keys(), ...there.keys()].filter((table) => !known.has(table))).toEqual([])
  for (const { name } of copied) {
    const shared = (all: ReadonlyMap<string, readonly string[]>) => all.get(name)?.toSorted()
    expect({ [name]: shared(there) }).toEqual({ [name]: shared(here) })
  }
})

test("columns with JSON and tables with a sequence are listed", async () => {
  await using subject = await testClient({ migrated: true })
  const json = await subject.client.query<{ name: string }>(
    `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND data_type = 'jsonb' ORDER BY 1`,
  )
  const sequences = await subject.client.query<{ name: string }>(
    `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND is_identity = 'YES' ORDER BY 1`,
  )
  const listed = Object.entries(jsonColumns).flatMap(([table, columns]) =>
    columns.map((column) => `${table}.${column}`),
  )
  expect(json.map(({ name }) => name)).toEqual(listed.toSorted())
  expect(sequences.map(({ name }) => name)).toEqual(tablesWithSequence.map((table) => `${table}.id`).toSorted())
})

test("after a copy from a file to PostgreSQL and back, everything is the same", async () => {
  await using folder = await testFolder()
  await using database = await testDatabase()
  const [from, back] = [folder.file("rewards.db"), folder.file("back.db")]
  await writeHouse(from)
  for (const { name } of copied) {
    using client = plainly(from)
    expect([name, client.query(`SELECT count(*) > 0 FROM ${name}`).values()]).toEqual([name, [[1]]])
  }

  expect(await copyBetween(from, database.url)).toMatchObject({ transactions: 701 })
  expect(await maintenanceAt(database.url).verify({ accepts: false })).toEqual({ transactions: 701, findings: [] })
  await copyBetween(database.url, back)

  expect(await maintenanceAt(back).verify({ accepts: false })).toEqual({ transactions: 701, findings: [] })
  expect(contentOf(back)).toEqual(contentOf(from))
})

test("a NUL character, which PostgreSQL cannot store, is replaced in the copy", async () => {
  await using folder = await testFolder()
  await using database = await testDatabase()
  const from = folder.file("rewards.db")
  await writeHouse(from)
  using client = plainly(from)
  client.run(
    "INSERT INTO audit (at, action, who, way, count) VALUES (60, 'login_failed', 'a' || char(0) || 'b', 'http', 1)",
  )

  await copyBetween(from, database.url)

  const store = await storeAt(database.url)
  expect(await store.audit.list({ action: "login_failed", limit: 1 })).toMatchObject([{ who: "a\ufffdb" }])
  await store.close()
})

test("a copied database continues with the next ids, in the ledger and where sequences assign them", async () => {
  await using folder = await testFolder()
  await using database = await testDatabase()
  const from = folder.file("rewards.db")
  await writeHouse(from)
  await copyBetween(from, database.url)

  const store = await storeAt(database.url)
  const entry = { kind: "transfer" as const, senderId: 1, receiverId: 2, value: 1, date: 5_000 }
  expect((await store.ledger.post(entry, allow)).id).toBe(702)
  const job = await store.jobs.enqueue({
    kind: "mail",
    payload: {},
    maxAttempts: 1,
    retryUntil: 2,
    runAt: 1,
    createdAt: 1,
  })
  expect(job.id).toBe(10) // 9 was given once
  await store.close()
})

test("a copy that is killed before any of its writes can be continued, with the same result", async () => {
  await using folder = await testFolder()
  await using database = await testDatabase()
  const [from, back] = [folder.file("rewards.db"), folder.file("back.db")]
  await writeHouse(from)
  const killedAt = async (source: string, target: string, write: number) => {
    const script = join(import.meta.dir, "killed-while-copying.ts")
    const child = Bun.spawn([process.execPath, script, source, target, String(write)], {
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, NODE_ENV: "test" },
    })
    await child.exited
    return child.signalCode
  }

  // Each dies at a later write of what is left, so pages of every phase are resumed behind.
  for (const write of [1, 3, 4, 6, 9]) expect(await killedAt(from, database.url, write)).toBe("SIGKILL")
  expect(await refusalOf(storeAt(database.url))).toContain("it is an unfinished copy")
  await copyBetween(from, database.url)

  for (const write of [2, 5, 7, 8]) expect(await killedAt(database.url, back, write)).toBe("SIGKILL")
  expect(existsSync(back)).toBe(false)
  await copyBetween(database.url, back)

  expect(contentOf(back)).toEqual(contentOf(from))
  expect(existsSync(`${back}.copying`)).toBe(false)
})

/** A target that fails at the first page of transactions. */
const failing = (target: CopyTarget): CopyTarget => ({ ...target, append: () => Promise.reject(new Error("cut off")) })

test("an unfinished copy is continued only if its source is unchanged", async () => {
  await using folder = await testFolder()
  await using database = await testDatabase()
  const from = folder.file("rewards.db")
  await writeHouse(from)
  expect(await refusalOf(copyBetween(from, database.url, failing))).toContain("cut off")
  using client = plainly(from)
  client.run("UPDATE users SET bio = 'Hello' WHERE id = 2")

  expect(await refusalOf(copyBetween(from, database.url))).toContain("an unfinished copy of another database")

  client.run("UPDATE users SET bio = NULL WHERE id = 2")
  expect(await copyBetween(from, database.url)).toMatchObject({ transactions: 701 })
})

test("a target that has any data is refused and left unchanged", async () => {
  await using folder = await testFolder()
  await using database = await testDatabase()
  const [from, other] = [folder.file("rewards.db"), folder.file("other.db")]
  await writeHouse(from)
  await writeHouse(other)
  await copyBetween(from, database.url)
  const before = contentOf(other)

  expect(await refusalOf(copyBetween(from, database.url))).toContain("it is not empty")
  expect(await refusalOf(copyBetween(database.url, other))).toContain("this file exists already")
  expect(await refusalOf(copyBetween(database.url, "/nowhere/rewards.db"))).toContain(
    "there is no folder /nowhere; create it first",
  )
  expect(contentOf(other)).toEqual(before)
  await tamper(database.url, "DROP TABLE migrations CASCADE")
  expect(await refusalOf(copyBetween(from, database.url))).toContain("tables of another program")
})

test("a source or target that a server has open is refused", async () => {
  await using folder = await testFolder()
  await using database = await testDatabase()
  const [from, back] = [folder.file("rewards.db"), folder.file("back.db")]
  await writeHouse(from)
  const serving = await openStore({ path: from, log: silent })
  expect(await refusalOf(copyBetween(from, database.url))).toContain("another process has it open")
  await serving.close()

  await copyBetween(from, database.url)
  const store = await storeAt(database.url)
  expect(await refusalOf(copyBetween(database.url, back))).toContain("another process has it open")
  await store.close()
})

test("a damaged source is refused before anything is written, and a damaged copy is never published", async () => {
  await using folder = await testFolder()
  await using database = await testDatabase()
  const from = folder.file("rewards.db")
  await writeHouse(from)
  const changing = (target: CopyTarget): CopyTarget => ({
    ...target,
    async complete(sequences) {
      await target.complete(sequences)
      await target.write(
        { name: "spent_tokens", key: ["token_hash"], types: { expires_at: "bigint" }, hasSequence: false },
        ["token_hash", "expires_at"],
        [["more", 1]],
      )
    },
  })
  expect(await refusalOf(copyBetween(from, database.url, changing))).toContain("not the same as its source")
  expect(await refusalOf(storeAt(database.url))).toContain("it is an unfinished copy")

  await maintenanceAt(database.url).reset()
  using client = plainly(from)
  client.run("UPDATE balances SET value = value + 1 WHERE user_id = 1")
  expect(await refusalOf(copyBetween(from, database.url))).toContain("the source is damaged (balances: ")
  expect(await refusalOf(maintenanceAt(database.url).verify({ accepts: false }))).toContain(
    "there is nothing in it yet",
  )
})

const refusalOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "not refused",
    (error: unknown) => String(error),
  )
