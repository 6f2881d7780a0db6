import { Database } from "bun:sqlite"
import { afterEach, describe, expect, jest, spyOn, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { auditEntry } from "../../../../src/domain/audit/audit-log.ts"
import type { Connection } from "../../../../src/storage/sqlite/database/connection.ts"
import { closeAfter } from "../../../../src/storage/sqlite/database/failed-sync.ts"
import { appendAuditEntry } from "../../../../src/storage/sqlite/maintenance/maintenance.ts"
import { until } from "../../../support/until.ts"
import { refusalOf } from "../../contract/people.ts"
import { change, connect, plainly, testFolder } from "../../files.ts"

const failure = Object.assign(new Error("disk I/O error"), { code: "SQLITE_IOERR_FSYNC" })
/** Fewer than make a checkpoint due. */
const pages = 500

afterEach(() => {
  jest.useRealTimers()
})

const fill = (connection: Connection) =>
  change(connection, "CREATE TABLE filler (bytes BLOB) STRICT", `INSERT INTO filler VALUES (zeroblob(${pages * 4096}))`)

/** Makes a commit fail, as a failed sync would: what is on the disk then is unknown. */
async function failCommit(connection: Connection, failures: readonly unknown[]) {
  const orphan = "INSERT INTO balances (user_id, value, received_count, sent_count) VALUES (99, 0, 0, 0)"
  await refusalOf(change(connection, "PRAGMA defer_foreign_keys = ON", orphan))
  await until(() => failures.length > 0)
}

const walOf = (path: string) => {
  using client = plainly(path)
  return client.query<{ log: number; checkpointed: number }, []>("PRAGMA wal_checkpoint(NOOP)").get()
}

test("after a failed sync closing the database writes nothing back, and leaves the WAL and its index", async () => {
  await using folder = await testFolder()
  const path = folder.file("rewards.db")
  const failures: unknown[] = []
  const connection = await connect(path, { failures })
  await fill(connection)
  await failCommit(connection, failures)
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
  const failures: unknown[] = []
  const connection = await connect(path, { failures })
  await change(connection, "UPDATE ledger_state SET last_date = 5")
  const before = readFileSync(path)
  const { run } = Database.prototype
  using spied = spyOn(Database.prototype, "run").mockImplementation(function (this: Database, text, ...bindings) {
    if (text.includes("TRUNCATE")) throw failure
    return run.call(this, text, ...bindings)
  })

  await connection.close()

  expect(spied).toHaveBeenCalled()
  expect(failures).toEqual([expect.objectContaining({ code: failure.code })])
  expect(readFileSync(path).equals(before)).toBe(true)
  expect(readFileSync(`${path}-wal`).length).toBeGreaterThan(4096)
})

test("after a failed sync no checkpoint and no scrub begins", async () => {
  await using folder = await testFolder()
  const path = folder.file("rewards.db")
  const failures: unknown[] = []
  await using connection = await connect(path, { failures })
  await fill(connection)
  await failCommit(connection, failures)
  const before = readFileSync(path)

  jest.useFakeTimers()
  jest.advanceTimersByTime(20_000)
  jest.useRealTimers()
  expect(await refusalOf(connection.scrub())).toBe(failures[0])

  expect(readFileSync(path).equals(before)).toBe(true)
})

test("a process that has met a failed sync writes nothing back at its exit, however it ends", async () => {
  const program = join(import.meta.dir, "../../exit-after-a-failed-sync.ts")
  for (const how of ["exit", "throw", "end"])
    for (const where of ["here", "threads"]) {
      await using folder = await testFolder()
      const path = folder.file("rewards.db")
      const child = Bun.spawn([process.execPath, program, path, how, where], { stdout: "pipe", stderr: "ignore" })
      const bytes = Number(await new Response(child.stdout).text())
      await child.exited

      expect({ how, where, isFilled: bytes > pages * 4096 * 0.9 }).toEqual({ how, where, isFilled: true })
      expect(readFileSync(`${path}-wal`).length).toBe(bytes)
      expect(readFileSync(path).length).toBeLessThan(pages * 4096)
    }
}, 60_000)

test("what was written back before a failed sync counts no more, so that another process writes it again", async () => {
  await using folder = await testFolder()
  const path = folder.file("rewards.db")
  const failures: unknown[] = []
  await using connection = await connect(path, { failures })
  await fill(connection)
  {
    using other = plainly(path)
    other.query("PRAGMA wal_checkpoint(PASSIVE)").get()
  }
  expect(walOf(path)?.checkpointed).toBeGreaterThan(pages)

  await failCommit(connection, failures)

  expect(walOf(path)?.checkpointed).toBe(0)
})

describe("a checkpoint that stops before the end of the WAL counts for nothing, because it has synced nothing", () => {
  for (const [name, checkpoint] of [
    ["of a running server", async () => jest.advanceTimersByTime(10_000)],
    ["of a server that ends", (connection: Connection) => connection.close()],
    ["of a server that starts", async (_: Connection, path: string) => (await connect(path)).close()],
    ["after an erasure", (connection: Connection) => connection.scrub()],
  ] as const)
    test(name, async () => {
      await using folder = await testFolder()
      const path = folder.file("rewards.db")
      if (name === "of a running server") jest.useFakeTimers()
      await using connection = await connect(path)
      await fill(connection)
      using reader = plainly(path)
      reader.run("BEGIN")
      reader.query("SELECT count(*) FROM filler").get()
      await change(connection, "UPDATE ledger_state SET last_date = 5")

      await checkpoint(connection, path)

      expect(walOf(path)).toMatchObject({ log: expect.any(Number), checkpointed: 0 })
      expect(walOf(path)?.log).toBeGreaterThan(pages)
      reader.run("COMMIT")
      reader.query("PRAGMA wal_checkpoint(PASSIVE)").get()
      expect(walOf(path)?.checkpointed).toBe(walOf(path)?.log)
    })
})

test("an entry that a command adds to the audit log is no reason for a checkpoint, which could fail unseen", async () => {
  await using folder = await testFolder()
  const path = folder.file("rewards.db")
  await using connection = await connect(path)
  await fill(connection)
  const before = readFileSync(path)

  appendAuditEntry(path, auditEntry({ who: "ana", way: "command line", address: null }, 1, "backup"))

  expect(readFileSync(path).equals(before)).toBe(true)
})

test("a connection that met an error of the disk ends without writing back, any other one with it", async () => {
  await using folder = await testFolder()
  const walBytesAfter = (error: unknown, name: string) => {
    const client = plainly(folder.file(name))
    client.run("PRAGMA journal_mode = WAL")
    client.run("CREATE TABLE filler (bytes BLOB)")
    client.run("INSERT INTO filler VALUES (zeroblob(100000))")
    closeAfter(error, client)
    return Bun.file(folder.file(`${name}-wal`)).size
  }

  const error = Object.assign(new Error("i/o error"), { code: "EIO", syscall: "fdatasync" })
  expect(walBytesAfter(error, "1.db")).toBeGreaterThan(100_000)
  expect(walBytesAfter(failure, "2.db")).toBeGreaterThan(100_000)
  expect(walBytesAfter(new Error("it belongs to another program"), "3.db")).toBe(0)
})
