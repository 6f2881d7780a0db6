import type { Database } from "bun:sqlite"
import { expect, spyOn, test } from "bun:test"
import { join } from "node:path"
import fc from "fast-check"
import type { NewTransaction } from "../../src/domain/store.ts"
import { migrate } from "../../src/storage/sqlite/migrate.ts"
import { migrations } from "../../src/storage/sqlite/migrations.ts"
import { openStore } from "../../src/storage/sqlite/store.ts"
import { allow, person } from "./contract/people.ts"
import { plainly, silent, testFolder } from "./files.ts"
import { writeOldDatabase } from "./old-database.ts"

const names = ["Ana", "Bruno", "Carla", "Davi"]

/** The same ones each time, some of them to oneself; dates never go backwards. */
function entriesOf(count: number): NewTransaction[] {
  const user = fc.integer({ min: 1, max: names.length })
  const entry = fc.record({ senderId: user, receiverId: user, value: fc.integer({ min: 1, max: 100 }) })
  return fc.sample(entry, { numRuns: count, seed: 6 }).map((sent, index) => ({ ...sent, date: 1000 + index }))
}

/** Everything that a transaction leaves behind. */
const ledgerIn = (client: Database) =>
  ["transactions", "balances", "ledger_state"].map((table) => client.query(`SELECT * FROM ${table}`).all())

test("a database of the first version becomes what this version would have written", async () => {
  await using folder = await testFolder()
  const entries = entriesOf(300)
  writeOldDatabase(folder.file("old.db"), names, entries)
  const store = await openStore({ path: folder.file("new.db"), log: silent })
  for (const name of names) await store.users.create(person(name))
  for (const entry of entries) await store.ledger.post(entry, allow)
  await store.close()

  const migrated = await openStore({ path: folder.file("old.db"), log: silent })
  expect(migrated.migrated).toEqual(migrations.slice(1).map(({ tag }) => tag))
  await migrated.close()

  using old = plainly(folder.file("old.db"))
  using today = plainly(folder.file("new.db"))
  expect(ledgerIn(old)).toEqual(ledgerIn(today))
  const schema = "SELECT type, name, sql FROM sqlite_schema ORDER BY name"
  expect(old.query(schema).all()).toEqual(today.query(schema).all())
})

test("an old database without transactions, and one without anybody, migrate too", async () => {
  await using folder = await testFolder()
  for (const [file, people] of [
    ["people.db", names],
    ["empty.db", []],
  ] as const) {
    writeOldDatabase(folder.file(file), people, [])
    const store = await openStore({ path: folder.file(file), log: silent })
    expect(await store.ledger.page({ page: 1, size: 10 })).toEqual({ items: [], total: 0 })
    await store.close()
  }
})

test("a long one says every two seconds how far it is, and then what is left to do", async () => {
  await using folder = await testFolder()
  writeOldDatabase(folder.file("old.db"), names, entriesOf(25_000))
  const told: string[] = []
  let ms = 0
  const clock = spyOn(performance, "now").mockImplementation(() => {
    ms += 1500
    return ms
  })

  const store = await openStore({ path: folder.file("old.db"), log: silent, onMigrating: (text) => told.push(text) })
  clock.mockRestore()

  expect(told).toEqual([
    "0001_lists: 20,000 of 25,000 transactions",
    ...migrations.slice(2).map(({ tag }) => tag),
    "looking for references that lead nowhere",
    "writing all of it to the disk",
  ])
  await store.close()
})

test("a process that is killed in its middle leaves the old database, which migrates at the next opening", async () => {
  await using folder = await testFolder()
  const path = folder.file("old.db")
  const entries = entriesOf(25_000)
  writeOldDatabase(path, names, entries)
  const tablesOf = (client: Database) => client.query("SELECT sql FROM sqlite_schema ORDER BY name").all()
  using before = plainly(path)
  const [tables, rows] = [tablesOf(before), before.query("SELECT * FROM transactions").all()]

  const child = Bun.spawn([process.execPath, join(import.meta.dir, "killed-while-migrating.ts"), path])
  await child.exited
  expect(child.signalCode).toBe("SIGKILL")

  using after = plainly(path)
  expect(tablesOf(after)).toEqual(tables)
  expect(after.query("SELECT * FROM transactions").all()).toEqual(rows)
  const store = await openStore({ path, log: silent })
  expect(await store.ledger.page({ page: 1, size: 1 })).toMatchObject({ items: [{ id: 1 }], total: entries.length })
  expect(await store.ledger.post({ senderId: 1, receiverId: 2, value: 1, date: 1 }, allow)).toMatchObject({
    id: entries.length + 1,
  })
  await store.close()
})

test("a balance that the transactions do not add up to stops it, and the old database stays", async () => {
  await using folder = await testFolder()
  const path = folder.file("old.db")
  writeOldDatabase(path, names, [{ senderId: 1, receiverId: 2, value: 5, date: 1 }])
  using client = plainly(path)
  client.run("UPDATE balances SET value = 6 WHERE user_id = 2")

  expect(() => migrate(client, 2)).toThrow(
    "the balance of user 2 is 6, but the transactions add up to 5; put a backup in its place",
  )

  expect(client.query("SELECT tag FROM migrations").values()).toEqual([["0000_init"]])
  expect(client.query("SELECT count(*) FROM transactions").values()).toEqual([[1]])
})
