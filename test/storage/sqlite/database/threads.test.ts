import { Database } from "bun:sqlite"
import { expect, spyOn, test } from "bun:test"
import { raw } from "../../../../src/storage/sql.ts"
import { createRunner, type Request } from "../../../../src/storage/sqlite/database/runner.ts"
import { type OpenRuns, openHere, openThread } from "../../../../src/storage/sqlite/database/threads.ts"
import { askedBy } from "../../../../src/support/requester.ts"
import { until } from "../../../support/until.ts"
import { refusalOf } from "../../contract/people.ts"
import { connect, plainly, type TestFolder, testFolder } from "../../files.ts"

const asOne = (folder: TestFolder) => {
  const path = folder.file("rewards.db")
  plainly(path).close()
  return { path, busyTimeoutMs: 0, pragmas: [], isReader: true }
}

const one = { calls: [{ number: 0, text: "SELECT 1 AS one", parameters: [] }] }
/** A request that a thread cannot work on. */
const broken = { calls: Object.assign([], { map: () => null }) } as unknown as Request

test("a thread that dies says why, once, and answers nothing more", async () => {
  await using folder = await testFolder()
  const deaths: Error[] = []
  const thread = await openThread(asOne(folder), {
    onCheckpoint: () => {},
    onDeath: (error) => void deaths.push(error),
  })
  expect(await thread.run([one])).toEqual([{ results: [[{ one: 1 }]] }])

  const [first, second] = await Promise.all([refusalOf(thread.run([broken])), refusalOf(thread.run([one]))])

  expect(first).toMatchObject({ message: expect.stringContaining("a thread of the database has ended: ") })
  expect(second).toBe(first)
  expect(deaths).toEqual([first as Error])
  expect(await refusalOf(thread.run([one]))).toBe(first)
  await thread.close()
})

test("a request that cannot cross is refused, and takes nobody else's answer", async () => {
  await using folder = await testFolder()
  const thread = await openThread(asOne(folder), { onCheckpoint: () => {}, onDeath: () => {} })
  const uncrossable = { calls: [{ number: 1, text: "SELECT ?", parameters: [(() => {}) as never] }] }

  expect(await refusalOf(thread.run([uncrossable]))).toMatchObject({ name: "DataCloneError" })
  expect(await thread.run([one])).toEqual([{ results: [[{ one: 1 }]] }])
  await thread.close()
})

test("a closed thread answers what came before, and refuses what comes after", async () => {
  await using folder = await testFolder()
  const thread = await openThread(asOne(folder), { onCheckpoint: () => {}, onDeath: () => {} })
  const before = thread.run([one])
  const closed = thread.close()

  expect(await refusalOf(thread.run([one]))).toMatchObject({ message: "the database is closed" })
  expect(await before).toEqual([{ results: [[{ one: 1 }]] }])
  await closed
})

test("a thread that dies makes the database unusable, with its reason", async () => {
  await using folder = await testFolder()
  const [failures, died]: [unknown[], ((error: Error) => void)[]] = [[], []]
  await using connection = await connect(folder.file("rewards.db"), {
    failures,
    openRuns(opening, events) {
      died.push(events.onDeath)
      return openHere(opening, events)
    },
  })
  const query = { strings: ["SELECT 1"], values: [] }
  const reason = new Error("a thread of the database has ended: a bug")

  died[1]?.(reason)
  await until(() => failures.length > 0)

  expect(failures).toEqual([reason])
  expect(await refusalOf(connection.database.write((tx) => tx.first(query)))).toBe(reason)
  expect(await refusalOf(connection.database.all(query))).toBe(reason)
})

test("a thread that cannot open its file says why, and nothing else fails", async () => {
  await using folder = await testFolder()
  const opening = { ...asOne(folder), path: folder.file("missing.db") }

  expect(await refusalOf(openThread(opening, { onCheckpoint: () => {}, onDeath: () => {} }))).toMatchObject({
    code: "SQLITE_CANTOPEN",
  })
  await Bun.sleep(0) // a promise that nobody handles would fail the test here
})

test("if one of the threads cannot open the file, the others are closed, and the file can be opened again", async () => {
  await using folder = await testFolder()
  const path = folder.file("rewards.db")
  for (const failing of [0, 1, 2]) {
    const states: string[] = []
    const openRuns: OpenRuns = async (opening, events) => {
      const index = states.push("opening") - 1
      if (index === failing) throw new Error("too many open files")
      const runs = await openHere(opening, events)
      states[index] = "open"
      return {
        ...runs,
        close() {
          states[index] = "closed"
          return runs.close()
        },
      }
    }

    const refusal = await refusalOf(connect(path, { openRuns }))

    expect(refusal).toMatchObject({ message: expect.stringContaining("too many open files") })
    expect(states).toEqual(["closed", "closed", "closed"].with(failing, "opening"))
  }
  await (await connect(path)).close()
})

test("a checkpoint that cannot read the state of the WAL fails, and does not end the thread", async () => {
  await using folder = await testFolder()
  const path = folder.file("rewards.db")
  await (await connect(path)).close()
  const { query } = Database.prototype
  let isFailing = true
  const failing = () => {
    if (isFailing) throw Object.assign(new Error("disk I/O error"), { code: "SQLITE_IOERR_SHMMAP" })
    return null
  }
  function asked(this: Database, text: string) {
    const statement = query.call(this, text)
    return text.includes("wal_checkpoint(NOOP)") ? Object.assign(statement, { get: failing }) : statement
  }
  const querying = spyOn(Database.prototype, "query").mockImplementation(asked as typeof query)
  const runner = createRunner({ path, busyTimeoutMs: 0, pragmas: [], isReader: false })
  querying.mockRestore()

  expect(runner.checkpoint(1)).toMatchObject({
    frames: 0,
    failure: { step: "checkpoint", code: "SQLITE_IOERR_SHMMAP", isFinal: false },
  })
  isFailing = false
  expect(runner.checkpoint(1)).toBeNull()
  runner.close()
})

test("the close of a thread that dies ends", async () => {
  await using folder = await testFolder()
  const thread = await openThread(asOne(folder), { onCheckpoint: () => {}, onDeath: () => {} })
  const refused = refusalOf(thread.run([broken]))

  await thread.close()
  expect(await refused).toMatchObject({ message: expect.stringContaining("a thread of the database has ended: ") })
})

test("a statement can be run whose first call is behind others, or was never sent", async () => {
  await using folder = await testFolder()
  await using connection = await connect(folder.file("rewards.db"), { openRuns: openThread })
  const { database } = connection
  const leaving = new AbortController()
  const setDate = raw("UPDATE ledger_state SET last_date = last_date")

  const many = askedBy("ana", () => Array.from({ length: 64 }, () => database.first(raw("SELECT 0"))))
  const later = askedBy("ana", () => database.first(raw("SELECT 7 AS value")))
  const sooner = askedBy("bruno", () => database.first(raw("SELECT 7 AS value")))
  const left = refusalOf(askedBy("ana", () => database.until(leaving.signal).first(raw("SELECT 8 AS value"))))
  leaving.abort()
  const givenUp = refusalOf(
    database.write(async (tx) => {
      tx.send(setDate)
      throw new Error("given up")
    }),
  )

  expect(await Promise.all([sooner, later])).toEqual([{ value: 7 }, { value: 7 }])
  expect(await left).toBe(leaving.signal.reason)
  expect(await database.first(raw("SELECT 8 AS value"))).toEqual({ value: 8 })
  expect(await givenUp).toMatchObject({ message: "given up" })
  expect(await database.write((tx) => tx.run(setDate))).toBe(1)
  await Promise.all(many)
})

test.each([openHere, openThread])(
  "statements run in their order while a write waits for another process (%p)",
  async (openRuns) => {
    await using folder = await testFolder()
    const path = folder.file("rewards.db")
    await using connection = await connect(path, { openRuns })
    using other = plainly(path)
    other.run("BEGIN IMMEDIATE")

    const written = connection.database.write(async (tx) => {
      const first = tx.first(raw("SELECT 1 AS value"))
      await Bun.sleep(10)
      const second = tx.first(raw("SELECT 2 AS value"))
      await Bun.sleep(10)
      other.run("COMMIT")
      return Promise.all([first, second])
    })

    expect(await written).toEqual([{ value: 1 }, { value: 2 }])
  },
)
