import type { Database } from "bun:sqlite"
import { afterEach, describe, expect, jest, test } from "bun:test"
import { copyFileSync, readFileSync } from "node:fs"
import { nextTick } from "../../../../src/domain/ticks.ts"
import { createCheckpoints, writeBack } from "../../../../src/storage/sqlite/database/checkpoints.ts"
import type { Connection } from "../../../../src/storage/sqlite/database/connection.ts"
import { openStore } from "../../../../src/storage/sqlite/store.ts"
import { createLog } from "../../../../src/support/log.ts"
import { allow, threePeople } from "../../contract/people.ts"
import { bytesOf, connect, copyAsAfterCrash, plainly, silent, testFolder } from "../../files.ts"

const framesBetween = 1000
const bytesPerFrame = 4096 + 24
/** The commit that begins a WAL changes nothing. */
const framesOfABegin = 1

afterEach(() => {
  jest.useRealTimers()
})

const alone = <T>(work: () => Promise<T>) => work()

describe("at the start", () => {
  test("everything that a crash left in the WAL is written back, and the WAL begins anew", async () => {
    await using folder = await testFolder()
    const store = await openStore({ path: folder.file("crashed.db"), log: silent })
    const { ana, bruno } = await threePeople(store)
    await store.ledger.post({ kind: "transfer", senderId: ana.id, receiverId: bruno.id, value: 5, date: 1 }, allow)
    copyAsAfterCrash(folder.file("crashed.db"), folder.file("rewards.db"))
    await store.close()
    expect(bytesOf(folder.file("rewards.db-wal"))).toBeGreaterThan(0)

    await using connection = await connect(folder.file("rewards.db"))

    expect(framesIn(connection)).toBe(framesOfABegin)
    copyFileSync(folder.file("rewards.db"), folder.file("alone.db"))
    using alone = plainly(folder.file("alone.db"))
    expect(alone.query("SELECT user_id, value FROM balances").values()).toEqual([
      [ana.id, -5],
      [bruno.id, 5],
    ])
  })

  test("the pages of the migrations are written back too", async () => {
    await using folder = await testFolder()
    await using connection = await connect(folder.file("rewards.db"))

    expect(framesIn(connection)).toBe(framesOfABegin)
  })

  test("the first write does not begin the WAL, because SQLite would sync it on the event loop", async () => {
    await using folder = await testFolder()
    const path = folder.file("rewards.db")
    await using connection = await connect(path)
    const begun = beginOf(path)

    await connection.write(() => connection.writer.run("UPDATE ledger_state SET last_date = 5"))

    expect(beginOf(path)).toEqual(begun)
  })

  test("the WAL of another process that has the database open is written back, and both can go on writing", async () => {
    await using folder = await testFolder()
    const path = folder.file("rewards.db")
    await using first = await connect(path)
    await first.write(() => first.writer.run("UPDATE ledger_state SET last_date = 5"))

    await using second = await connect(path)
    copyFileSync(path, folder.file("alone.db"))
    await first.write(() => first.writer.run("UPDATE ledger_state SET last_date = last_date + 1"))
    await second.write(() => second.writer.run("UPDATE ledger_state SET last_date = last_date + 1"))

    using alone = plainly(folder.file("alone.db"))
    expect(alone.query("SELECT last_date FROM ledger_state").get()).toEqual({ last_date: 5 })
    expect(first.writer.query("SELECT last_date FROM ledger_state").get()).toEqual({ last_date: 7 })
  })

  test("a WAL that cannot be written back prevents the opening", async () => {
    await using folder = await testFolder()
    await using connection = await connect(folder.file("rewards.db"))
    const client = answering(connection.writer, /wal_checkpoint\(TRUNCATE\)/, () => ({
      busy: 0,
      log: 9,
      checkpointed: 4,
    }))

    expect(() => writeBack(client)).toThrow("only 4 of 9 WAL frames could be written back")
  })
})

describe("while the server runs", () => {
  test("under constant writes the WAL is written back and used anew, so that it does not grow without bound", async () => {
    await using folder = await testFolder()
    const path = folder.file("rewards.db")
    await using connection = await connect(path)
    await using busy = await connect(path) // its reader stays at old commits, too
    await connection.write(() => connection.writer.run("CREATE TABLE filler (bytes BLOB) STRICT"))
    const fill = connection.writer.prepare("INSERT INTO filler VALUES (zeroblob(400000))")
    const reads = reading(busy)

    let written = 0
    for (let restarts = 0; restarts < 3; written += 1) {
      const before = framesIn(connection)
      await connection.write(() => fill.run())
      await Bun.sleep(1) // otherwise writes to a fast disk outrun a thread that has to start
      if (framesIn(connection) < before) restarts += 1
      expect(written).toBeLessThan(2000)
    }
    await reads.end()
    expect(bytesOf(path)).toBeGreaterThan(framesBetween * bytesPerFrame)
  })

  test("while a checkpoint hangs, reads and writes go on; and closing waits for it", async () => {
    await using folder = await testFolder()
    await using connection = await connect(folder.file("rewards.db"))
    const { writer: client, reader } = connection
    const hanging = Promise.withResolvers<null>()
    const asked: (readonly string[])[] = []
    const thread = {
      run(statements: readonly string[]) {
        asked.push(statements)
        return hanging.promise
      },
      end() {},
    }
    const checkpoints = createCheckpoints({ ...{ client, log: silent, fail, thread }, letGo: reader.letGo, alone })
    await connection.write(() => client.run("CREATE TABLE filler (bytes BLOB) STRICT"))
    await connection.write(() => client.run("INSERT INTO filler VALUES (zeroblob(8000000))"))

    for (let date = 1; date < 5; date += 1) {
      checkpoints.afterCommit()
      await connection.write(() => client.run("UPDATE ledger_state SET last_date = ?", [date]))
      expect(await reader.read(() => dateIn(reader.client))).toBe(date)
    }
    let isStopped = false
    const stopped = checkpoints.stop().then(() => {
      isStopped = true
    })
    await nextTick()
    expect([asked, isStopped]).toEqual([[["PRAGMA wal_checkpoint(PASSIVE)"]], false])
    hanging.resolve(null)
    await stopped
  })

  test("the WAL is written back after ten seconds, however small it is", async () => {
    await using folder = await testFolder()
    const path = folder.file("rewards.db")
    jest.useFakeTimers()
    await using connection = await connect(path)
    await connection.write(() => connection.writer.run("UPDATE ledger_state SET last_date = 5"))
    jest.advanceTimersByTime(9_999)
    await turns(20)
    expect(framesLeft(connection)).toBe(framesOfABegin + 1)

    jest.advanceTimersByTime(1)

    await until(() => framesLeft(connection) === framesOfABegin)
    copyFileSync(path, folder.file("alone.db"))
    using alone = plainly(folder.file("alone.db"))
    expect(dateIn(alone)).toBe(5)
  })

  test("a write after everything was written back does not begin the WAL anew: SQLite would sync it on the event loop", async () => {
    await using folder = await testFolder()
    const path = folder.file("rewards.db")
    jest.useFakeTimers()
    await using connection = await connect(path)
    const write = () =>
      connection.write(() => connection.writer.run("UPDATE ledger_state SET last_date = last_date + 1"))
    await write()
    const written = framesIn(connection)
    jest.advanceTimersByTime(10_000)
    await until(() => framesIn(connection) === written + framesOfABegin)
    await connection.reader.letGo()
    const begun = beginOf(path)

    await write()

    expect(beginOf(path)).toEqual(begun)
  })

  test("a WAL that grows because of a reader is logged once, and its disk space is freed when the reader ends", async () => {
    await using folder = await testFolder()
    const path = folder.file("rewards.db")
    const { log, logged } = recorded()
    await using connection = await connect(path, { log })
    await connection.write(() => connection.writer.run("CREATE TABLE filler (bytes BLOB) STRICT"))
    const fill = connection.writer.prepare("INSERT INTO filler VALUES (zeroblob(4000000))")
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
    const write = () => connection.write(() => fill.run())
    for (let writes = 0; logged().length === 1; writes += 1) {
      await write()
      await Bun.sleep(10)
      expect(writes).toBeLessThan(1000)
    }
    expect(logged()).toEqual([told, ["info", "the WAL of the database no longer grows"]])
    expect(bytesOf(`${path}-wal`)).toBeLessThanOrEqual(16_777_216)
  })

  test("opening and closing the database hardly wait for readers, because writers wait meanwhile", async () => {
    await using folder = await testFolder()
    await using connection = await connect(folder.file("rewards.db"))
    await connection.write(() => connection.writer.run("UPDATE ledger_state SET last_date = 5"))
    const timeout = () => Object.values(connection.writer.query("PRAGMA busy_timeout").get() ?? {})[0]
    const during: unknown[] = []
    const client = answering(connection.writer, /wal_checkpoint\(TRUNCATE\)/, () => {
      during.push(timeout())
      return { busy: 0, log: 0, checkpointed: 0 }
    })

    writeBack(client)
    createCheckpoints({ ...{ client, log: silent, fail, thread: idle }, letGo: connection.reader.letGo, alone }).atEnd()

    expect({ during, after: timeout() }).toEqual({ during: [100, 100], after: 0 })
  })

  test("a failed checkpoint is logged once, retried, and logged when it works again", async () => {
    await using folder = await testFolder()
    await using connection = await connect(folder.file("rewards.db"))
    await connection.write(() => connection.writer.run("UPDATE ledger_state SET last_date = 5"))
    let broken = true
    const thread = {
      async run() {
        if (broken) throw new Error("disk I/O error")
        return null
      },
      end() {},
    }
    const { log, logged } = recorded()
    jest.useFakeTimers()
    const { writer: client, reader } = connection
    const checkpoints = createCheckpoints({ ...{ client, log, fail, thread }, letGo: reader.letGo, alone })
    const failed = ["error", "a checkpoint of the database failed; it is tried again"]
    const pass = async (times: number) => {
      for (let time = 0; time < times; time += 1) {
        jest.advanceTimersByTime(10_000)
        await turns(20)
      }
    }

    await pass(3)
    expect(logged()).toEqual([failed])
    broken = false
    await pass(2)
    expect(logged()).toEqual([failed, ["info", "checkpoints of the database work again"]])
    broken = true
    await pass(1)
    expect(logged()).toHaveLength(3)
    await checkpoints.stop()
    const told = logged()
    await pass(6)
    expect(logged()).toEqual(told)
  })

  test("a checkpoint whose sync fails is not retried, because what is on disk is unknown", async () => {
    await using folder = await testFolder()
    await using connection = await connect(folder.file("rewards.db"))
    await connection.write(() => connection.writer.run("UPDATE ledger_state SET last_date = 5"))
    const failure = Object.assign(new Error("disk I/O error"), { code: "SQLITE_IOERR_FSYNC" })
    const thread = { run: () => Promise.reject(failure), end() {} }
    const failures: unknown[] = []
    jest.useFakeTimers()
    const { writer: client, reader } = connection
    const checkpoints = createCheckpoints({
      alone,
      ...{ client, log: silent, thread, letGo: reader.letGo },
      fail: (error) => failures.push(error),
    })

    jest.advanceTimersByTime(10_000)
    await turns(20)
    expect(failures).toEqual([failure])
    await checkpoints.stop()
  })
})

const idle = { run: () => Promise.resolve(null), end() {} }
const fail = (error: unknown) => expect.unreachable(String(error))

/** Reads again and again until the end. */
function reading({ reader }: Connection) {
  let isRunning = true
  const ended = (async () => {
    while (isRunning) {
      await reader.read(() => dateIn(reader.client))
      await Bun.sleep(1)
    }
  })()
  return {
    end() {
      isRunning = false
      return ended
    },
  }
}

interface WalState {
  readonly log: number
  readonly checkpointed: number
}

const walOf = ({ writer }: Connection) => writer.query<WalState, []>("PRAGMA wal_checkpoint(NOOP)").get()
const framesIn = (connection: Connection): number => walOf(connection)?.log ?? 0
const framesLeft = (connection: Connection): number => framesIn(connection) - (walOf(connection)?.checkpointed ?? 0)

/** The header of the WAL, which changes when the WAL begins anew. */
const beginOf = (path: string): Buffer => readFileSync(`${path}-wal`).subarray(0, 32)

const dateIn = (client: Database): number | undefined =>
  client.query<{ last_date: number }, []>("SELECT last_date FROM ledger_state").get()?.last_date

async function turns(count: number) {
  for (let turn = 0; turn < count; turn += 1) await nextTick()
}

/** Bounded by the time limit of the test. */
async function until(isSo: () => boolean) {
  while (!isSo()) await nextTick()
}

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
