import { expect, test } from "bun:test"
import fc from "fast-check"
import type { NewTransaction, Note } from "../../../src/domain/model.ts"
import type { Store } from "../../../src/domain/store.ts"
import { allow, person } from "./people.ts"
import { listed, planned, plannedAmong } from "./recognition-model.ts"
import type { OpenSubject } from "./subject.ts"

const names = ["Ana", "Bruno", "Carla", "Davi", "Elena"]
const deptOf = (name: string) => (name === "Elena" ? "support" : "sales")
const anybody = fc.integer({ min: 1, max: names.length })

/** Transactions of all kinds among five people, some to oneself, every third with a note. */
function transactionsAmong(count: number): NewTransaction[] {
  const transactions: NewTransaction[] = []
  for (const one of fc.sample(plannedAmong(anybody), { numRuns: count, seed: 6 })) {
    const index = transactions.length
    const note = index % 3 === 0 ? { reason: `${index}`, tags: ["a", "b"], isPrivate: index % 2 === 0 } : undefined
    const transaction = planned(one, transactions)
    if (transaction) transactions.push({ ...transaction, date: 1000, note })
  }
  return transactions
}

async function fill({ users, ledger }: Store, transactions: readonly NewTransaction[]) {
  for (const name of names) await users.create(person(name, { dept: deptOf(name) }))
  await Promise.all(transactions.map((transaction) => ledger.post(transaction, allow)))
}

export function recognitionPromises(open: OpenSubject) {
  test("a page of recognitions equals that part of a plain list, from any position and for any participant", async () => {
    await using subject = await open()
    const { recognitions } = subject.store
    const transactions = transactionsAmong(3000)
    await fill(subject.store, transactions)
    const all = listed(transactions, names)
    const query = fc.record({
      participantIds: fc.array(anybody, { maxLength: 2 }),
      before: fc.option(fc.integer({ min: 1, max: 3100 }), { nil: undefined }),
      limit: fc.constantFrom(1, 20, 101),
      dept: fc.constantFrom(undefined, undefined, "sales", "support", "nobody"),
      word: fc.constantFrom(undefined, undefined, "7", "99"),
    })

    await fc.assert(
      fc.asyncProperty(query, async ({ participantIds, before, limit, dept, word }) => {
        const noteMatches = word === undefined ? undefined : ({ note }: { note: Note }) => note.reason.includes(word)
        const matches = ({ kind, senderId, receiverId, note }: (typeof all)[number]) =>
          kind === "transfer" &&
          senderId !== receiverId &&
          (dept === undefined || [senderId, receiverId].some((id) => deptOf(names[id - 1] ?? "") === dept)) &&
          (noteMatches === undefined || (note !== undefined && noteMatches({ note }))) &&
          participantIds.every((id) => id === senderId || id === receiverId)
        const expected = all.filter((one) => matches(one) && one.id < (before ?? 1e9)).slice(0, limit)
        expect(await recognitions.newest({ participantIds, before, limit, dept, noteMatches })).toEqual(
          expected as never,
        )
      }),
      { numRuns: 200 },
    )
  }, 120_000)

  test("transactions after an id are read in ascending order with notes, recognitions or not", async () => {
    await using subject = await open()
    const { recognitions } = subject.store
    const transactions = transactionsAmong(30)
    await fill(subject.store, transactions)

    const after = await recognitions.after(0, 100)
    expect(after.map(({ id }) => id)).toEqual(transactions.map((_, index) => index + 1))
    expect(after.map(({ note }) => note)).toEqual(transactions.map(({ note }) => note))
    expect((await recognitions.after(14, 2)).map(({ id }) => id)).toEqual([15, 16])
    expect(await recognitions.after(transactions.length, 2)).toEqual([])
  })

  test("every store shows a changed avatar at once", async () => {
    await using subject = await open()
    const other = await subject.reopen()
    await fill(subject.store, [{ kind: "transfer", senderId: 1, receiverId: 2, value: 1, date: 1 }])
    await other.recognitions.newest({ participantIds: [], limit: 1 })

    await subject.store.users.updateProfile(1, { avatar: "https://example.com/a.png", bio: null })

    for (const { recognitions } of [subject.store, other])
      expect(await recognitions.newest({ participantIds: [], limit: 1 })).toMatchObject([
        { sender: { avatar: "https://example.com/a.png" }, receiver: { avatar: null } },
      ])
  })
}
