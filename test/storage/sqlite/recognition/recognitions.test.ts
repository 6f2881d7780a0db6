import { expect, test } from "bun:test"
import { withOccasions } from "../../../../src/storage/recognition/occasions.ts"
import { createRecognitionStore } from "../../../../src/storage/recognition/recognition-store.ts"
import { rowsAtOnce } from "../../../../src/storage/slices.ts"
import { type OpenRuns, openHere, type Runs } from "../../../../src/storage/sqlite/database/threads.ts"
import { person } from "../../contract/people.ts"
import { connect, plainly, postAll, storesOn, testFolder, watchedStatements } from "../../files.ts"

/** Scans of a table, and reads of all transactions of a kind or value. One row, a list of the call and a part of a statement may be scanned. */
const isWrong = (step: string): boolean =>
  (/^SCAN /.test(step) && !/^SCAN (ledger_state|part|merged|\w+ VIRTUAL TABLE .*)$/.test(step)) ||
  /transactions_by_(kind|value)/.test(step)

test("the feed of a large department with few entries is read some people at a time, and each of them once", async () => {
  await using folder = await testFolder()
  const messages: number[] = []
  const openRuns: OpenRuns = async (opening, events) => {
    const runs = await openHere(opening, events)
    const run: Runs["run"] = async (requests) => {
      const answers = await runs.run(requests)
      for (const { results } of answers) messages.push(results.length)
      return answers
    }
    return { ...runs, run }
  }
  await using connection = await connect(folder.file("rewards.db"), { openRuns })
  const count = 400
  const { users } = storesOn(connection)
  const create = Array.from({ length: count }, (_, index) => person(`Person${index}`, { dept: "sales" }))
  await users.merge({ create, update: [], entries: [], jobs: [] })
  const note = { reason: "x", tags: [], isPrivate: false }
  await postAll(
    connection,
    create.slice(1).map((_, place) => ({
      ...{ kind: "transfer" as const, senderId: 1, receiverId: place + 2, value: 1, date: 1, note, place },
    })),
  )
  messages.length = 0

  const query = { participantIds: [], dept: "sales", limit: 20 }
  const found = await createRecognitionStore(connection.database, 50, 0).newest(query)

  expect(found.map(({ receivers }) => receivers.length)).toEqual([count - 1])
  expect(Math.max(...messages)).toBe(rowsAtOnce) // statements
  expect(messages.reduce((sum, statements) => sum + statements, 0)).toBeWithin(count, 2 * count)
})

test("no statement scans a whole table", async () => {
  await using folder = await testFolder()
  const { statements, openRuns } = watchedStatements()
  await using connection = await connect(folder.file("rewards.db"), { openRuns })
  const { users } = storesOn(connection)
  for (const name of ["Ana", "Bruno", "Carla", "Davi"]) await users.create(person(name, { dept: "sales" }))
  const note = { reason: "x", tags: [], isPrivate: true }
  const thanks = { kind: "transfer" as const, senderId: 1, value: 1, date: 1, note }
  await postAll(connection, [
    { ...thanks, receiverId: 2 },
    ...[2, 3, 4].map((receiverId, place) => ({ ...thanks, receiverId, place })),
  ])
  const { database } = connection
  const [byPerson, ofMany] = [createRecognitionStore(database), createRecognitionStore(database, 0, 1)]
  statements.clear()

  for (const ledger of [byPerson, ofMany]) {
    const { newest, find, after } = withOccasions(database, ledger)
    for (const participantIds of [[], [1], [1, 2]])
      for (const dept of [undefined, "sales"])
        for (const before of [undefined, 4])
          for (const noteMatches of [undefined, () => true])
            await newest({ participantIds, dept, before, noteMatches, limit: 2 })
    await find(2)
    await after(0, 10)
  }

  using client = plainly(folder.file("rewards.db"))
  const wrong = [...statements].flatMap((text) => {
    const plan = client.query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${text}`).all()
    const steps = plan.map(({ detail }) => detail).filter(isWrong)
    return steps.length === 0 ? [] : [{ text, steps }]
  })
  expect(wrong).toEqual([])
  expect(statements.size).toBeGreaterThan(20)
})
