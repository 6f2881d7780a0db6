import { expect, test } from "bun:test"
import type { NewTransaction } from "../../../../src/domain/ledger/model.ts"
import { createUserStore } from "../../../../src/storage/sqlite/people/users.ts"
import { createRecognitionStore } from "../../../../src/storage/sqlite/recognition/recognitions.ts"
import { countTicks } from "../../../support/ticks.ts"
import { person } from "../../contract/people.ts"
import { connect, postAll, testFolder } from "../../files.ts"
import { wrongSteps } from "../../plans.ts"

const names = ["Ana", "Bruno", "Carla", "Davi", "Elena"]
async function companyIn(path: string, entries: readonly NewTransaction[]) {
  const connection = await connect(path)
  const users = createUserStore(connection)
  for (const name of names) await users.create(person(name))
  await postAll(connection, entries)
  return connection
}

test("a page after many transfers to oneself is read in time slices, and a person's page skips those transfers", async () => {
  await using folder = await testFolder()
  const toOther = { kind: "transfer", senderId: 1, receiverId: 2, value: 1, date: 1 }
  await using connection = await companyIn(folder.file("rewards.db"), [
    ...Array(60).fill(toOther),
    ...Array(20_000).fill({ ...toOther, receiverId: 1 }),
  ])
  const { newest } = createRecognitionStore(connection.reader, 0)

  for (const { participantIds, readsRun } of [
    { participantIds: [], readsRun: true },
    { participantIds: [1], readsRun: false },
    { participantIds: [1, 2], readsRun: false },
    { participantIds: [2], readsRun: false },
  ]) {
    const { result, ticks } = await countTicks(() => newest({ participantIds, limit: 2 }))
    expect(result.map(({ id }) => id)).toEqual([60, 59])
    expect({ participantIds, readsRun: ticks > 5 }).toEqual({ participantIds, readsRun })
  }
})

test("no statement scans a whole table", async () => {
  await using folder = await testFolder()
  await using connection = await companyIn(
    folder.file("rewards.db"),
    Array(300).fill({ kind: "transfer", senderId: 1, receiverId: 2, value: 1, date: 1 }),
  )
  const { client, read } = connection.reader
  const statements = new Set<string>()
  createRecognitionStore({
    read,
    client: Object.assign(Object.create(client), {
      prepare: (sql: string) => {
        statements.add(sql)
        return client.prepare(sql)
      },
    }),
  })

  const reads = [...statements].filter((sql) => /^(SELECT|WITH)/.test(sql))
  const wrong = reads.map((sql) => ({ sql, wrong: wrongSteps(client, sql) })).filter(({ wrong }) => wrong.length > 0)
  expect(wrong).toEqual([])
  expect(reads.length).toBeGreaterThan(10)
})
