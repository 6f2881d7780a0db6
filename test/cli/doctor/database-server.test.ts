import { describe, expect, test } from "bun:test"
import { checkDatabaseServer } from "../../../src/cli/doctor/database-server.ts"
import type { ServerDiagnosis } from "../../../src/storage/maintenance.ts"

const sound: ServerDiagnosis = {
  version: "17.2",
  user: "rewards",
  bytes: 12_345_678,
  mayMigrate: true,
  maxConnections: 97,
  usedConnections: 24,
  processes: 2,
  synchronousCommit: "on",
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
    superusersWithoutFactor: [],
    webhooks: [],
    tokens: { endless: [], expiring: [] },
    overdue: { count: 0, lastError: null },
    discarded: { count: 0, newest: null },
  },
}

const findingsOf = (fields: Partial<ServerDiagnosis> = {}, poolSize = 10) =>
  checkDatabaseServer({ ...sound, ...fields }, { isStrict: true, poolSize })

test("a sound server: every check is ok, and says what it saw", async () => {
  const findings = await findingsOf()
  expect(findings.map(({ verdict, check, message }) => [verdict, check, message])).toEqual([
    ["ok", "database", "PostgreSQL 17.2, 12.3 MB"],
    ["ok", "rights", "rewards may create and change tables"],
    ["ok", "durability", "fsync and full_page_writes are on, synchronous_commit is on"],
    ["ok", "connections", "24 of 97 in use; room for 8 processes with db.pool_size 10"],
    ["ok", "standby", "db2: quorum streaming, 3 ms behind"],
    ["ok", "database clock", "agrees with this machine's within two seconds"],
    ["ok", "admin", "admin has neither the default password nor one of the most common ones"],
    ["ok", "jobs", "none is overdue"],
  ])
})

describe("found, with its cure, is", () => {
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
    ["no right to migrate", { mayMigrate: false }, "rights", "bad", "may not create tables", "REASSIGN OWNED"],
    [
      "more pools than connections",
      { processes: 9 },
      "connections",
      "bad",
      "9 processes may open 99",
      "max_connections",
    ],
    ["no room for another process", { processes: 8 }, "connections", "warn", "room for 8 processes", "max_connections"],
    ["most connections in use", { usedConnections: 90 }, "connections", "warn", "90 of 97 in use", "db.pool_size"],
    ["a pool that does not fit", { maxConnections: 10, processes: 0 }, "connections", "bad", "has 10", "db.pool_size"],
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

test("standbys that this user may not see, an empty database, and none at all are no problem", async () => {
  for (const fields of [
    { standbys: null },
    { standbys: null, synchronousStandbys: "" },
    { standbys: [], synchronousStandbys: "" },
    { isNew: true, contents: null },
  ])
    expect((await findingsOf(fields)).filter(({ verdict }) => verdict !== "ok")).toEqual([])
})
