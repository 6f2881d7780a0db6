import { expect, test } from "bun:test"
import { currentTick, nextTick } from "../../../../src/domain/ticks.ts"
import { createTimeSlices, type Reading } from "../../../../src/storage/budget.ts"
import { sql } from "../../../../src/storage/sql.ts"
import type { Connection } from "../../../../src/storage/sqlite/database/connection.ts"
import { createLedgerStore } from "../../../../src/storage/sqlite/ledger/ledger.ts"
import { createUserStore } from "../../../../src/storage/sqlite/people/users.ts"
import { allow, refusalOf, threePeople } from "../../contract/people.ts"
import { connect, copyAsAfterCrash, plainly, testFolder } from "../../files.ts"

/** A disk whose syncs wait while it hangs. */
function slowDisk() {
  const waiting: (() => void)[] = []
  let hangs = false
  return {
    sync: () => (hangs ? new Promise<void>((resolve) => waiting.push(resolve)) : nextTick()),
    hang() {
      hangs = true
    },
    /** How many syncs wait. */
    waiting: () => waiting.length,
    /** Lets the syncs end that wait by now; those that begin later hang as well. */
    endWaiting() {
      for (const end of waiting.splice(0)) end()
    },
    goOn() {
      hangs = false
      this.endWaiting()
    },
  }
}

const setDate = ({ write, writer }: Connection, date: number) =>
  write(() => writer.run("UPDATE ledger_state SET last_date = ?", [date]))

const dateOf = async ({ database }: Connection) =>
  (await database.first(sql<{ date: number }>`SELECT last_date AS date FROM ledger_state`))?.date

/** Bounded by the time limit of the test. */
async function until(isSo: () => boolean) {
  while (!isSo()) await nextTick()
}

async function ticks(count: number) {
  for (let tick = 0; tick < count; tick += 1) await nextTick()
}

/** Whether the promise has settled. */
function watched<T>(promise: Promise<T>) {
  const watched = { promise, isSettled: false }
  void promise
    .catch(() => {})
    .finally(() => {
      watched.isSettled = true
    })
  return watched
}

test("while a sync takes long, reads go on and see nothing of the commit, and its write waits", async () => {
  await using folder = await testFolder()
  const disk = slowDisk()
  await using connection = await connect(folder.file("rewards.db"), disk)
  await setDate(connection, 1)
  disk.hang()

  const inDoor = connection.database.write((tx) => tx.run(sql`UPDATE ledger_state SET last_date = ${2}`))
  const written = watched(inDoor)
  await until(() => disk.waiting() === 1)
  const next = watched(setDate(connection, 3))
  for (let look = 0; look < 20; look += 1) {
    await nextTick()
    expect([await dateOf(connection), written.isSettled, next.isSettled]).toEqual([1, false, false])
  }
  disk.endWaiting()
  await written.promise
  expect(await dateOf(connection)).toBe(2)
  disk.goOn()
  await next.promise
  expect(await dateOf(connection)).toBe(3)
})

test("whatever was shown or acknowledged is in the files as the last sync left them", async () => {
  await using folder = await testFolder()
  const path = folder.file("rewards.db")
  const images: string[] = []
  let durable = -1
  const sync = async () => {
    const image = folder.file(`image-${images.length}.db`)
    const number = images.push(image) - 1
    copyAsAfterCrash(path, image)
    await ticks(3)
    durable = Math.max(durable, number)
  }
  await using connection = await connect(path, { sync })
  const ledger = createLedgerStore(connection)
  const { ana, bruno } = await threePeople({ users: createUserStore(connection) })
  const seen = new Map<number, number>()
  const record = (lastId: number) => seen.set(lastId, Math.min(durable, seen.get(lastId) ?? durable))

  for (let count = 0; count < 12; count += 1) {
    const entry = { kind: "transfer" as const, senderId: ana.id, receiverId: bruno.id, value: 1, date: 1 }
    const posted = watched(ledger.post(entry, allow).then(({ id }) => record(id)))
    while (!posted.isSettled) {
      await nextTick()
      record((await ledger.after(0, 100)).at(-1)?.id ?? 0)
      record(await ledger.lastId())
    }
    await posted.promise
  }

  expect(seen.size).toBe(13)
  for (const [lastId, image] of seen) {
    using left = plainly(images[image] ?? "")
    expect(left.query("SELECT max(id) >= ? OR ? = 0 AS ok FROM transactions").get(lastId, lastId)).toEqual({ ok: 1 })
  }
})

test("after a failed sync nothing is shown or written any more, even if later syncs seem to succeed", async () => {
  await using folder = await testFolder()
  const failures: unknown[] = []
  const failure = new Error("EIO: i/o error, fdatasync")
  let isBroken = false
  const sync = async () => {
    const failed = isBroken
    isBroken = false
    if (failed) throw failure
  }
  await using connection = await connect(folder.file("rewards.db"), { failures, sync })
  await setDate(connection, 1)
  await dateOf(connection)
  isBroken = true

  expect(await refusalOf(setDate(connection, 2))).toBe(failure)

  expect(failures).toEqual([failure])
  expect(await refusalOf(setDate(connection, 3))).toBe(failure)
  expect(await refusalOf(connection.database.write((tx) => tx.run(sql`DELETE FROM jobs`)))).toBe(failure)
  await nextTick()
  expect(await dateOf(connection)).toBe(1)
})

test("a commit of another process is shown to every request that begins after it, and only when it is synced", async () => {
  await using folder = await testFolder()
  const disk = slowDisk()
  await using connection = await connect(folder.file("rewards.db"), disk)
  await using other = await connect(folder.file("rewards.db"))
  await dateOf(connection)
  disk.hang()

  await setDate(other, 2)
  await nextTick()
  const read = watched(dateOf(connection))
  await ticks(10)
  expect([read.isSettled, disk.waiting()]).toEqual([false, 1])
  disk.goOn()
  expect(await read.promise).toBe(2)
})

test("a commit of another process that comes while an own one is synced is synced too, before anybody reads it", async () => {
  await using folder = await testFolder()
  const disk = slowDisk()
  await using connection = await connect(folder.file("rewards.db"), disk)
  await using other = await connect(folder.file("rewards.db"))
  await dateOf(connection)
  disk.hang()
  const written = watched(setDate(connection, 1))
  await until(() => disk.waiting() === 1)
  const before = dateOf(connection)

  await setDate(other, 2)
  expect(await before).toBe(0)
  disk.endWaiting() // shows both, of which the second may not be on the disk yet
  await until(() => disk.waiting() === 1)
  const read = watched(dateOf(connection))
  await ticks(10)
  expect([written.isSettled, read.isSettled]).toEqual([false, false])
  disk.goOn()
  expect(await read.promise).toBe(2)
  await written.promise
})

test("reads go on while another process commits again and again", async () => {
  await using folder = await testFolder()
  await using connection = await connect(folder.file("rewards.db"))
  using other = plainly(folder.file("rewards.db"))
  let date = 0
  const commit = () => {
    date += 1
    other.run("UPDATE ledger_state SET last_date = ?", [date])
  }
  let isRunning = true
  const committing = (async () => {
    for (; isRunning; commit()) await nextTick()
  })()

  for (let count = 0; count < 50; count += 1) {
    const atLeast = date
    await nextTick()
    expect(await dateOf(connection)).toBeGreaterThanOrEqual(atLeast)
  }
  isRunning = false
  await committing
})

test("caches of what was read are valid until a write that changes them is shown", async () => {
  await using folder = await testFolder()
  const disk = slowDisk()
  await using connection = await connect(folder.file("rewards.db"), disk)
  await using other = await connect(folder.file("rewards.db"))
  const { reader, writer, changesUsers, write } = connection
  await dateOf(connection)
  const first = reader.version()

  await setDate(connection, 1)
  expect(reader.version()).toBe(first)

  disk.hang()
  const changed = write(() => {
    changesUsers()
    writer.run("UPDATE ledger_state SET last_date = 9")
  })
  await until(() => disk.waiting() === 1)
  expect(reader.version()).toBe(first)
  disk.goOn()
  await changed
  const second = reader.version()
  expect(second).not.toBe(first)

  await setDate(other, 2)
  await nextTick()
  await dateOf(connection)
  expect(reader.version()).not.toBe(second)
})

test("long reads share the time of a tick, so that many take no more of it than one", async () => {
  await using folder = await testFolder()
  await using connection = await connect(folder.file("rewards.db"))
  await dateOf(connection)
  const inTimeSlices = createTimeSlices(connection.reader.read)
  const slices: { tick: number; reader: number }[] = []
  function* long(reader: number): Reading<void> {
    for (let slice = 0; slice < 3; slice += 1) {
      slices.push({ tick: currentTick(), reader })
      const until = performance.now() + 6
      while (performance.now() < until);
      yield
    }
  }

  await Promise.all([1, 2, 3].map((reader) => inTimeSlices(long(reader))))

  expect(new Set(slices.map(({ tick }) => tick)).size).toBe(9)
  expect(slices.map(({ reader }) => reader)).toEqual([1, 2, 3, 1, 2, 3, 1, 2, 3])
})

test("a read of somebody who has left does not begin", async () => {
  await using folder = await testFolder()
  await using connection = await connect(folder.file("rewards.db"))
  const leaving = new AbortController()
  const left = new Error("left")
  let reads = 0

  leaving.abort(left)
  const read = connection.reader.read(() => {
    reads += 1
  }, leaving.signal)

  expect(await refusalOf(read)).toBe(left)
  expect(reads).toBe(0)
})

test("a write that changes nothing syncs nothing, unless another process has committed", async () => {
  await using folder = await testFolder()
  let syncs = 0
  const sync = async () => {
    syncs += 1
  }
  await using connection = await connect(folder.file("rewards.db"), { sync })
  await using other = await connect(folder.file("rewards.db"))
  const { database, write, writer } = connection
  await dateOf(connection)
  const before = syncs

  await database.write((tx) => tx.run(sql`UPDATE ledger_state SET last_date = 1 WHERE last_date = 77`))
  await write(() => "nothing")
  expect(syncs).toBe(before)

  await setDate(other, 77)
  // What the write has read of the other process is durable when it resolves.
  const read = await write(() => writer.query("SELECT last_date FROM ledger_state").get())
  expect({ read, syncs }).toEqual({ read: { last_date: 77 }, syncs: before + 1 })
})
