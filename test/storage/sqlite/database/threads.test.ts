import { expect, test } from "bun:test"
import type { Request } from "../../../../src/storage/sqlite/database/runner.ts"
import { openThread } from "../../../../src/storage/sqlite/database/threads.ts"
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
const broken = { calls: null } as unknown as Request

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
  const failures: unknown[] = []
  let isBroken = false
  await using connection = await connect(folder.file("rewards.db"), {
    failures,
    openRuns: async (opening, events) => {
      const runs = await openThread(opening, events)
      return { ...runs, run: (requests) => runs.run(isBroken ? [broken] : requests) }
    },
  })
  isBroken = true

  const query = { strings: ["SELECT 1"], values: [] }

  const written = await refusalOf(connection.database.write((tx) => tx.first(query)))
  await until(() => failures.length > 0)

  expect(failures).toEqual([expect.objectContaining({ message: expect.stringContaining("a thread of the database") })])
  expect(written).toBe(failures[0])
  expect(await refusalOf(connection.database.all(query))).toBe(failures[0])
})
