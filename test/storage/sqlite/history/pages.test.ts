import { expect, test } from "bun:test"
import fc from "fast-check"
import {
  type HistoryPageQuery,
  type NewTransaction,
  orderFields,
  type TransactionRecord,
} from "../../../../src/domain/ledger/model.ts"
import type { User } from "../../../../src/domain/people/model.ts"
import type { Connection } from "../../../../src/storage/sqlite/database/connection.ts"
import { createPages } from "../../../../src/storage/sqlite/history/pages.ts"
import { createUserStore } from "../../../../src/storage/sqlite/people/users.ts"
import { pageModel } from "../../contract/page-model.ts"
import { person } from "../../contract/people.ts"
import { connect, postAll, testFolder } from "../../files.ts"
import { wrongIn, wrongSteps } from "../../plans.ts"

/** Ana (1) and Bruno (2) take part in most, Ana in some with herself; the others are many, in no order of names. */
const names = ["Ana", "Bruno", ...Array.from({ length: 150 }, (_, index) => `Person-${(index * 37) % 150}`)]
const usernames = names.map((name) => name.toLowerCase())
const anybody = fc.oneof(
  { arbitrary: fc.constantFrom(1, 2), weight: 3 },
  { arbitrary: fc.integer({ min: 1, max: names.length }), weight: 1 },
)

const orders = orderFields.flatMap((field) => [true, false].map((descending) => ({ field, descending })))
const view: fc.Arbitrary<Omit<HistoryPageQuery, "page" | "size">> = fc.record(
  {
    participantId: anybody,
    receiver: anybody.map((id) => usernames[id - 1] ?? ""),
    sender: anybody.map((id) => usernames[id - 1] ?? ""),
    order: fc.constantFrom(...orders),
  },
  { requiredKeys: [] },
)
const size = fc.constantFrom(1, 7, 50, 100)
/** 0 is the first page of a view, 1 the one behind its last. */
const depth = fc.integer({ min: 0, max: 1000 }).map((thousandths) => thousandths / 1000)

/** Views of which every page is read, where chance would seldom come to the middle. */
const fromEndToEnd: Omit<HistoryPageQuery, "page" | "size">[] = [
  { participantId: 2 },
  { order: { field: "user", descending: false } },
  { order: { field: "from_user", descending: true } },
]

/** The same transactions each time, of one moment; with few values, so that most have ties. */
function entriesOf(count: number): NewTransaction[] {
  const value = fc.oneof(fc.constantFrom(1, 2, 3), fc.integer({ min: 1, max: 1000 }))
  const entry = fc.record({ senderId: anybody, receiverId: anybody, value })
  const isOfBruno = ({ senderId, receiverId }: { senderId: number; receiverId: number }) =>
    senderId === 2 && receiverId === 2
  const sent = fc.sample(
    entry.filter((one) => !isOfBruno(one)),
    { numRuns: count, seed: 6 },
  )
  return sent.map((one) => ({ kind: "transfer", ...one, date: 1000 }))
}

/** Posts all in one commit, and answers what must be in the ledger then. */
async function post(
  connection: Connection,
  entries: readonly NewTransaction[],
  before = 0,
): Promise<TransactionRecord[]> {
  await postAll(connection, entries)
  return entries.map((entry, index) => ({
    ...entry,
    id: before + index + 1,
    group: null,
    addsTo: null,
    receiverUsername: usernames[entry.receiverId - 1] ?? "",
    senderUsername: usernames[entry.senderId - 1] ?? "",
  }))
}

async function companyIn(path: string) {
  const connection = await connect(path)
  const users = createUserStore(connection)
  for (const name of names) await users.create(person(name))
  return connection
}

test("in a long history, every page of every view equals that part of a plain list", async () => {
  await using folder = await testFolder()
  await using connection = await companyIn(folder.file("rewards.db"))
  const [entries, ledger] = [entriesOf(6000), [] as TransactionRecord[]]
  // Each part begins without entries in memory, as after a restart, so its first blocks are partly read from the database.
  for (const [from, to] of [
    [0, 100],
    [100, 1000],
    [1000, 6000],
  ])
    ledger.push(...(await post(connection, entries.slice(from, to), from)))
  const model = pageModel(ledger)
  const { page } = createPages(connection.reader)

  for (const view of fromEndToEnd)
    for (let at = 1; at <= Math.ceil(model({ ...view, page: 1, size: 100 }).total / 100); at += 1) {
      const wanted = { ...view, page: at, size: 100 }
      expect(await page(wanted)).toEqual(model(wanted))
    }
  await fc.assert(
    fc.asyncProperty(view, size, depth, async (view, size, depth) => {
      const { total } = model({ ...view, page: 1, size: 1 })
      const wanted = { ...view, page: 1 + Math.ceil((total / size) * depth), size }
      expect(await page(wanted)).toEqual(model(wanted))
    }),
    { numRuns: 500 },
  )
})

test("pages are cached, and correct for every user and after every append", async () => {
  await using folder = await testFolder()
  await using connection = await companyIn(folder.file("rewards.db"))
  await using other = await connect(folder.file("rewards.db"))
  const { page } = createPages(connection.reader)
  const ledger: TransactionRecord[] = []
  const views: Omit<HistoryPageQuery, "page">[] = [
    {},
    { participantId: 1 },
    { participantId: 2 },
    { receiver: "ana" },
    { sender: "ana" },
    { sender: "ana", receiver: "bruno" },
    { participantId: 1, sender: "bruno" },
  ].flatMap((kept) =>
    [10, 50].flatMap((size) => [{ ...kept, size }, ...orders.map((order) => ({ ...kept, order, size }))]),
  )

  for (const writer of [connection, other, connection]) {
    ledger.push(...(await post(writer, entriesOf(120), ledger.length)))
    const model = pageModel(ledger)
    for (const view of views)
      for (const at of [1, 2, 2, 1]) expect(await page({ ...view, page: at })).toEqual(model({ ...view, page: at }))
  }
})

test("a page is read once, even if transactions are appended after it", async () => {
  await using folder = await testFolder()
  await using connection = await companyIn(folder.file("rewards.db"))
  await post(connection, entriesOf(200))
  const { page } = createPages(connection.reader)
  const views: HistoryPageQuery[] = [
    { page: 2, size: 50 },
    { participantId: 2, page: 1, size: 50 },
    { receiver: "ana", order: { field: "date", descending: false }, page: 1, size: 10 },
  ]

  const before = await Promise.all(views.map(page))
  await post(connection, entriesOf(200), 200)
  const after = await Promise.all(views.map(page))
  for (const [index, { items }] of after.entries()) expect(items).toBe(before[index]?.items ?? [])
  expect(after.map(({ total }) => total)).not.toEqual(before.map(({ total }) => total))
})

test("others can write while a long page is read, and the page shows the state at its start", async () => {
  await using folder = await testFolder()
  await using connection = await companyIn(folder.file("rewards.db"))
  const ledger = await post(connection, entriesOf(6000))
  const { client, read } = connection.reader
  let posts = 0
  const postingBetween = async <T>(work: () => T) => {
    const slice = await read(work)
    if (posts < 3) ledger.push(...(await post(connection, entriesOf(10), ledger.length)))
    posts += 1
    return slice
  }
  const { page } = createPages({ client, read: postingBetween }, 0)
  const far = { page: 15, size: 100 }
  const views: HistoryPageQuery[] = [
    { participantId: 1, order: { field: "value", descending: false }, ...far },
    { participantId: 1, order: { field: "user", descending: false }, page: 28, size: 100 },
    { receiver: "bruno", order: { field: "from_user", descending: true }, ...far },
    { order: { field: "value", descending: true }, ...far },
    { order: { field: "user", descending: true }, page: 5, size: 100 },
    { sender: "ana", receiver: "bruno", page: 1, size: 100 },
  ]

  for (const view of views) {
    const wanted = pageModel(ledger)(view)
    posts = 0
    expect(await page(view)).toEqual(wanted)
    expect({ view, isPostedMeanwhile: posts > 1 }).toEqual({ view, isPostedMeanwhile: true })
  }
})

test("an erasure while a page is read in the order of usernames does not repeat or lose anybody", async () => {
  await using folder = await testFolder()
  await using connection = await connect(folder.file("rewards.db"))
  const users = createUserStore(connection)
  // More people than the index reads at a time.
  const everybody: User[] = []
  for (let number = 100; number < 190; number += 1) everybody.push(await users.create(person(`P${number}`)))
  const entries = everybody.map(({ id }) => ({
    kind: "transfer" as const,
    senderId: 1,
    receiverId: id,
    value: 1,
    date: 1,
  }))
  await postAll(connection, entries)
  let erased: Promise<unknown> | undefined
  const erase = () =>
    connection.writer.run(
      "UPDATE users SET username = 'zzz', deactivated_at = 1, erased_at = 1 WHERE username = 'p100'",
    )
  const { client, read } = connection.reader
  const erasingAfterFirst = async <T>(work: () => T) => {
    const slice = await read(work)
    erased ??= connection.write(erase)
    await erased
    return slice
  }
  const { page } = createPages({ client, read: erasingAfterFirst }, 0)

  const reading = page({ order: { field: "user", descending: false }, page: 1, size: 100 })

  const receivers = (await reading).items.map(({ receiverUsername }) => receiverUsername)
  expect(receivers).toEqual([...everybody.slice(1).map(({ username }) => username), "zzz"])
})

test("no statement of a page scans a whole table, and none sorts more than its input", async () => {
  await using folder = await testFolder()
  await using connection = await companyIn(folder.file("rewards.db"))
  await post(connection, entriesOf(3000))
  const { client, read } = connection.reader
  const statements = new Set<string>()
  const recording = Object.assign(Object.create(client), {
    prepare: (sql: string) => {
      statements.add(sql)
      return client.prepare(sql)
    },
  })
  createPages({ client: recording, read })

  const reads = [...statements].filter((sql) => /^(SELECT|WITH)/.test(sql))
  expect(reads.map((sql) => ({ sql, wrong: wrongSteps(client, sql) })).filter(({ wrong }) => wrong.length > 0)).toEqual(
    [],
  )
  expect(reads.length).toBeGreaterThan(15)
})

test("the check finds a query plan that scans or sorts a whole table", () => {
  expect(wrongIn(["SCAN transactions"])).toHaveLength(1)
  expect(wrongIn(["SEARCH transactions USING INTEGER PRIMARY KEY (rowid=?)", "SCAN users"])).toHaveLength(1)
  expect(wrongIn(["SEARCH users USING INDEX by_name (username>?)", "USE TEMP B-TREE FOR ORDER BY"])).toHaveLength(1)
  expect(wrongIn(["SEARCH t USING AUTOMATIC COVERING INDEX (user_id=?)"])).toHaveLength(1)
})
