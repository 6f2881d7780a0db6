import { expect, test } from "bun:test"
import { createAuditLog } from "../../../src/domain/audit/audit-log.ts"
import type { AuditEntry } from "../../../src/domain/audit/ports.ts"
import { openTestApp, operator } from "../../support/app.ts"

const minute = 60_000
const day = 24 * 60 * minute
const address = "198.51.100.1"
const logIn = { who: "ana", way: "http", address } as const
const failure = { who: null, way: "http", action: "login_failed", detail: null, before: null, after: null } as const

/** An audit log over a real store, and the user Ana. With `disk.fails` every write fails. */
async function openAuditLog(keepDays = 0) {
  const opened = await openTestApp()
  const { store } = opened.app
  const ana = await opened.create("Ana")
  const disk = { fails: false }
  const failures: number[] = []
  const append = async (entries: readonly AuditEntry[]) => {
    if (disk.fails) throw new Error("the disk is full")
    await store.audit.append(entries)
  }
  const auditLog = createAuditLog({
    store: { users: store.users, audit: { ...store.audit, append } },
    clock: opened.clock.now,
    keepDays,
    onFailure: (_, waiting) => failures.push(waiting),
  })
  const begin = (await store.audit.list({ limit: 1000 })).length
  /** The entries written since then, without ids. */
  const written = async () =>
    (await store.audit.list({ limit: 100_000 })).slice(begin).map(({ id: _, ...entry }) => entry)
  return { ...opened, ana, disk, failures, auditLog, written }
}

test("every login is recorded, and so is the first failure of each account from each address", async () => {
  await using given = await openAuditLog()
  const { auditLog, ana, clock } = given
  const at = clock.now()

  await auditLog.loggedIn(ana, address)
  await auditLog.loginFailed(ana, address)
  await auditLog.loginFailed(ana, "198.51.100.2")
  await auditLog.loginFailed(null, address)

  expect(await given.written()).toEqual([
    { ...logIn, at, action: "login", whom: null, count: 1, detail: null, before: null, after: null },
    { ...failure, at, address, whom: "ana", count: 1 },
    { ...failure, at, address: "198.51.100.2", whom: "ana", count: 1 },
    { ...failure, at, address, whom: null, count: 1 },
  ])
})

test("further failures within five minutes are counted in a second entry, written after that time", async () => {
  await using given = await openAuditLog()
  const { auditLog, ana, clock } = given
  const begin = clock.now()
  for (let count = 0; count < 1000; count++) await auditLog.loginFailed(ana, address)
  clock.advance(minute)
  await auditLog.loginFailed(ana, address)

  clock.advance(4 * minute - 1)
  await auditLog.sweep(clock.now())
  expect(await given.written()).toHaveLength(1)
  clock.advance(1)
  await auditLog.sweep(clock.now())
  await auditLog.loginFailed(ana, address)

  expect(await given.written()).toEqual([
    { ...failure, at: begin, address, whom: "ana", count: 1 },
    { ...failure, at: begin + minute, address, whom: "ana", count: 1000 },
    { ...failure, at: begin + 5 * minute, address, whom: "ana", count: 1 },
  ])
})

test("a flood of failures leaves at most about a hundred entries in five minutes, and every failure is counted", async () => {
  await using given = await openAuditLog()
  const { auditLog, ana, clock } = given
  const tries = 10_000
  for (let count = 0; count < tries; count++)
    await auditLog.loginFailed(count % 2 ? ana : null, `2001:db8::${count % 3000}`)
  clock.advance(5 * minute)
  await auditLog.sweep(clock.now())

  const entries = await given.written()
  expect(entries).toHaveLength(51)
  expect(entries.reduce((sum, { count }) => sum + count, 0)).toBe(tries)
  expect(entries.filter(({ address }) => address === null)).toEqual([
    expect.objectContaining({ action: "login_failed", whom: null, detail: "from many addresses" }),
  ])
})

test("entries that cannot be written wait until writing works again", async () => {
  await using given = await openAuditLog()
  const { auditLog, ana, clock, disk } = given
  disk.fails = true

  await auditLog.loggedIn(ana, address)
  await auditLog.loginFailed(ana, address)
  expect(given.failures).toEqual([1, 2])
  expect(await given.written()).toEqual([])

  disk.fails = false
  await auditLog.sweep(clock.now())
  expect((await given.written()).map(({ action }) => action)).toEqual(["login", "login_failed"])
})

test("at most a thousand entries wait", async () => {
  await using given = await openAuditLog()
  given.disk.fails = true
  for (let count = 0; count < 1100; count++) await given.auditLog.loggedIn(given.ana, address)

  expect(given.failures.at(-1)).toBe(1000)
})

test("closing writes the counts of failures that are not written yet", async () => {
  await using given = await openAuditLog()
  for (let count = 0; count < 3; count++) await given.auditLog.loginFailed(given.ana, address)

  await given.auditLog.close()

  expect((await given.written()).map(({ count }) => count)).toEqual([3])
})

test("closing writes the waiting entries", async () => {
  await using given = await openAuditLog()
  given.disk.fails = true
  await given.auditLog.loggedIn(given.ana, address)
  given.disk.fails = false

  await given.auditLog.close()

  expect((await given.written()).map(({ action }) => action)).toEqual(["login"])
})

test("the settings that weaken the service are recorded whenever they change, also when none remains", async () => {
  await using given = await openAuditLog()
  const { auditLog } = given
  for (const weak of [["server.profile"], ["server.profile"], [], [], ["email.debug_mode", "server.profile"]])
    await auditLog.settingsInForce(weak, operator)

  const { who, way } = operator
  expect((await given.written()).map(({ who, way, action, detail }) => ({ who, way, action, detail }))).toEqual([
    { who, way, action: "settings", detail: "weak: server.profile" },
    { who, way, action: "settings", detail: "none weak" },
    { who, way, action: "settings", detail: "weak: email.debug_mode, server.profile" },
  ])
  expect((await given.written()).map(({ before, after }) => [before?.weak, after?.weak])).toEqual([
    [undefined, ["server.profile"]],
    [["server.profile"], []],
    [[], ["email.debug_mode", "server.profile"]],
  ])
})

test("entries are deleted after keepDays, and never when it is 0", async () => {
  for (const [keepDays, kept] of [
    [0, 2],
    [30, 1],
  ] as const) {
    await using given = await openAuditLog(keepDays)
    const { auditLog, ana, clock } = given
    await auditLog.loggedIn(ana, address)
    clock.advance(30 * day)
    await auditLog.prune(clock.now())
    expect(await given.written()).toHaveLength(1)
    clock.advance(1)
    await auditLog.loggedIn(ana, address)
    await auditLog.prune(clock.now())
    const written = await given.app.store.audit.list({ action: "login", limit: 10 })
    expect([keepDays, written.length]).toEqual([keepDays, kept])
  }
})
