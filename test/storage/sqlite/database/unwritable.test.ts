import { expect, test } from "bun:test"
import { DomainError } from "../../../../src/domain/errors.ts"
import type { Connection } from "../../../../src/storage/sqlite/database/connection.ts"
import { openConnection } from "../../../../src/storage/sqlite/database/open.ts"
import { type OpenRuns, openHere } from "../../../../src/storage/sqlite/database/threads.ts"
import { createHealth } from "../../../../src/storage/sqlite/health.ts"
import { createLog } from "../../../../src/support/log.ts"
import { until } from "../../../support/until.ts"
import { allow, person, refusalOf, threePeople } from "../../contract/people.ts"
import { change, connect, plainly, storesOn, testFolder } from "../../files.ts"

const bio = "x".repeat(2000)

/** A store with everything that it told: lines of the log, and failures that leave unknown what is on disk. */
async function openTelling(path: string, lockTimeoutMs?: number) {
  let lines = ""
  const failures: unknown[] = []
  const log = createLog((text) => {
    lines += text
  })
  const connection = await openConnection({
    path,
    now: 1,
    log,
    lockTimeoutMs,
    onMigrating: () => {},
    onUnusable: (error) => failures.push(error),
  })
  return {
    connection,
    failures,
    ...storesOn(connection),
    logged() {
      log.flush()
      return [...lines.matchAll(/"level":"(\w+)","message":"([^"]+)"(?:,"reason":"([^"]+)")?/g)].map((line) =>
        line.slice(1).filter(Boolean).join(": "),
      )
    },
    [Symbol.asyncDispose]: connection.close,
  }
}

/** SQLite says the same of a file that may not grow as of a disk that is full. */
const fill = (connection: Connection) => change(connection, "PRAGMA max_page_count = 1") // no less than it has
const makeSpace = (connection: Connection) => change(connection, "PRAGMA max_page_count = 1000000")

test("on a full disk a write is refused without a trace; with free space it succeeds again, and both are logged", async () => {
  await using folder = await testFolder()
  await using store = await openTelling(folder.file("rewards.db"))
  const { users, ledger } = store
  const { ana, bruno } = await threePeople({ users })

  await fill(store.connection)
  let refusal: unknown = null
  for (let count = 0; refusal === null; count += 1)
    refusal = await refusalOf(users.create({ ...person(`Davi ${count}`), bio })).catch(() => null)
  const everybody = await users.list()
  const again = await refusalOf(users.create({ ...person("Elisa"), bio }))

  for (const error of [refusal, again]) {
    expect(error).toBeInstanceOf(DomainError)
    expect(error).toMatchObject({ code: "unwritable", retryAfterSeconds: 5, cause: { code: "SQLITE_FULL" } })
  }
  expect(await users.list()).toEqual(everybody)
  await change(store.connection, "SELECT 1") // a write that stores nothing succeeds on a full disk too, and proves nothing
  expect(store.logged()).toEqual(["warn: the database cannot be written for now: the disk is full"])
  await makeSpace(store.connection)
  await users.create({ ...person("Elisa"), bio })
  await ledger.post({ kind: "transfer", senderId: ana.id, receiverId: bruno.id, value: 5, date: 1 }, allow)
  expect(await users.balanceOf(bruno.id)).toBe(5)
  expect(store.failures).toEqual([])
  expect(store.logged()).toEqual([
    "warn: the database cannot be written for now: the disk is full",
    "info: the database can be written again",
  ])
})

test("each outage is logged, even if only the probe of /readyz has written in between", async () => {
  await using folder = await testFolder()
  const path = folder.file("rewards.db")
  await using store = await openTelling(path, 1)
  using other = plainly(path)
  const { checkWritable } = createHealth(store.connection.database, path)
  const untilFull = async (name: string) => {
    for (let count = 0; ; count += 1)
      if (await refusalOf(store.users.create({ ...person(`${name} ${count}`), bio })).catch(() => null)) return
  }

  for (const name of ["Ana", "Bruno"]) {
    await fill(store.connection)
    await untilFull(name)
    await makeSpace(store.connection)
    expect(await checkWritable()).toBeNull()
  }
  for (const _ of ["first", "second"]) {
    other.run("BEGIN IMMEDIATE")
    expect(await checkWritable()).toBe("SQLITE_BUSY")
    other.run("ROLLBACK")
    expect(await checkWritable()).toBeNull()
  }
  other.run("BEGIN IMMEDIATE")
  expect(await checkWritable()).toBe("SQLITE_BUSY")
  other.run("ROLLBACK")
  await change(store.connection, "SELECT 1") // holding the lock proves that it is free, whatever is stored

  const full = "warn: the database cannot be written for now: the disk is full"
  const locked = "warn: the database cannot be written for now: another process keeps it locked"
  const again = "info: the database can be written again"
  expect(store.logged()).toEqual([full, again, full, again, locked, again, locked, again, locked, again])
})

test("a lock that another process keeps refuses the write, and the next one succeeds", async () => {
  await using folder = await testFolder()
  await using store = await openTelling(folder.file("rewards.db"), 1)
  using other = plainly(folder.file("rewards.db"))
  other.run("BEGIN IMMEDIATE")

  const refusal = await refusalOf(store.users.create(person("Ana")))
  other.run("ROLLBACK")
  await store.users.create(person("Ana"))

  expect(refusal).toMatchObject({ code: "unwritable", cause: { code: "SQLITE_BUSY" } })
  expect(store.failures).toEqual([])
  expect(store.logged()).toEqual([
    "warn: the database cannot be written for now: another process keeps it locked",
    "info: the database can be written again",
  ])
})

test("no write continues after a sync that failed, wherever it happened", async () => {
  await using folder = await testFolder()
  const failures: unknown[] = []
  const failure = { step: "checkpoint", code: "SQLITE_IOERR_FSYNC", message: "disk I/O error", isFinal: true } as const
  let failing: (() => void) | undefined
  const openRuns: OpenRuns = (opening, events) => {
    failing ??= () => events.onCheckpoint({ frames: 1, writtenBack: 0, failure })
    return openHere(opening, events)
  }
  await using connection = await connect(folder.file("rewards.db"), { failures, openRuns })

  failing?.()

  await until(() => failures.length > 0)
  expect(failures).toMatchObject([{ code: "SQLITE_IOERR_FSYNC" }])
  expect(await refusalOf(storesOn(connection).users.create(person("Ana")))).toBe(failures[0])
})
