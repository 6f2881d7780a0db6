import { expect, test } from "bun:test"
import fc from "fast-check"
import type { NewTransaction, TransactionRecord } from "../../../../src/domain/ledger/model.ts"
import type { Entries } from "../../../../src/storage/sqlite/history/blocks.ts"
import { createByValue } from "../../../../src/storage/sqlite/history/by-value.ts"
import { createLists } from "../../../../src/storage/sqlite/history/lists.ts"
import { createPages } from "../../../../src/storage/sqlite/history/pages.ts"
import { createUserStore } from "../../../../src/storage/sqlite/people/users.ts"
import { pageModel } from "../../contract/page-model.ts"
import { threePeople } from "../../contract/people.ts"
import { connect, postAll, testFolder } from "../../files.ts"

/** So many that the middle of everybody's and of one person's list is far from both ends. */
const count = 9000
const usernames = ["ana", "bruno", "carla"]
const person = fc.integer({ min: 1, max: 3 })
const values = {
  alike: fc.constant(7),
  "up to 100": fc.integer({ min: 1, max: 100 }),
  "up to 2^17": fc.integer({ min: 1, max: 2 ** 17 }),
  "up to 2^39": fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 2 ** 39 })),
}

for (const [name, value] of Object.entries(values))
  test(`values ${name}: pages ordered by value equal a sorted list, with ties by id`, async () => {
    await using folder = await testFolder()
    await using connection = await connect(folder.file("rewards.db"))
    await threePeople({ users: createUserStore(connection) })
    const entries: NewTransaction[] = fc
      .sample(fc.record({ senderId: person, receiverId: person, value }), { numRuns: count, seed: 11 })
      .map((entry) => ({ kind: "transfer", ...entry, date: 1000 }))
    await postAll(connection, entries)
    const model = pageModel(entries.map(recordOf))
    const { page } = createPages(connection.reader)

    for (const kept of [{}, { participantId: 1 }, { sender: "bruno" }])
      for (const descending of [true, false])
        for (const at of [1, 20, 21, 25, 40, 45, 49, 50, 70, 90]) {
          const query = { ...kept, order: { field: "value" as const, descending }, page: at, size: 100 }
          expect({ query, ...(await page(query)) }).toEqual({ query, ...model(query) })
        }
  })

test("a page by value, far from both ends, says what is wrong if a block holds no numbers", async () => {
  await using folder = await testFolder()
  await using connection = await connect(folder.file("rewards.db"))
  await threePeople({ users: createUserStore(connection) })
  const between = { kind: "transfer" as const, senderId: 1, receiverId: 2, date: 1000 }
  const entries = Array.from({ length: count }, (_, index) => ({ ...between, value: 1 + index }))
  await postAll(connection, entries)
  const notNumbers = new Uint8Array(new Float64Array(256).fill(Number.NaN).buffer)
  await connection.write(() => connection.writer.run("UPDATE blocks SET amounts = ?", [notNumbers]))

  const page = createPages(connection.reader).page({
    order: { field: "value", descending: false },
    page: 45,
    size: 100,
  })

  await expect(page).rejects.toThrow("holds other values than numbers; `rewards verify` lists")
})

test("a page by value, far from both ends, keeps no block in memory after it has counted it", async () => {
  await using folder = await testFolder()
  await using connection = await connect(folder.file("rewards.db"))
  await threePeople({ users: createUserStore(connection) })
  const between = { kind: "transfer" as const, senderId: 1, receiverId: 2, date: 1000 }
  await postAll(
    connection,
    Array.from({ length: count }, (_, index) => ({ ...between, value: 1 + (index % 100) })),
  )
  const { client } = connection.reader
  const lists = createLists(client)
  const read: WeakRef<Entries>[] = []
  const segmentAt: typeof lists.segmentAt = (list, number) => {
    const entries = lists.segmentAt(list, number)
    read.push(new WeakRef(entries))
    return entries
  }

  const everything = lists.of({ ownerId: 0, side: "all" }, count, count)
  const reading = createByValue(client, { ...lists, segmentAt })([everything], 4450, 4500)
  let most = 0
  for (;;) {
    const { done, value } = reading.next()
    await Bun.sleep(0) // what a WeakRef has shown stays until the end of the tick
    Bun.gc(true)
    most = Math.max(most, read.filter((entries) => entries.deref() !== undefined).length)
    if (!done) continue
    expect(value).toHaveLength(50)
    break
  }

  expect(read.length).toBeGreaterThan(30)
  expect(most).toBeLessThan(10)
})

function recordOf(entry: NewTransaction, index: number): TransactionRecord {
  const nameOf = (id: number) => usernames[id - 1] ?? ""
  const { senderId, receiverId } = entry
  return {
    ...entry,
    id: index + 1,
    group: null,
    addsTo: null,
    senderUsername: nameOf(senderId),
    receiverUsername: nameOf(receiverId),
  }
}
