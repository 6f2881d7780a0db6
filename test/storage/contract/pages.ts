import { expect, test } from "bun:test"
import fc from "fast-check"
import { type HistoryPageQuery, orderFields, type TransactionRecord } from "../../../src/domain/ledger/model.ts"
import type { Store } from "../../../src/domain/store.ts"
import { pageModel } from "./page-model.ts"
import { allow, person } from "./people.ts"
import type { OpenSubject } from "./subject.ts"

/** Users are created in this order, so that no order of names is the order of ids. */
const names = ["Carla", "Ana", "Davi", "Bruno"]
const maybeAnyone = [undefined, 1, 2, 3, 4]
const maybeUsername = [undefined, "carla", "ana", "davi", "bruno", "nobody"]
const orders = [
  undefined,
  ...orderFields.flatMap((field) => [true, false].map((descending) => ({ field, descending }) as const)),
]

interface Posted {
  readonly senderId: number
  readonly receiverId: number
  readonly value: number
  readonly date: number
}

const user = fc.integer({ min: 1, max: names.length })
/** Few values and dates, so that most orders have ties. */
const posted: fc.Arbitrary<Posted> = fc.record({
  senderId: user,
  receiverId: user,
  value: fc.constantFrom(1, 2, 3, 2 ** 40),
  date: fc.constantFrom(1_000, 2_000, 3_000),
})
const query: fc.Arbitrary<HistoryPageQuery> = fc
  .record({
    participantId: fc.constantFrom(...maybeAnyone),
    receiver: fc.constantFrom(...maybeUsername),
    sender: fc.constantFrom(...maybeUsername),
    order: fc.constantFrom(...orders),
    page: fc.integer({ min: 1, max: 5 }),
    size: fc.integer({ min: 1, max: 20 }),
  })
  .map(without)

export function pagePromises(open: OpenSubject) {
  test("every combination of participant, receiver, sender, order and direction is correct on all its pages", async () => {
    await using subject = await open()
    const entries = fc.sample(posted, { numRuns: 25, seed: 7 })
    const model = pageModel(await post(subject.store, entries))

    for (const participantId of maybeAnyone)
      for (const receiver of maybeUsername)
        for (const sender of maybeUsername)
          for (const order of orders) {
            const wanted = without({ participantId, receiver, sender, order, page: 1, size: 9 })
            const { total } = model(wanted)
            for (let page = 1; page <= Math.ceil(total / 9) + 1; page += 1)
              expect({ wanted, page, ...(await subject.store.ledger.page({ ...wanted, page })) }).toEqual({
                wanted,
                page,
                ...model({ ...wanted, page }),
              })
          }
  })

  test("each page equals that part of a plain list, and each total is exact", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(posted, { maxLength: 60 }),
        fc.array(query, { minLength: 40 }),
        async (all, queries) => {
          await using subject = await open()
          const model = pageModel(await post(subject.store, all))
          for (const wanted of queries) expect(await subject.store.ledger.page(wanted)).toEqual(model(wanted))
        },
      ),
      { numRuns: 15 },
    ))

  test("usernames are ordered by their characters, not by the rules of a language", async () => {
    await using subject = await open()
    const { users, ledger } = subject.store
    const inOrder = ["Zoe", "a1", "a_1", "ana"]
    const created = new Map<string, number>()
    for (const username of ["ana", "a_1", "Zoe", "a1"])
      created.set(username, (await users.create(person(username, { username }))).id)
    const [receiverId = 0] = created.values()
    for (const senderId of created.values())
      await ledger.post({ kind: "transfer", senderId, receiverId, value: 1, date: 1 }, allow)

    for (const descending of [false, true])
      for (const size of [1, 2, 9]) {
        const { items } = await ledger.page({ order: { field: "from_user", descending }, page: 1, size })
        expect(items.map(({ senderUsername }) => senderUsername)).toEqual(
          (descending ? inOrder.toReversed() : inOrder).slice(0, size),
        )
      }
  })

  test("a page far behind the last one is empty", async () => {
    await using subject = await open()
    await post(subject.store, [{ senderId: 1, receiverId: 2, value: 1, date: 1 }])

    expect(await subject.store.ledger.page({ page: Number.MAX_SAFE_INTEGER, size: 100 })).toEqual({
      items: [],
      total: 1,
    })
  })
}

/** Creates the people and posts all transactions. Returns the expected content of the ledger. */
async function post({ users, ledger }: Store, entries: readonly Posted[]): Promise<TransactionRecord[]> {
  const usernames = new Map<number, string>()
  for (const name of names) {
    const { id, username } = await users.create(person(name))
    usernames.set(id, username)
  }
  await Promise.all(entries.map((entry) => ledger.post({ kind: "transfer", ...entry }, allow)))

  let last = 0
  return entries.map((entry, index) => {
    last = Math.max(last, entry.date)
    const [receiverUsername = "", senderUsername = ""] = [entry.receiverId, entry.senderId].map((id) =>
      usernames.get(id),
    )
    return {
      kind: "transfer",
      ...entry,
      id: index + 1,
      date: last,
      group: null,
      addsTo: null,
      receiverUsername,
      senderUsername,
    }
  })
}

/** The query without its undefined parts, because an absent part is not the same as an undefined one. */
function without(wanted: { [Part in keyof HistoryPageQuery]: HistoryPageQuery[Part] | undefined }): HistoryPageQuery {
  const { participantId, receiver, sender, order, page = 1, size = 1 } = wanted
  return {
    ...(participantId !== undefined && { participantId }),
    ...(receiver !== undefined && { receiver }),
    ...(sender !== undefined && { sender }),
    ...(order !== undefined && { order }),
    page,
    size,
  }
}
