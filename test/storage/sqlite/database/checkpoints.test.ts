import { afterEach, describe, expect, jest, test } from "bun:test"
import { copyFileSync } from "node:fs"
import { createCheckpoints } from "../../../../src/storage/sqlite/database/checkpoints.ts"
import { openStore } from "../../../../src/storage/sqlite/store.ts"
import { createLog } from "../../../../src/support/log.ts"
import { allow, threePeople } from "../../contract/people.ts"
import { bytesOf, connect, copyAsAfterCrash, plainly, silent, testFolder } from "../../files.ts"

const framesBetween = 1000
const bytesPerFrame = 4096 + 24

afterEach(() => {
  jest.useRealTimers()
})

describe("at the start", () => {
  test("everything that a crash left in the WAL is written back, and the WAL is empty", async () => {
    await using folder = await testFolder()
    const store = await openStore({ path: folder.file("crashed.db"), log: silent })
    const { ana, bruno } = await threePeople(store)
    await store.ledger.post({ kind: "transfer", senderId: ana.id, receiverId: bruno.id, value: 5, date: 1 }, allow)
    copyAsAfterCrash(folder.file("crashed.db"), folder.file("rewards.db"))
    await store.close()
    expect(bytesOf(folder.file("rewards.db-wal"))).toBeGreaterThan(0)

    await using _ = await connect(folder.file("rewards.db"))

    expect(bytesOf(folder.file("rewards.db-wal"))).toBe(0)
    copyFileSync(folder.file("rewards.db"), folder.file("alone.db"))
    using alone = plainly(folder.file("alone.db"))
    expect(alone.query("SELECT user_id, value FROM balances").values()).toEqual([
      [ana.id, -5],
      [bruno.id, 5],
    ])
  })

  test("the pages of the migrations are written back too", async () => {
    await using folder = await testFolder()
    await using _ = await connect(folder.file("rewards.db"))

    expect(bytesOf(folder.file("rewards.db-wal"))).toBe(0)
  })

  test("the WAL of another process that has the database open is written back, and both can go on writing", async () => {
    await using folder = await testFolder()
    const path = folder.file("rewards.db")
    await using first = await connect(path)
    await first.write(() => first.client.run("UPDATE ledger_state SET last_date = 5"))

    await using second = await connect(path)
    copyFileSync(path, folder.file("alone.db"))
    await first.write(() => first.client.run("UPDATE ledger_state SET last_date = last_date + 1"))
    await second.write(() => second.client.run("UPDATE ledger_state SET last_date = last_date + 1"))

    using alone = plainly(folder.file("alone.db"))
    expect(alone.query("SELECT last_date FROM ledger_state").get()).toEqual({ last_date: 5 })
    expect(first.client.query("SELECT last_date FROM ledger_state").get()).toEqual({ last_date: 7 })
  })

  test("a WAL that cannot be written back prevents the opening", async () => {
    await using folder = await testFolder()
    await using connection = await connect(folder.file("rewards.db"))
    const client = answering(connection.client, /wal_checkpoint\(TRUNCATE\)/, () => ({
      busy: 0,
      log: 9,
      checkpointed: 4,
    }))
    const checkpoints = createCheckpoints(client, silent, () => {})

    expect(() => checkpoints.atStart()).toThrow("only 4 of 9 WAL frames could be written back")
    checkpoints.atEnd()
  })
})

describe("while the server runs", () => {
  test("the WAL is written back whenever it holds a thousand pages, so that it does not grow", async () => {
    await using folder = await testFolder()
    const path = folder.file("rewards.db")
    await using connection = await connect(path)
    await connection.write(() => connection.client.run("CREATE TABLE filler (bytes BLOB) STRICT"))
    const fill = connection.client.prepare("INSERT INTO filler VALUES (zeroblob(400000))")

    let largest = 0
    for (let count = 0; count < 60; count += 1) {
      await connection.write(() => fill.run())
      largest = Math.max(largest, bytesOf(`${path}-wal`))
    }

    expect(largest).toBeGreaterThan(framesBetween * bytesPerFrame)
    expect(largest).toBeLessThan(framesBetween * bytesPerFrame * 1.2)
    expect(bytesOf(path)).toBeGreaterThan(60 * 400_000 - framesBetween * bytesPerFrame)
  })

  test("after a long transaction the WAL is written back in a thread, not on this connection", async () => {
    await using folder = await testFolder()
    await using connection = await connect(folder.file("rewards.db"))
    let onThisConnection = 0
    const client = answering(connection.client, /wal_checkpoint\(PASSIVE\)/, () => {
      onThisConnection += 1
    })
    const checkpoints = createCheckpoints(client, silent, (error) => expect.unreachable(String(error)))
    using other = plainly(folder.file("rewards.db"))
    other.run("PRAGMA wal_autocheckpoint = 0")
    other.run("CREATE TABLE words (word)")
    other.run("INSERT INTO words VALUES (zeroblob(8000000))")

    await checkpoints.afterLongCommit()

    const state = connection.client.query<Record<string, number>, []>("PRAGMA wal_checkpoint(NOOP)").get()
    expect(state?.checkpointed).toBeGreaterThan(framesBetween)
    expect([state?.checkpointed, onThisConnection]).toEqual([state?.log, 0])
    checkpoints.atEnd()
  })

  test("the WAL is written back after ten seconds, however small it is", async () => {
    await using folder = await testFolder()
    const path = folder.file("rewards.db")
    jest.useFakeTimers()
    await using connection = await connect(path)
    await connection.write(() => connection.client.run("UPDATE ledger_state SET last_date = 5"))

    const dateInFile = () => {
      copyFileSync(path, folder.file("alone.db"))
      using alone = plainly(folder.file("alone.db"))
      return alone.query<{ last_date: number }, []>("SELECT last_date FROM ledger_state").get()?.last_date
    }
    jest.advanceTimersByTime(9_999)
    expect(dateInFile()).toBe(0)
    jest.advanceTimersByTime(1)
    expect(dateInFile()).toBe(5)
  })

  test("a WAL that grows because of a reader is logged once, and its disk space is freed when the reader ends", async () => {
    await using folder = await testFolder()
    const path = folder.file("rewards.db")
    const { log, logged } = recorded()
    await using connection = await connect(path, { log })
    await connection.write(() => connection.client.run("CREATE TABLE filler (bytes BLOB) STRICT"))
    const fill = connection.client.prepare("INSERT INTO filler VALUES (zeroblob(4000000))")
    using reader = plainly(path)
    reader.run("BEGIN")
    reader.query("SELECT count(*) FROM filler").get()

    for (let count = 0; count < 20; count += 1) await connection.write(() => fill.run())
    const told = [
      "warn",
      "the WAL of the database grows, because a process keeps a read transaction open for long; end that process",
    ]
    expect(logged()).toEqual([told])
    expect(bytesOf(`${path}-wal`)).toBeGreaterThan(16_000 * bytesPerFrame)

    reader.run("COMMIT")
    for (let count = 0; count < 3; count += 1) await connection.write(() => fill.run())
    expect(logged()).toEqual([told, ["info", "the WAL of the database no longer grows"]])
    expect(bytesOf(`${path}-wal`)).toBeLessThanOrEqual(16_777_216)
  })

  test("opening and closing the database hardly wait for readers, because writers wait meanwhile", async () => {
    await using folder = await testFolder()
    await using connection = await connect(folder.file("rewards.db"))
    await connection.write(() => connection.client.run("UPDATE ledger_state SET last_date = 5"))
    const timeout = () => Object.values(connection.client.query("PRAGMA busy_timeout").get() ?? {})[0]
    const during: unknown[] = []
    const client = answering(connection.client, /wal_checkpoint\(TRUNCATE\)/, () => {
      during.push(timeout())
      return { busy: 0, log: 0, checkpointed: 0 }
    })

    const checkpoints = createCheckpoints(client, silent, () => {})
    checkpoints.atStart()
    checkpoints.atEnd()

    expect({ during, after: timeout() }).toEqual({ during: [100, 100], after: 0 })
  })

  test("a failed checkpoint is logged once, retried, and logged when it works again", async () => {
    await using folder = await testFolder()
    await using connection = await connect(folder.file("rewards.db"))
    await connection.write(() => connection.client.run("UPDATE ledger_state SET last_date = 5"))
    let broken = true
    const client = answering(connection.client, /wal_checkpoint\((PASSIVE|TRUNCATE)\)/, () => {
      if (broken) throw new Error("disk I/O error")
      return { busy: 0, log: 1, checkpointed: 1 }
    })
    const { log, logged } = recorded()
    jest.useFakeTimers()
    const checkpoints = createCheckpoints(client, log, () => {})
    const failed = ["error", "a checkpoint of the database failed; it is tried again"]

    jest.advanceTimersByTime(30_000)
    expect(logged()).toEqual([failed])
    broken = false
    jest.advanceTimersByTime(20_000)
    expect(logged()).toEqual([failed, ["info", "checkpoints of the database work again"]])
    broken = true
    jest.advanceTimersByTime(10_000)
    expect(logged()).toHaveLength(3)
    checkpoints.atEnd()
    const told = logged()
    jest.advanceTimersByTime(60_000)
    expect(logged()).toEqual(told)
  })

  test("a checkpoint whose sync fails is not retried, because what is on disk is unknown", async () => {
    await using folder = await testFolder()
    await using connection = await connect(folder.file("rewards.db"))
    await connection.write(() => connection.client.run("UPDATE ledger_state SET last_date = 5"))
    const failure = Object.assign(new Error("disk I/O error"), { code: "SQLITE_IOERR_FSYNC" })
    const client = answering(connection.client, /wal_checkpoint\(PASSIVE\)/, () => {
      throw failure
    })
    const failures: unknown[] = []
    jest.useFakeTimers()
    const checkpoints = createCheckpoints(client, silent, (error) => failures.push(error))

    jest.advanceTimersByTime(10_000)
    expect(failures).toEqual([failure])
    checkpoints.atEnd()
  })
})

/** A log, and the level and message of each of its lines. */
function recorded() {
  let written = ""
  const log = createLog((text) => {
    written += text
  })
  const logged = () => {
    log.flush()
    return [...written.matchAll(/"level":"(\w+)","message":"([^"]+)"/g)].map(([, level, message]) => [level, message])
  }
  return { log, logged }
}

/** `client`, but for statements like `sql`: those are answered by `answer`, as a failing disk would. */
function answering<T extends object>(client: T, sql: RegExp, answer: () => unknown): T {
  return new Proxy(client, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== "function") return value
      return (...args: unknown[]) =>
        typeof args[0] === "string" && sql.test(args[0]) ? { get: answer } : value.apply(target, args)
    },
  })
}
