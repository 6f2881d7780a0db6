import { expect, test } from "bun:test"
import { migrate, migrations } from "../../../../src/storage/postgres/database/migrations.ts"
import { clientOf, testDatabase } from "../../../support/postgres.ts"
import { allow, threePeople } from "../../contract/people.ts"
import { storeAt } from "../maintenance/support.ts"
import { testClient } from "../support.ts"

const all = migrations.map(({ tag }) => tag)
const later = [...migrations, { tag: "9999_later", sql: "CREATE TABLE later (id bigint);" }]

test("a new database gets every migration once, and no migration is read again later", async () => {
  await using subject = await testClient()
  expect(await migrate(subject.client, { now: 5 })).toEqual(all)
  expect(await migrate(subject.client, { now: 6 })).toEqual([])
  expect([...(await subject.client.query("SELECT tag, applied_at FROM migrations"))]).toEqual(
    all.map((tag) => ({ tag, applied_at: 5 })),
  )
})

test("if several processes start at once, one of them migrates", async () => {
  await using subject = await testClient()
  const clients = Array.from({ length: 5 }, () => clientOf(subject))
  const applied = await Promise.all(clients.map((client) => migrate(client, { now: 1 })))
  expect(applied.flat()).toEqual(all)
  await Promise.all(clients.map((client) => client.close()))
})

test("an upgrade applies only missing migrations and reports each step", async () => {
  await using subject = await testClient({ migrated: true })
  const told: string[] = []
  expect(await migrate(subject.client, { now: 1, known: later, tell: (text) => told.push(text) })).toEqual([
    "9999_later",
  ])
  expect(told).toEqual(["applying 9999_later"])
})

test("a server keeps working with tables that are one change newer", async () => {
  await using database = await testDatabase()
  const store = await storeAt(database.url)
  await threePeople(store)
  const use = async () => ({
    ...(await store.ledger.post({ kind: "transfer", senderId: 1, receiverId: 2, value: 5, date: 1 }, allow)),
    ana: await store.users.byUsername("ana"),
    listed: (await store.users.list()).length,
    newest: (await store.ledger.entries({ limit: 1 }))[0]?.id,
    page: (await store.ledger.page({ page: 1, size: 9 })).total,
    job: await store.jobs.claim("w1", 1, 1000, "mail"),
  })
  await use()
  const before = await use()

  const sql = `
    ALTER TABLE users ADD COLUMN later text COLLATE "C";
    ALTER TABLE transactions ADD COLUMN later text COLLATE "C";
    ALTER TABLE balances ADD COLUMN later bigint NOT NULL DEFAULT 0;
    ALTER TABLE jobs ADD COLUMN later bigint;`
  const client = clientOf(database)
  await migrate(client, { now: 1, known: [...migrations, { tag: "9999_later", sql }] })
  await client.close()

  expect(await use()).toEqual({ ...before, id: 3, newest: 3, page: 3 })
  await store.close()
  await expect(storeAt(database.url)).rejects.toThrow("it was written by a newer version of rewards")
})

test("a migration that fails leaves the database unchanged", async () => {
  await using subject = await testClient({ migrated: true })
  const broken = [...migrations, { tag: "9999_broken", sql: "CREATE TABLE later (id bigint); SELECT 1 / 0;" }]
  await expect(migrate(subject.client, { now: 1, known: broken })).rejects.toThrow("division by zero")
  expect(await migrate(subject.client, { now: 1, known: later })).toEqual(["9999_later"])
})

test("a schema of another version or program is refused and left unchanged", async () => {
  await using newer = await testClient({ migrated: true })
  await migrate(newer.client, { now: 1, known: later })
  await expect(migrate(newer.client, { now: 1 })).rejects.toThrow(
    "it was written by a newer version of rewards (migration 9999_later); run that version or a later one",
  )

  await using other = await testClient({ migrated: true })
  const edited = migrations.map(({ tag, sql }) => ({ tag, sql: `${sql}\n-- edited` }))
  await expect(migrate(other.client, { now: 1, known: edited })).rejects.toThrow(
    "migration 0000_init was applied by another version; run that version",
  )

  await using foreign = await testClient()
  await foreign.client.query("CREATE TABLE migrations (id bigint)")
  await expect(migrate(foreign.client, { now: 1 })).rejects.toThrow(
    "its schema public holds tables of another program; name an empty database in db.url",
  )
})
