import { expect, test } from "bun:test"
import fc from "fast-check"
import type { NewTransaction } from "../../../../src/domain/model.ts"
import type { Connection } from "../../../../src/storage/sqlite/database/connection.ts"
import { createGroupCommit } from "../../../../src/storage/sqlite/ledger/append.ts"
import { createUserStore } from "../../../../src/storage/sqlite/people/users.ts"
import { createRecognitionStore } from "../../../../src/storage/sqlite/recognition/recognitions.ts"
import { person } from "../../contract/people.ts"
import { connect, testFolder } from "../../files.ts"
import { wrongSteps } from "../../plans.ts"

const names = ["Ana", "Bruno", "Carla", "Davi", "Elena"]
const anybody = fc.integer({ min: 1, max: names.length })

/** Every third with a note. */
function entriesOf(count: number): NewTransaction[] {
  const sent = fc.sample(fc.record({ senderId: anybody, receiverId: anybody }), { numRuns: count, seed: 6 })
  return sent.map((one, index) => ({
    ...one,
    value: index + 1,
    date: 1000,
    note: index % 3 === 0 ? { reason: `${index}`, tags: ["a", "b"], isPrivate: index % 2 === 0 } : undefined,
  }))
}

async function companyIn(path: string, entries: readonly NewTransaction[]) {
  const connection = await connect(path)
  const users = createUserStore(connection)
  for (const name of names) await users.create(person(name))
  post(connection, entries)
  return connection
}

const post = (connection: Connection, entries: readonly NewTransaction[]) =>
  void createGroupCommit(connection)([{ entries, check() {}, resolve() {}, reject() {} }])

test("from wherever a page begins, whoever takes part, it is what a plain list would give", async () => {
  await using folder = await testFolder()
  const entries = entriesOf(3000)
  using connection = await companyIn(folder.file("rewards.db"), entries)
  const { newest } = createRecognitionStore(connection)
  const party = (id: number) => ({ name: names[id - 1], username: names[id - 1]?.toLowerCase(), avatar: null })
  const all = entries
    .map((entry, index) => ({ ...entry, id: index + 1 }))
    .map((entry) => ({ ...entry, sender: party(entry.senderId), receiver: party(entry.receiverId) }))
    .reverse()
  const query = fc.record({
    participantIds: fc.array(anybody, { maxLength: 2 }),
    before: fc.option(fc.integer({ min: 1, max: 3100 }), { nil: undefined }),
    limit: fc.constantFrom(1, 20, 101),
  })

  await fc.assert(
    fc.asyncProperty(query, async ({ participantIds, before, limit }) => {
      const isKept = ({ senderId, receiverId }: NewTransaction) =>
        senderId !== receiverId && participantIds.every((id) => id === senderId || id === receiverId)
      const expected = all.filter((entry) => isKept(entry) && entry.id < (before ?? 1e9)).slice(0, limit)
      expect(await newest({ participantIds, before, limit })).toEqual(expected as never)
    }),
    { numRuns: 200 },
  )
})

test("a page behind a long run of transfers to oneself is found in time slices, and no bounded page reads it all", async () => {
  await using folder = await testFolder()
  const toOther = { senderId: 1, receiverId: 2, value: 1, date: 1 }
  using connection = await companyIn(folder.file("rewards.db"), [
    ...Array(60).fill(toOther),
    ...Array(20_000).fill({ ...toOther, receiverId: 1 }),
  ])
  const { newest } = createRecognitionStore(connection)
  let turns = 0
  const others = setInterval(() => {
    turns += 1
  }, 0)
  const ids = async (participantIds: readonly number[]) =>
    (await newest({ participantIds, limit: 2 })).map(({ id }) => id)

  for (const participantIds of [[], [1], [1, 2], [2]]) expect(await ids(participantIds)).toEqual([60, 59])
  clearInterval(others)
  expect(turns).toBeGreaterThan(0)
})

test("what follows an id is read ascending, with what was said", async () => {
  await using folder = await testFolder()
  using connection = await companyIn(folder.file("rewards.db"), entriesOf(30))
  const { after } = createRecognitionStore(connection)

  expect((await after(27, 2)).map(({ id, note }) => [id, note?.reason])).toEqual([
    [28, "27"],
    [29, undefined],
  ])
  expect(await after(30, 2)).toEqual([])
})

test("an avatar that was changed is shown at once", async () => {
  await using folder = await testFolder()
  using connection = await companyIn(folder.file("rewards.db"), entriesOf(1))
  const { newest } = createRecognitionStore(connection)
  const [{ senderId = 0 } = {}] = entriesOf(1)
  await newest({ participantIds: [], limit: 1 })

  await createUserStore(connection).updateProfile(senderId, { avatar: "https://example.com/a.png", bio: null })

  expect(await newest({ participantIds: [], limit: 1 })).toMatchObject([
    { sender: { avatar: "https://example.com/a.png" } },
  ])
})

test("no statement reads a table whole", async () => {
  await using folder = await testFolder()
  using connection = await companyIn(folder.file("rewards.db"), entriesOf(300))
  const { client } = connection
  const statements = new Set<string>()
  createRecognitionStore({
    client: Object.assign(Object.create(client), {
      prepare: (sql: string) => {
        statements.add(sql)
        return client.prepare(sql)
      },
    }),
  })

  const reads = [...statements].filter((sql) => sql.startsWith("SELECT"))
  const wrong = reads.map((sql) => ({ sql, wrong: wrongSteps(client, sql) })).filter(({ wrong }) => wrong.length > 0)
  expect(wrong).toEqual([])
  expect(reads.length).toBeGreaterThan(10)
})
