import { afterEach, expect, jest, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { auditEntry } from "../../../../src/domain/audit/audit-log.ts"
import { scrub } from "../../../../src/storage/sqlite/database/checkpoints.ts"
import type { Connection } from "../../../../src/storage/sqlite/database/connection.ts"
import { closeAfter } from "../../../../src/storage/sqlite/database/failed-sync.ts"
import { appendAuditEntry } from "../../../../src/storage/sqlite/maintenance/maintenance.ts"
import { refusalOf } from "../../contract/people.ts"
import { connect, plainly, silent, testFolder } from "../../files.ts"

const failure = Object.assign(new Error("disk I/O error"), { code: "SQLITE_IOERR_FSYNC" })
const pages = 1500

afterEach(() => {
  jest.useRealTimers()
})

/** Fills the WAL, so that a checkpoint is due: the next commit begins one. */
function fill({ writer }: Connection) {
  writer.run("CREATE TABLE filler (bytes BLOB) STRICT")
  writer.run(`INSERT INTO filler VALUES (zeroblob(${pages * 4096}))`)
}

const walOf = (path: string) => {
  using client = plainly(path)
  return client.query<{ log: number; checkpointed: number }, []>("PRAGMA wal_checkpoint(NOOP)").get()
}

test("after a failed sync closing the database writes nothing back, and leaves the WAL and its index", async () => {
  await using folder = await testFolder()
  const path = folder.file("rewards.db")
  let isBroken = false
  const connection = await connect(path, { sync: async () => void (isBroken && (await Promise.reject(failure))) })
  await connection.write(() => connection.writer.run("UPDATE ledger_state SET last_date = 5"))
  isBroken = true
  expect(await refusalOf(connection.write(() => fill(connection)))).toBe(failure)
  const before = [readFileSync(path), readFileSync(`${path}-wal`)]

  await connection.close()

  expect([readFileSync(path), readFileSync(`${path}-wal`), readFileSync(`${path}-shm`).length]).toEqual([
    ...before,
    expect.any(Number),
  ])
})

test("when the sync of the last checkpoint fails, closing the database makes no further one", async () => {
  await using folder = await testFolder()
  const path = folder.file("rewards.db")
  const { writer, write, close } = await connect(path)
  await write(() => writer.run("UPDATE ledger_state SET last_date = 5"))
  const before = readFileSync(path)
  const query = writer.query.bind(writer)
  writer.query = ((sql: string) => {
    if (sql.includes("TRUNCATE")) throw failure
    return query(sql)
  }) as typeof writer.query

  await close()

  expect(readFileSync(path).equals(before)).toBe(true)
  expect(readFileSync(`${path}-wal`).length).toBeGreaterThan(4096)
})

test("after a failed sync no checkpoint and no scrub begins", async () => {
  await using folder = await testFolder()
  const path = folder.file("rewards.db")
  let isBroken = false
  jest.useFakeTimers()
  await using connection = await connect(path, { sync: async () => void (isBroken && (await Promise.reject(failure))) })
  fill(connection)
  isBroken = true
  await refusalOf(connection.write(() => connection.writer.run("UPDATE ledger_state SET last_date = 5")))
  const before = readFileSync(path)

  jest.advanceTimersByTime(20_000)
  const { writer: client, reader } = connection
  const throwIfFailed = () => {
    throw failure
  }
  const scrubbing = scrub({ client, log: silent, fail: () => {}, throwIfFailed, letGo: reader.letGo })
  expect(await refusalOf(scrubbing)).toBe(failure)
  jest.useRealTimers()

  await connection.close() // waits for a running checkpoint
  expect(readFileSync(path).equals(before)).toBe(true)
})

test("a process that has met a failed sync writes nothing back at its exit, however it ends", async () => {
  const program = join(import.meta.dir, "../../exit-after-a-failed-sync.ts")
  for (const how of ["exit", "throw", "end"]) {
    await using folder = await testFolder()
    const path = folder.file("rewards.db")
    const child = Bun.spawn([process.execPath, program, path, how], { stdout: "pipe", stderr: "ignore" })
    const bytes = Number(await new Response(child.stdout).text())
    await child.exited

    expect(bytes).toBeGreaterThan(pages * 4096)
    expect(readFileSync(`${path}-wal`).length).toBe(bytes)
    expect(readFileSync(path).length).toBeLessThan(pages * 4096)
  }
})

test("what was written back before a failed sync counts no more, so that another process writes it again", async () => {
  await using folder = await testFolder()
  const path = folder.file("rewards.db")
  let isBroken = false
  await using other = await connect(path)
  await using connection = await connect(path, { sync: async () => void (isBroken && (await Promise.reject(failure))) })
  fill(connection)
  other.writer.query("PRAGMA wal_checkpoint(PASSIVE)").get()
  expect(walOf(path)?.checkpointed).toBeGreaterThan(pages)
  isBroken = true

  await refusalOf(connection.write(() => connection.writer.run("UPDATE ledger_state SET last_date = 5")))

  expect(walOf(path)?.checkpointed).toBe(0)
})

test("an entry that a command adds to the audit log is no reason for a checkpoint, which could fail unseen", async () => {
  await using folder = await testFolder()
  const path = folder.file("rewards.db")
  await using connection = await connect(path)
  fill(connection)
  const before = readFileSync(path)

  appendAuditEntry(path, auditEntry({ who: "ana", way: "command line", address: null }, 1, "backup"))

  expect(readFileSync(path).equals(before)).toBe(true)
})

test("a connection that met an error of the disk closes without writing back, any other one with it", async () => {
  await using folder = await testFolder()
  const path = folder.file("some.db")
  const opened = () => {
    const client = plainly(path)
    client.run("PRAGMA journal_mode = WAL")
    client.run("CREATE TABLE IF NOT EXISTS filler (bytes BLOB)")
    client.run("INSERT INTO filler VALUES (zeroblob(100000))")
    return client
  }
  const walBytes = () => Bun.file(`${path}-wal`).size

  closeAfter(Object.assign(new Error("i/o error"), { code: "EIO", syscall: "fdatasync" }), opened())
  expect(walBytes()).toBeGreaterThan(100_000)
  closeAfter(failure, opened())
  expect(walBytes()).toBeGreaterThan(200_000)
  closeAfter(new Error("it belongs to another program"), opened())
  expect(walBytes()).toBe(0)
})
