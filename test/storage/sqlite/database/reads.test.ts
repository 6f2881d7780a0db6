import { expect, test } from "bun:test"
import { nextTick } from "../../../../src/domain/ticks.ts"
import { raw } from "../../../../src/storage/sql.ts"
import { createReads } from "../../../../src/storage/sqlite/database/reads.ts"
import type { Answer, Call, Request } from "../../../../src/storage/sqlite/database/runner.ts"
import { openThread, type Runs } from "../../../../src/storage/sqlite/database/threads.ts"
import { askedBy } from "../../../../src/support/requester.ts"
import { until } from "../../../support/until.ts"
import { refusalOf } from "../../contract/people.ts"
import { change, connect, testFolder } from "../../files.ts"

/** A connection whose answers wait until they are let go, and the names of the reads in each message. */
function held(maxTogether = 16) {
  const messages: string[][] = []
  const waiting: (() => void)[] = []
  const runs: Pick<Runs, "run"> = {
    run(requests: readonly Request[]) {
      messages.push(requests.map(({ calls }) => String(calls[0]?.parameters[0])))
      return new Promise<readonly Answer[]>((resolve) =>
        waiting.push(() => resolve(requests.map(({ calls }) => ({ results: calls.map(() => []) })))),
      )
    },
  }
  return { read: createReads(runs as Runs, maxTogether), messages, answer: () => waiting.shift()?.() }
}

const call = (name: string): readonly Call[] => [{ number: 1, parameters: [name] }]

test("the reads of a tick share a message, and two messages are under way at most", async () => {
  const { read, messages, answer } = held()
  const all = ["a", "b"].map((name) => read(call(name), {}))
  await nextTick()
  all.push(read(call("c"), {}))
  await nextTick()
  all.push(read(call("d"), {}), read(call("e"), {}))
  await nextTick()
  expect(messages).toEqual([["a", "b"], ["c"]])

  answer()
  await until(() => messages.length === 3)
  expect(messages[2]).toEqual(["d", "e"])
  answer()
  answer()
  await Promise.all(all)
})

test("a read waits for the messages under way, however many of another caller wait", async () => {
  const { read, messages, answer } = held()
  const many = askedBy("ana", () => Array.from({ length: 64 }, (_, index) => read(call(`many ${index}`), {})))
  await nextTick()
  const one = askedBy("bruno", () => read(call("one"), {}))
  await nextTick()
  expect(messages).toHaveLength(2)

  answer()
  await until(() => messages.length === 3)
  expect(messages[2]?.[0]).toBe("one")
  expect(messages[2]).toHaveLength(16)
  answer()
  answer()
  await one

  while (messages.flat().length < 65) {
    await nextTick()
    answer()
  }
  answer()
  answer()
  await Promise.all(many)
})

test("among callers with equally many under way, whoever was served least recently is next", async () => {
  const { read, messages, answer } = held(1)
  const all = ["ana", "bruno", "carla"].flatMap((who) => askedBy(who, () => [1, 2, 3].map(() => read(call(who), {}))))
  await nextTick()

  for (let sent = 2; sent < all.length; sent += 1) {
    answer()
    await until(() => messages.length > sent)
  }
  answer()
  answer()
  await Promise.all(all)
  for (const turn of [messages.slice(0, 3), messages.slice(3, 6), messages.slice(6)])
    expect(turn.flat().toSorted()).toEqual(["ana", "bruno", "carla"])
})

test("a read of somebody who has left is not sent", async () => {
  const { read, messages, answer } = held()
  const leaving = new AbortController()
  const left = new Error("left")
  const stays = read(call("stays"), {})
  const leaves = read(call("leaves"), { signal: leaving.signal })

  leaving.abort(left)
  expect(await refusalOf(leaves)).toBe(left)
  answer()
  await stays

  expect(messages).toEqual([["stays"]])
})

test("in threads, values of every kind come back as they were stored, and errors with their codes", async () => {
  await using folder = await testFolder()
  await using connection = await connect(folder.file("rewards.db"), { openRuns: openThread })
  const { database } = connection
  await change(connection, "CREATE TABLE things (id INTEGER PRIMARY KEY, words TEXT UNIQUE, bytes BLOB, amount REAL)")
  const bytes = new Uint8Array([0, 255, 7])
  const words = 'the words {"base64": "AAAA"} and \u0000 and 🎉'

  const stored = await database.write((tx) =>
    tx.first({ strings: ["INSERT INTO things VALUES (1, ", ", ", ", ", ") RETURNING *"], values: [words, bytes, 0.5] }),
  )

  const found = { id: 1, words, bytes, amount: 0.5 }
  expect(stored).toEqual(found)
  expect(await database.all(raw("SELECT * FROM things"))).toEqual([found])
  expect(await refusalOf(database.write((tx) => tx.run(raw("INSERT INTO things (id) VALUES (1)"))))).toMatchObject({
    name: "DuplicateKey",
  })
  expect(await refusalOf(database.all(raw("SELECT * FROM nothing")))).toMatchObject({ code: "SQLITE_ERROR" })
})

test("a long read in a thread holds up neither the event loop nor other reads", async () => {
  await using folder = await testFolder()
  await using connection = await connect(folder.file("rewards.db"), { openRuns: openThread })
  const long = raw(`WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 3000000)
    SELECT count(*) AS count FROM numbers`)
  let hasEnded = false
  const report = connection.database.reports().first(long)
  void report.then(() => {
    hasEnded = true
  })

  let reads = 0
  for (; !hasEnded; reads += 1) await connection.database.first(raw("SELECT 1"))

  expect(await report).toEqual({ count: 3_000_000 })
  expect(reads).toBeGreaterThan(10)
})
