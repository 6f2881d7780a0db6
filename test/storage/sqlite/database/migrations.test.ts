import type { Database } from "bun:sqlite"
import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import { migrate, migrations, schemaHash } from "../../../../src/storage/sqlite/database/migrations.ts"
import { hashOfSchema } from "../../../../src/storage/sqlite/maintenance/verify.ts"
import { openStore } from "../../../../src/storage/sqlite/store.ts"
import { allow, threePeople } from "../../contract/people.ts"
import { codeThrownBy, plainly, silent, testFolder } from "../../files.ts"
import { becomeLaterVersion, medals } from "../../later-version.ts"

const tables = (client: Database) =>
  client
    .query("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*' ORDER BY name")
    .values()
const recorded = (client: Database) => client.query("SELECT tag, applied_at FROM migrations ORDER BY tag").values()
const foreignKeys = (client: Database) => client.query("PRAGMA foreign_keys").get()

const tags = migrations.map(({ tag }) => tag)

test("a new file gets every migration, and an existing one only those it lacks, each once", async () => {
  await using folder = await testFolder()
  using client = plainly(folder.file("rewards.db"))

  expect(migrate(client, 100)).toEqual(tags)
  expect(migrate(client, 200)).toEqual([])
  expect(migrate(client, 300, [...migrations, medals])).toEqual(["9999_medals"])
  expect(migrate(client, 400, [...migrations, medals])).toEqual([])

  expect(recorded(client)).toEqual([...tags.map((tag) => [tag, 100]), ["9999_medals", 300]])
  expect(tables(client)).toContainEqual(["medals"])
  expect(foreignKeys(client)).toEqual({ foreign_keys: 1 })
})

test("the recorded hash of the schema matches what the migrations create", async () => {
  await using folder = await testFolder()
  using client = plainly(folder.file("rewards.db"))
  migrate(client, 100)

  expect(schemaHash).toBe(hashOfSchema(client))
})

test("a store says which migrations its opening applied", async () => {
  await using folder = await testFolder()
  const path = folder.file("rewards.db")
  const [first, second] = [await openStore({ path, log: silent }), await openStore({ path, log: silent })]

  expect([first.migrated, second.migrated]).toEqual([tags, []])
  await first.close()
  await second.close()
})

test("each step is reported before it begins, unless the database is new", async () => {
  await using folder = await testFolder()
  const path = folder.file("rewards.db")
  const told: string[] = []
  const open = () => openStore({ path, log: silent, onMigrating: (text) => told.push(text) })

  await (await open()).close()
  expect(told).toEqual([])

  using _ = becomeLaterVersion()
  await (await open()).close()
  expect(told).toEqual(["applying 9999_medals", "checking foreign keys", "writing to the disk"])
})

test("if a process is killed before the commit, the database is unchanged, and the next opening migrates it", async () => {
  await using folder = await testFolder()
  const path = folder.file("rewards.db")
  const store = await openStore({ path, log: silent })
  await threePeople(store)
  await store.close()
  using before = plainly(path)
  const schema = (client: Database) => client.query("SELECT sql FROM sqlite_schema ORDER BY name").all()
  const asItWas = schema(before)

  const child = Bun.spawn([process.execPath, join(import.meta.dir, "../../killed-while-migrating.ts"), path])
  await child.exited
  expect(child.signalCode).toBe("SIGKILL")

  using after = plainly(path)
  expect(schema(after)).toEqual(asItWas)
  using _ = becomeLaterVersion()
  const migrated = await openStore({ path, log: silent })
  expect(migrated.migrated).toEqual(["9999_medals"])
  await migrated.close()
  expect(after.query("SELECT count(*) FROM medals").values()).toEqual([[3]])
})

describe("a migration that fails", () => {
  for (const [what, sql] of [
    ["in its middle", "CREATE TABLE medals (id INTEGER); CREATE TABLE medals (id INTEGER);"],
    ["in its words", "CREATE TABLE medals (id INTEGER); CREATE TALBE;"],
    [
      "by leaving a foreign key that leads nowhere",
      "DROP TRIGGER users_are_never_deleted; DELETE FROM users WHERE id = 2;",
    ],
  ] as const)
    test(`${what} leaves the database as it was`, async () => {
      await using folder = await testFolder()
      const store = await openStore({ path: folder.file("rewards.db"), log: silent })
      const { ana, bruno } = await threePeople(store)
      await store.ledger.post({ kind: "transfer", senderId: ana.id, receiverId: bruno.id, value: 5, date: 1 }, allow)
      await store.close()
      using client = plainly(folder.file("rewards.db"))
      const before = [tables(client), recorded(client), client.query("SELECT * FROM users").all()]

      expect(() => migrate(client, 300, [...migrations, { tag: "9999_bad", sql }])).toThrow()

      expect([tables(client), recorded(client), client.query("SELECT * FROM users").all()]).toEqual(before)
      expect(client.inTransaction).toBe(false)
      expect(foreignKeys(client)).toEqual({ foreign_keys: 1 })
      expect(migrate(client, 400, [...migrations, medals])).toEqual(["9999_medals"])
    })

  test("also undoes the migrations before it, so that a new file stays empty", async () => {
    await using folder = await testFolder()
    using client = plainly(folder.file("rewards.db"))

    expect(() => migrate(client, 300, [...migrations, { tag: "9999_bad", sql: "CREATE TALBE;" }])).toThrow()

    expect(tables(client)).toEqual([])
    expect(client.query("PRAGMA application_id").get()).toEqual({ application_id: 0 })
    expect(migrate(client, 400)).toEqual(tags)
  })
})

test("a migration can rebuild a table that others refer to, and loses nothing", async () => {
  await using folder = await testFolder()
  const store = await openStore({ path: folder.file("rewards.db"), log: silent })
  const { ana, bruno } = await threePeople(store)
  await store.ledger.post({ kind: "transfer", senderId: ana.id, receiverId: bruno.id, value: 5, date: 1 }, allow)
  await store.close()
  using client = plainly(folder.file("rewards.db"))
  client.run("PRAGMA foreign_keys = ON")
  const before = [client.query("SELECT * FROM users").all(), client.query("SELECT * FROM transactions").all()]
  const definition = client.query<{ sql: string }, []>("SELECT sql FROM sqlite_schema WHERE name = 'users'").get()?.sql

  const sql = `${definition?.replace("users", "new_users")};
    INSERT INTO new_users SELECT * FROM users;
    DROP TABLE users;
    ALTER TABLE new_users RENAME TO users;`
  expect(migrate(client, 300, [...migrations, { tag: "9999_rebuild", sql }])).toEqual(["9999_rebuild"])

  expect([client.query("SELECT * FROM users").all(), client.query("SELECT * FROM transactions").all()]).toEqual(before)
  expect(codeThrownBy(() => client.run("DELETE FROM users WHERE id = 1"))).toBe("SQLITE_CONSTRAINT_FOREIGNKEY")
})

test("if another process migrates between any two statements of this one, one of them applies all migrations", async () => {
  await using folder = await testFolder()

  for (let step = 1, interrupted = true; interrupted; step += 1) {
    interrupted = false
    const path = folder.file(`${step}.db`)
    using client = plainly(path)
    using other = plainly(path)
    client.run("PRAGMA journal_mode = WAL")
    let statements = 0
    const applied: string[] = []
    const interruptible = watched(client, () => {
      statements += 1
      if (statements !== step) return
      interrupted = true
      applied.push(...migrateUnlessLocked(other))
    })

    applied.push(...migrate(interruptible, 100))

    expect({ step, applied }).toEqual({ step, applied: tags })
    expect(recorded(other)).toEqual(tags.map((tag) => [tag, 100]))
  }
})

/** `client`, with a call before each statement. */
function watched(client: Database, before: () => void): Database {
  return new Proxy(client, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== "function") return value
      return (...args: unknown[]) => {
        if (name === "run" || name === "query") before()
        return value.apply(target, args)
      }
    },
  })
}

function migrateUnlessLocked(client: Database): string[] {
  try {
    return migrate(client, 100)
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "SQLITE_BUSY") return []
    throw error
  }
}
