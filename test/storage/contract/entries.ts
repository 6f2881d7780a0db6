import { expect, test } from "bun:test"
import fc from "fast-check"
import { type EntryQuery, type NewTransaction, transactionKinds } from "../../../src/domain/ledger/model.ts"
import { allow, person } from "./people.ts"
import { listed, planned, plannedAmong } from "./recognition-model.ts"
import type { OpenSubject } from "./subject.ts"

const names = ["Ana", "Bruno", "Carla"]
const usernames = names.map((name) => name.toLowerCase())
const anybody = fc.integer({ min: 1, max: names.length })

/** Transactions of all kinds, three for each day, every third with a note. */
function transactionsAmong(count: number): NewTransaction[] {
  const transactions: NewTransaction[] = []
  for (const one of fc.sample(plannedAmong(anybody), { numRuns: count, seed: 8 })) {
    const transaction = planned(one, transactions)
    const index = transactions.length
    const note = index % 3 === 0 ? { reason: `${index}`, tags: ["a"], isPrivate: index % 2 === 0 } : undefined
    if (transaction) transactions.push({ ...transaction, date: 1000 * Math.floor(index / 3), note })
  }
  return transactions
}

export function entryPromises(open: OpenSubject) {
  test("the entries equal that part of a plain list, for any query", async () => {
    await using subject = await open()
    const { users, ledger } = subject.store
    const transactions = transactionsAmong(2500)
    for (const name of names) await users.create(person(name))
    await Promise.all(transactions.map((transaction) => ledger.post(transaction, allow)))
    const all = listed(transactions, names)
    const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 })
    const username = fc.constantFrom(...usernames, "nobody")
    const query = fc.record({
      participantId: maybe(anybody),
      receiver: maybe(username),
      sender: maybe(username),
      kind: maybe(fc.constantFrom(...transactionKinds)),
      since: maybe(fc.integer({ min: -1, max: 900_000 })),
      until: maybe(fc.integer({ min: -1, max: 900_000 })),
      ending: maybe(fc.constantFrom("0", "3")),
      before: maybe(fc.integer({ min: 1, max: 2600 })),
      limit: fc.constantFrom(1, 20, 101),
    })

    await fc.assert(
      fc.asyncProperty(query, async ({ ending, participantId, receiver, sender, ...rest }) => {
        const noteMatches: EntryQuery["noteMatches"] = ({ note }) => note.reason.endsWith(ending ?? "")
        const { kind, since = -1, until = 1e9, before = 1e9, limit } = rest
        const expected = all
          .filter(
            (one) =>
              [undefined, one.senderId, one.receiverId].includes(participantId) &&
              [undefined, one.receiver.username].includes(receiver) &&
              [undefined, one.sender.username].includes(sender) &&
              [undefined, one.kind].includes(kind) &&
              one.date >= since &&
              one.date < until &&
              one.id < before &&
              (ending === undefined || one.note?.reason.endsWith(ending)),
          )
          .slice(0, limit)
        expect(
          await ledger.entries({
            ...rest,
            ...(participantId !== undefined && { participantId }),
            ...(receiver !== undefined && { receiver }),
            ...(sender !== undefined && { sender }),
            ...(ending !== undefined && { noteMatches }),
          }),
        ).toEqual(expected)
      }),
      { numRuns: 300 },
    )
    for (const id of [1, 7, transactions.length]) expect(await ledger.entry(id)).toEqual(all.at(-id) ?? null)
    for (const id of [0, transactions.length + 1]) expect(await ledger.entry(id)).toBeNull()
  }, 30_000)

  test("an empty ledger has no entries", async () => {
    await using subject = await open()

    for (const query of [{}, { since: 1, until: 2 }, { noteMatches: () => true }])
      expect(await subject.store.ledger.entries({ ...query, limit: 9 })).toEqual([])
  })
}
