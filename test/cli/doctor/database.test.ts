import { describe, expect, test } from "bun:test"
import { checkBackup, checkDatabase, checkDatabaseServer } from "../../../src/cli/doctor/database.ts"
import type { FileDiagnosis, ServerDiagnosis } from "../../../src/storage/diagnosis.ts"

const hashOf = (password: string) => Bun.password.hash(password, { algorithm: "bcrypt", cost: 4 })

const soundFile: FileDiagnosis = {
  pending: [],
  damage: [],
  behindWatermark: null,
  lastDate: 0,
  adminPassword: await hashOf("a password of her own"),
  adminEmail: "ops@example.com",
  superusersWithoutFactor: [],
  webhooks: [],
  tokens: { endless: [], expiring: [] },
  overdue: { count: 0, lastError: null },
  futureTimes: [],
  discarded: { count: 0, newest: null },
  refusedMail: { count: 0, newest: null },
  lastBackupAt: null,
  bytes: 4_000_000,
}

const options = { isStrict: true, firstPassword: "a first password", sendsMail: true }
const inProduction = { ...options, verifyMb: 4 }

test("a healthy database passes every check", async () => {
  expect(await checkDatabase(soundFile, inProduction)).toEqual([
    { check: "database", verdict: "ok", message: "opens, and SQLite finds no damage", cure: null },
    { check: "watermark", verdict: "ok", message: "no transaction is missing", cure: null },
    {
      check: "admin",
      verdict: "ok",
      message: "admin has neither the first password nor one of the most common ones",
      cure: null,
    },
    { check: "jobs", verdict: "ok", message: "none is overdue", cure: null },
  ])
})

test("doctor says that a database larger than db.verify_mb is verified only by backups, not at each start", async () => {
  const [found] = await checkDatabase({ ...soundFile, bytes: 4_000_001 }, inProduction)

  expect(found).toMatchObject({
    verdict: "ok",
    message: "opens, and SQLite finds no damage; larger than db.verify_mb, so only backups verify it, not every start",
  })
})

test("each damage is reported, with a backup as the cure", async () => {
  const [found] = await checkDatabase(
    { ...soundFile, damage: ["row 5 missing from index users_email_key"] },
    inProduction,
  )

  expect(found).toEqual({
    check: "database",
    verdict: "bad",
    message: "row 5 missing from index users_email_key",
    cure: "`rewards restore FILE`; see `rewards verify` for details",
  })
})

test("a ledger behind its watermark is bad", async () => {
  const behindWatermark = "transactions 5 to 7, which were recorded, are missing"

  expect(await checkDatabase({ ...soundFile, behindWatermark }, inProduction)).toContainEqual({
    check: "watermark",
    verdict: "bad",
    message: behindWatermark,
    cure: "`rewards restore FILE`, or `rewards verify --accept` to continue without them",
  })
})

test("admin's default password is bad in production and a warning in development", async () => {
  const examined = { ...soundFile, adminPassword: await hashOf("admin") }
  const found = { check: "admin", message: "admin has the default password", cure: "`rewards user set-password admin`" }

  expect(await checkDatabase(examined, inProduction)).toContainEqual({ ...found, verdict: "bad" })
  expect(await checkDatabase(examined, { ...inProduction, isStrict: false })).toContainEqual({
    ...found,
    verdict: "warn",
  })
})

test("a first password that is still in the settings is a warning, in production too", async () => {
  const examined = { ...soundFile, adminPassword: await hashOf("a first password") }

  expect(await checkDatabase(examined, inProduction)).toContainEqual({
    check: "admin",
    verdict: "warn",
    message: "admin has the first password, which is also in security.admin_password",
    cure: "`rewards user set-password admin`",
  })
})

test("an admin whom no mail reaches is a warning where mail is sent", async () => {
  const examined = { ...soundFile, adminEmail: "admin@localhost" }
  const found = {
    check: "admin",
    verdict: "warn" as const,
    message: "nobody reads mail to admin@localhost, such as requests for rewards",
    cure: "set security.admin_email and restart, or correct the address in the app's administration",
  }

  expect(await checkDatabase(examined, inProduction)).toContainEqual(found)
  expect(await checkDatabase(examined, { ...inProduction, sendsMail: false })).not.toContainEqual(found)
})

test("one of the most common passwords for admin is bad in production and a warning in development", async () => {
  const found = { check: "admin", message: "admin has one of the most common passwords" }
  for (const password of ["password", "12345678", "123456"]) {
    const examined = { ...soundFile, adminPassword: await hashOf(password) }
    expect(await checkDatabase(examined, inProduction)).toContainEqual(
      expect.objectContaining({ ...found, verdict: "bad" }),
    )
    expect(await checkDatabase(examined, { ...inProduction, isStrict: false })).toContainEqual(
      expect.objectContaining({ ...found, verdict: "warn" }),
    )
  }
})

test("jobs that have waited long are reported with their last error", async () => {
  const found = async (lastError: string | null) =>
    (await checkDatabase({ ...soundFile, overdue: { count: 2, lastError } }, inProduction)).at(-1)

  expect(await found("ETIMEDOUT")).toEqual({
    check: "jobs",
    verdict: "warn",
    message: "2 have been waiting for more than ten minutes; the last attempt: ETIMEDOUT",
    cure: "check that `rewards serve` runs, and the findings about mail",
  })
  expect(await found(null)).toMatchObject({ message: "2 have been waiting for more than ten minutes" })
})

test("for a database that is not up to date only the missing migrations are reported", async () => {
  expect(await checkDatabase({ ...soundFile, pending: ["0007_more", "0008_yet_more"] }, inProduction)).toEqual([
    {
      check: "database",
      verdict: "warn",
      message: "not up to date: 0007_more, 0008_yet_more",
      cure: "the next start migrates it",
    },
  ])
})

test("mail that the mail server refuses is bad, with its answer and the cure", async () => {
  const newest = { answer: "554 5.7.1 <…@…>: Relay access denied", cure: "set email.smtp_user" }

  expect(await checkDatabase({ ...soundFile, refusedMail: { count: 2, newest } }, inProduction)).toContainEqual({
    check: "mail",
    cure: "set email.smtp_user, then `rewards mail retry`",
    message: "2 mails wait, because the mail server refuses: 554 5.7.1 <…@…>: Relay access denied",
    verdict: "bad",
  })
})

test("discarded jobs are reported with the newest reason", async () => {
  const newest = { kind: "invitation", at: Date.UTC(2026, 0, 5, 9), error: "450 try again later" }

  expect((await checkDatabase({ ...soundFile, discarded: { count: 2, newest } }, inProduction)).at(-1)).toEqual({
    check: "jobs",
    verdict: "warn",
    message:
      "2 were discarded in the last 30 days; the newest, invitation at 2026-01-05T09:00:00.000Z: 450 try again later",
    cure: "correct that cause, then send the mail again: `rewards mail list`, `rewards mail retry`",
  })
})

const hourMs = 3_600_000
const now = Date.parse("2026-01-05T09:00:00Z")

/** With a backup so many hours ago, or none. */
const backupFound = (hours: number | null, everyHours: number, isStrict = true) =>
  checkBackup({ madeAt: hours === null ? [] : [now - hours * hourMs], everyHours, now, isStrict })[0]

test("a scheduled backup counts as on time until an hour after it was due, and as bad after that", () => {
  const check = "backup"
  expect(backupFound(0, 24)).toEqual({ check, verdict: "ok", message: "the newest is 0 h old", cure: null })
  expect(backupFound(25, 24)).toEqual({ check, verdict: "ok", message: "the newest is 25 h old", cure: null })
  expect(backupFound(25.1, 24)).toEqual({
    check,
    verdict: "bad",
    message: "the newest is 25 h old, and backup.every_hours is 24",
    cure: "look for `scheduled backup failed` in the log",
  })
  expect(backupFound(null, 24)).toEqual({
    check,
    verdict: "warn",
    message: "none yet",
    cure: "`rewards serve` makes the first one when it starts",
  })
})

test("without a schedule a backup is good for a week; an older one is a warning, and so is none in production", () => {
  const cure = "set backup.every_hours, or run `rewards backup` by a timer"
  expect(backupFound(7 * 24, 0)).toMatchObject({ verdict: "ok", message: "the newest is 7 days old" })
  expect(backupFound(8 * 24, 0)).toMatchObject({ verdict: "warn", message: "the newest is 8 days old", cure })
  expect(backupFound(null, 0)).toMatchObject({ verdict: "warn", message: "none yet, and none is scheduled", cure })
  expect(backupFound(null, 0, false)).toMatchObject({ verdict: "ok", message: "none yet", cure: null })
})

test("a backup dated in the future does not count, and is reported", () => {
  const future = [now + 100 * 24 * hourMs, now + 24 * hourMs]
  const found = (madeAt: readonly number[]) => checkBackup({ madeAt, everyHours: 24, now, isStrict: true })

  expect(found([...future, now - 30 * hourMs])).toMatchObject([
    { verdict: "bad", message: "the newest is 30 h old, and backup.every_hours is 24" },
    {
      check: "backup",
      verdict: "warn",
      message: "2 made with a wrong clock: their dates are in the future, up to 2026-04-15T09:00:00.000Z",
    },
  ])
  expect(found(future)).toMatchObject([{ verdict: "warn", message: "none yet" }, { verdict: "warn" }])
  expect(found([now + 60_000])).toMatchObject([{ verdict: "ok", message: "the newest is 0 h old" }])
})

test("an API token that never expires or soon expires is a warning", async () => {
  const tokens = { endless: ["1 (Directory)"], expiring: ["3 (Report)", "4 (Bot)"] }
  const findings = (await checkDatabase({ ...soundFile, tokens }, inProduction)).filter(
    ({ check }) => check === "tokens",
  )

  expect(findings.map(({ verdict, message }) => `${verdict} ${message}`)).toEqual([
    "warn these tokens of scope admin never expire: 1 (Directory)",
    "warn expired, or expire within two weeks: 3 (Report), 4 (Bot)",
  ])
})

const soundServer: ServerDiagnosis = {
  version: "17.2",
  user: "rewards",
  bytes: 12_345_678,
  mayMigrate: true,
  maxConnections: 97,
  usedConnections: 24,
  processes: 2,
  synchronousCommit: "on",
  synchronousCommitFrom: "configuration file",
  fsync: "on",
  fullPageWrites: "on",
  synchronousStandbys: "ANY 1 (db2)",
  standbys: [{ name: "db2", state: "streaming", sync: "quorum", lagMs: 3 }],
  clockDifferenceMs: -120,
  isNew: false,
  pending: [],
  contents: {
    lastDate: 1,
    adminPassword: "no hash that matches",
    adminEmail: "ops@example.com",
    superusersWithoutFactor: [],
    webhooks: [],
    tokens: { endless: [], expiring: [] },
    overdue: { count: 0, lastError: null },
    futureTimes: [],
    discarded: { count: 0, newest: null },
    refusedMail: { count: 0, newest: null },
  },
}

const findingsOf = (fields: Partial<ServerDiagnosis> = {}, poolSize = 10) =>
  checkDatabaseServer({ ...soundServer, ...fields }, { ...options, poolSize })

test("a healthy PostgreSQL server passes every check, and each check says what it found", async () => {
  const findings = await findingsOf()
  expect(findings.map(({ verdict, check, message }) => [verdict, check, message])).toEqual([
    ["ok", "database", "PostgreSQL 17.2, 12.3 MB"],
    ["ok", "rights", "rewards may create and change tables"],
    ["ok", "durability", "fsync and full_page_writes are on, synchronous_commit is on"],
    ["ok", "connections", "24 of 97 in use; room for 7 processes with db.pool_size 10"],
    ["ok", "standby", "db2: quorum streaming, 3 ms behind"],
    ["ok", "database clock", "agrees with this machine's within two seconds"],
    ["ok", "admin", "admin has neither the first password nor one of the most common ones"],
    ["ok", "jobs", "none is overdue"],
  ])
})

describe("doctor reports, with a cure:", () => {
  for (const [what, fields, check, verdict, message, cure] of [
    ["fsync off", { fsync: "off" }, "durability", "bad", "fsync is off", "ALTER SYSTEM SET fsync = on"],
    ["full_page_writes off", { fullPageWrites: "off" }, "durability", "bad", "full_page_writes is off", "ALTER SYSTEM"],
    [
      "synchronous_commit off",
      { synchronousCommit: "off" },
      "durability",
      "bad",
      "loses transfers that were answered 201",
      "ALTER SYSTEM SET synchronous_commit = on",
    ],
    [
      "synchronous_commit off for the user",
      { synchronousCommit: "off", synchronousCommitFrom: "user" },
      "durability",
      "bad",
      "loses transfers that were answered 201",
      'ALTER ROLE "rewards" RESET synchronous_commit',
    ],
    [
      "synchronous_commit off for the database",
      { synchronousCommit: "off", synchronousCommitFrom: "database" },
      "durability",
      "bad",
      "loses transfers that were answered 201",
      "ALTER DATABASE … RESET synchronous_commit",
    ],
    ["no right to migrate", { mayMigrate: false }, "rights", "bad", "may not create tables", "REASSIGN OWNED"],
    [
      "more pools than connections",
      { processes: 9 },
      "connections",
      "bad",
      "9 processes may open 108",
      "max_connections",
    ],
    ["no room for another process", { processes: 7 }, "connections", "warn", "room for 7 processes", "max_connections"],
    ["most connections in use", { usedConnections: 90 }, "connections", "warn", "90 of 97 in use", "db.pool_size"],
    [
      "one process too many beside commands and backups",
      { maxConnections: 25, processes: 1 },
      "connections",
      "warn",
      "room for 1 process with db.pool_size 10",
      "max_connections",
    ],
    [
      "a pool that does not fit",
      { maxConnections: 10, processes: 0 },
      "connections",
      "bad",
      "1 process may open 12, and the server has 10",
      "db.pool_size",
    ],
    [
      "a synchronous standby that is away",
      { standbys: [] },
      "standby",
      "bad",
      "every commit waits",
      "start the standby",
    ],
    [
      "commits that do not wait for the standby",
      { synchronousCommit: "local" },
      "standby",
      "warn",
      "do not wait for the standby",
      "synchronous_commit = on",
    ],
    ["a clock that is ahead", { clockDifferenceMs: 5000 }, "database clock", "warn", "5.0 s ahead of", "NTP"],
    ["a clock that is behind", { clockDifferenceMs: -5000 }, "database clock", "warn", "5.0 s behind", "NTP"],
    [
      "a missing migration",
      { pending: ["0001_more"], contents: null },
      "database",
      "warn",
      "not up to date: 0001_more",
      "the next start migrates it",
    ],
  ] as const)
    test(what, async () => {
      const findings = (await findingsOf(fields)).filter(({ verdict }) => verdict !== "ok")
      expect(findings).toEqual([
        { check, verdict, message: expect.stringContaining(message), cure: expect.stringContaining(cure) },
      ])
    })
})

test("hidden standbys, no standbys and an empty database are no problem", async () => {
  for (const fields of [
    { standbys: null },
    { standbys: null, synchronousStandbys: "" },
    { standbys: [], synchronousStandbys: "" },
    { isNew: true, contents: null },
  ])
    expect((await findingsOf(fields)).filter(({ verdict }) => verdict !== "ok")).toEqual([])
})
