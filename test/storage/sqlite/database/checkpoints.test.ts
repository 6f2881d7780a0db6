import type { Database } from "bun:sqlite"
import { afterEach, describe, expect, jest, test } from "bun:test"
import { copyFileSync } from "node:fs"
import type { Connection } from "../../../../src/storage/sqlite/database/connection.ts"
import type { Checkpoint } from "../../../../src/storage/sqlite/database/runner.ts"
import { type OpenRuns, openHere } from "../../../../src/storage/sqlite/database/threads.ts"
import { openStore } from "../../../../src/storage/sqlite/store.ts"
import { createLog } from "../../../../src/support/log.ts"
import { allow, threePeople } from "../../contract/people.ts"
import { bytesOf, change, connect, copyAsAfterCrash, plainly, silent, testFolder } from "../../files.ts"

const framesBetween = 3000
const bytesPerFrame = 4096 + 24

afterEach(() => {
  jest.useRealTimers()
})

describe("at the start", () => {
  test("everything that a crash left in the WAL is written back", async () => {
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

  test("the WAL of another process that has the database open is written back, and both can go on writing", async () => {
    await using folder = await testFolder()
    const path = folder.file("rewards.db")
    await using first = await connect(path)
    await change(first, "UPDATE ledger_state SET last_date = 5")

    await using second = await connect(path)
    copyFileSync(path, folder.file("alone.db"))
    await change(first, "UPDATE ledger_state SET last_date = last_date + 1")
    await change(second, "UPDATE ledger_state SET last_date = last_date + 1")

    using alone = plainly(folder.file("alone.db"))
    expect(dateIn(alone)).toBe(5)
    using other = plainly(path)
    expect(dateIn(other)).toBe(7)
  })
})

describe("while the server runs", () => {
  test("under constant writes the WAL is written back and used anew, so that it does not grow without bound", async () => {
    await using folder = await testFolder()
    const path = folder.file("rewards.db")
    await using connection = await connect(path)
    await change(connection, "CREATE TABLE filler (bytes BLOB) STRICT")

    for (let written = 0; written < 160; written += 1)
      await change(connection, "INSERT INTO filler VALUES (zeroblob(400000))")

    expect(bytesOf(path)).toBeGreaterThan(4 * framesBetween * bytesPerFrame)
    expect(bytesOf(`${path}-wal`)).toBeLessThan(2 * framesBetween * bytesPerFrame)
  })

  test("the WAL is written back after ten seconds, however small it is", async () => {
    await using folder = await testFolder()
    const path = folder.file("rewards.db")
    jest.useFakeTimers()
    await using connection = await connect(path)
    await change(connection, "UPDATE ledger_state SET last_date = 5")
    const writtenBack = () => {
      copyFileSync(path, folder.file("alone.db"))
      using alone = plainly(folder.file("alone.db"))
      return dateIn(alone)
    }
    jest.advanceTimersByTime(9_999)
    expect(writtenBack()).toBe(0)

    jest.advanceTimersByTime(1)

    expect(writtenBack()).toBe(5)
  })

  test("a WAL that grows because of a reader is logged once, and its disk space is freed when the reader ends", async () => {
    await using folder = await testFolder()
    const path = folder.file("rewards.db")
    const { log, logged } = recorded()
    await using connection = await connect(path, { log })
    await change(connection, "CREATE TABLE filler (bytes BLOB) STRICT")
    const fill = () => change(connection, "INSERT INTO filler VALUES (zeroblob(4000000))")
    using reader = plainly(path)
    reader.run("BEGIN")
    reader.query("SELECT count(*) FROM filler").get()

    for (let count = 0; count < 20; count += 1) await fill()
    const told = [
      "warn",
      "the WAL of the database grows, because a process keeps a read transaction open for long; end that process",
    ]
    expect(logged()).toEqual([told])
    expect(bytesOf(`${path}-wal`)).toBeGreaterThan(16_000 * bytesPerFrame)

    reader.run("COMMIT")
    for (let count = 0; count < 8; count += 1) await fill()
    expect(logged()).toEqual([told, ["info", "the WAL of the database no longer grows"]])
    expect(bytesOf(`${path}-wal`)).toBeLessThanOrEqual(16_777_216)
  })

  test("a failed checkpoint is logged once, and logged when it works again", async () => {
    await using folder = await testFolder()
    const { log, logged } = recorded()
    const told: ((checkpoint: Checkpoint) => void)[] = []
    const openRuns: OpenRuns = (opening, events) => {
      told.push(events.onCheckpoint)
      return openHere(opening, events)
    }
    const failures: unknown[] = []
    await using _ = await connect(folder.file("rewards.db"), { log, openRuns, failures })
    const made = { frames: 1, writtenBack: 1 }
    const failure = {
      step: "checkpoint",
      code: "SQLITE_IOERR_WRITE",
      message: "disk I/O error",
      isFinal: false,
    } as const

    for (const checkpoint of [{ ...made, failure }, { ...made, failure }, made, made]) told[0]?.(checkpoint)

    expect(logged()).toEqual([
      ["error", "a checkpoint of the database failed; it is tried again"],
      ["info", "checkpoints of the database work again"],
    ])
    expect(failures).toEqual([])
  })
})

test("an erasure while another process reads rewrites once, and only empties the WAL again until that has ended", async () => {
  await using folder = await testFolder()
  const path = folder.file("rewards.db")
  const { log, logged } = recorded()
  await using connection = await connect(path, { log })
  await change(connection, "UPDATE ledger_state SET last_date = 5")
  using reader = plainly(path)
  reader.run("BEGIN")
  reader.query("SELECT 1 FROM ledger_state").get()

  const scrubbed = connection.scrub()
  await changed(connection, 20)
  reader.run("COMMIT")
  await scrubbed

  expect(logged()).toEqual([])
  expect(bytesOf(`${path}-wal`)).toBe(0)
})

/** Writes go on meanwhile. */
async function changed(connection: Connection, times: number) {
  for (let time = 0; time < times; time += 1) {
    await change(connection, "UPDATE ledger_state SET last_date = last_date + 1")
    await Bun.sleep(20)
  }
}

const dateIn = (client: Database): number | undefined =>
  client.query<{ last_date: number }, []>("SELECT last_date FROM ledger_state").get()?.last_date

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
