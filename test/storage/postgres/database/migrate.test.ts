import { expect, test } from "bun:test"
import { migrate } from "../../../../src/storage/postgres/database/migrate.ts"
import { migrations } from "../../../../src/storage/postgres/database/migrations.ts"
import { clientOf } from "../../../support/postgres.ts"
import { testClient } from "../support.ts"

const all = migrations.map(({ tag }) => tag)
const later = [...migrations, { tag: "0001_later", sql: "CREATE TABLE later (id bigint);" }]

test("a new database gets every migration once, and reads none again", async () => {
  await using subject = await testClient()
  expect(await migrate(subject.client, { now: 5 })).toEqual(all)
  expect(await migrate(subject.client, { now: 6 })).toEqual([])
  expect([...(await subject.client.query("SELECT tag, applied_at FROM migrations"))]).toEqual(
    all.map((tag) => ({ tag, applied_at: 5 })),
  )
})

test("of several processes that start at once, one migrates", async () => {
  await using subject = await testClient()
  const clients = Array.from({ length: 5 }, () => clientOf(subject))
  const applied = await Promise.all(clients.map((client) => migrate(client, { now: 1 })))
  expect(applied.flat()).toEqual(all)
  await Promise.all(clients.map((client) => client.close()))
})

test("an upgrade applies only what is missing, and tells each step", async () => {
  await using subject = await testClient({ migrated: true })
  const told: string[] = []
  expect(await migrate(subject.client, { now: 1, known: later, tell: (text) => told.push(text) })).toEqual([
    "0001_later",
  ])
  expect(told).toEqual(["applying 0001_later"])
})

test("a migration that fails leaves the database as it was", async () => {
  await using subject = await testClient({ migrated: true })
  const broken = [...migrations, { tag: "0001_broken", sql: "CREATE TABLE later (id bigint); SELECT 1 / 0;" }]
  await expect(migrate(subject.client, { now: 1, known: broken })).rejects.toThrow("division by zero")
  expect(await migrate(subject.client, { now: 1, known: later })).toEqual(["0001_later"])
})

test("the schema of a newer or another version, or of another program, is refused and left alone", async () => {
  await using newer = await testClient({ migrated: true })
  await migrate(newer.client, { now: 1, known: later })
  await expect(migrate(newer.client, { now: 1 })).rejects.toThrow(
    "it was written by a newer version of rewards (migration 0001_later); run that version or a later one",
  )

  await using other = await testClient({ migrated: true })
  const edited = migrations.map(({ tag, sql }) => ({ tag, sql: `${sql}\n-- edited` }))
  await expect(migrate(other.client, { now: 1, known: edited })).rejects.toThrow(
    "its migration 0000_init is not this version's; run the version that wrote it",
  )

  await using foreign = await testClient()
  await foreign.client.query("CREATE TABLE migrations (id bigint)")
  await expect(migrate(foreign.client, { now: 1 })).rejects.toThrow(
    "its schema public holds tables of another program; name an empty database in db.url",
  )
})
