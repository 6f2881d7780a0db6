import { expect, test } from "bun:test"
import fc from "fast-check"
import type { NewTransaction, Note } from "../../../src/domain/ledger/model.ts"
import type { Recognition } from "../../../src/domain/recognition/model.ts"
import { positionOf } from "../../../src/domain/recognition/positions.ts"
import { participantsIn } from "../../../src/domain/recognition/recognitions.ts"
import type { Store } from "../../../src/domain/store.ts"
import { allow, person } from "./people.ts"
import { entriesOf, listed, planned, plannedAmong } from "./recognition-model.ts"
import type { OpenSubject } from "./subject.ts"

const names = ["Ana", "Bruno", "Carla", "Davi", "Elena"]
const deptOf = (name: string) => (name === "Elena" ? "support" : "sales")
const anybody = fc.integer({ min: 1, max: names.length })

/**
 * Transactions of all kinds among five people, some to oneself, some in groups, about every third with a note. Somebody adds
 * points to every fourth entry or so.
 */
function transactionsAmong(count: number): NewTransaction[] {
  const transactions: NewTransaction[] = []
  const thanked = fc.sample(fc.shuffledSubarray([1, 2, 3, 4, 5], { minLength: 2 }), { numRuns: count, seed: 7 })
  for (const [at, one] of fc.sample(plannedAmong(anybody), { numRuns: count, seed: 6 }).entries()) {
    const index = transactions.length
    const note = index % 3 === 0 ? { reason: `${index}`, tags: ["a", "b"], isPrivate: index % 2 === 0 } : undefined
    const transaction = planned(one, transactions)
    if (transaction) transactions.push({ ...transaction, date: 1000, note })
    const [senderId = 0, ...receiverIds] = at % 5 === 0 ? (thanked[at] ?? []) : []
    for (const [place, receiverId] of receiverIds.entries())
      transactions.push({ kind: "transfer", senderId, receiverId, value: 50, date: 1000, note, place })
    const thankedAt = at % 4 === 0 ? transactions.length - 1 - (at % 7) : -1
    const addition = additionTo(transactions, thankedAt, 1 + (at % 5))
    if (addition !== null) transactions.push(addition)
  }
  return transactions
}

/** Points that this person adds to the entry of a transfer, for its receiver; null where nobody could add any. */
function additionTo(posted: readonly NewTransaction[], at: number, senderId: number): NewTransaction | null {
  const thanked = posted[at]
  if (thanked?.kind !== "transfer" || thanked.addsTo !== undefined) return null
  const { receiverId, place = 0 } = thanked
  if (receiverId === senderId || receiverId === thanked.senderId) return null
  return { kind: "transfer", senderId, receiverId, value: 3, date: 1000, addsTo: at + 1 - place }
}

async function fill({ users, ledger }: Store, transactions: readonly NewTransaction[]) {
  for (const name of names) await users.create(person(name, { dept: deptOf(name) }))
  await Promise.all(
    transactions.flatMap((transaction, index) => {
      if (transaction.place === undefined) return ledger.post(transaction, allow)
      if (transaction.place > 0) return []
      const rest = transactions.slice(index + 1)
      const isLast = ({ place = 0 }: NewTransaction) => place === 0
      const others = rest.findIndex(isLast)
      return ledger.postAll([transaction, ...rest.slice(0, others < 0 ? rest.length : others)], allow)
    }),
  )
}

export function recognitionPromises(open: OpenSubject) {
  test("a page of recognitions equals that part of a plain list, from any position and for any participant", async () => {
    await using subject = await open()
    const { recognitions } = subject.store
    const transactions = transactionsAmong(3000)
    await fill(subject.store, transactions)
    const all = listed(transactions, names)
    const entries = entriesOf(all)
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
        const matches = (entry: Recognition) =>
          (dept === undefined || participantsIn(entry).some((id) => deptOf(names[id - 1] ?? "") === dept)) &&
          (noteMatches === undefined || (entry.note !== undefined && noteMatches({ note: entry.note }))) &&
          participantIds.every((id) => participantsIn(entry).includes(id))
        const bound = all.find(({ id }) => id === before)?.group ?? before ?? 1e9
        const expected = entries.filter((one) => matches(one) && one.id < bound).slice(0, limit)
        expect(await recognitions.newest({ participantIds, before, limit, dept, noteMatches })).toEqual(expected)
      }),
      { numRuns: 200 },
    )
  }, 120_000)

  test("any transfer of a group finds its entry, which has everybody who was thanked and what was taken back", async () => {
    await using subject = await open()
    const { ledger, recognitions } = subject.store
    const thanks = { kind: "transfer" as const, senderId: 1, value: 50, date: 1000 }
    await fill(subject.store, [
      { ...thanks, receiverId: 2 },
      ...[3, 4, 5].map((receiverId, place) => ({ ...thanks, receiverId, place })),
    ])
    await ledger.post({ kind: "reversal", reverses: 3, senderId: 4, receiverId: 1, value: 20, date: 2000 }, allow)

    const single = { id: 1, group: null, reversed: 0, receivers: [{ username: "bruno", transactionId: 1 }] }
    const group = {
      id: 2,
      group: 2,
      receiver: { username: "carla" },
      reversed: 20,
      receivers: [
        { userId: 3, username: "carla", transactionId: 2, reversed: 0 },
        { userId: 4, username: "davi", transactionId: 3, reversed: 20 },
        { userId: 5, username: "elena", transactionId: 4, reversed: 0 },
      ],
    }
    expect(await recognitions.find(1)).toMatchObject(single)
    for (const id of [2, 3, 4]) expect(await recognitions.find(id)).toMatchObject(group)
    expect(await recognitions.find(5)).toMatchObject({ id: 5, kind: "reversal" })
    expect(await recognitions.find(6)).toBeNull()
    expect(await recognitions.after(positionOf(1), 2)).toMatchObject([
      group,
      { id: 3, receivers: [{ username: "davi" }] },
    ])
  })

  test("points that were added belong to their entry, and followers are told once for each request", async () => {
    await using subject = await open()
    const { ledger, recognitions } = subject.store
    const transfer = { kind: "transfer" as const, value: 50, date: 1000 }
    await fill(subject.store, [
      ...[2, 3].map((receiverId, place) => ({ ...transfer, senderId: 1, receiverId, place })),
      ...[2, 3].map((receiverId) => ({ ...transfer, senderId: 4, receiverId, value: 5, addsTo: 1 })),
      { ...transfer, senderId: 5, receiverId: 2, value: 7, addsTo: 1 },
      { ...transfer, senderId: 5, receiverId: 3, value: 7, addsTo: 1 },
    ])
    const reverse = (reverses: number, receiverId: number, senderId: number, value: number) =>
      ledger.post({ kind: "reversal", reverses, senderId, receiverId, value, date: 2000 }, allow)

    expect(await recognitions.find(5)).toMatchObject({ id: 1, group: 1, added: { value: 12, by: [4, 5] } })
    expect(await recognitions.newest({ participantIds: [], limit: 9 })).toMatchObject([{ id: 1 }])
    for (const participantIds of [[4], [5, 2]])
      expect(await recognitions.newest({ participantIds, limit: 9 })).toEqual([])
    expect((await recognitions.after(positionOf(1), 9)).map(({ id, adjusts }) => [id, adjusts?.id])).toEqual([
      [2, undefined],
      [3, undefined],
      [4, 1],
      [5, undefined],
      [6, 1],
    ])
    await reverse(3, 4, 2, 5)
    expect(await recognitions.find(1)).toMatchObject({ added: { value: 12, by: [4, 5] } })
    await reverse(4, 4, 3, 5)
    await reverse(6, 5, 3, 6)
    expect(await recognitions.find(1)).toMatchObject({ reversed: 0, added: { value: 7, by: [5] } })
  })

  test("points are not added to what was taken back meanwhile", async () => {
    await using subject = await open()
    const { ledger, users } = subject.store
    const transfer = { kind: "transfer" as const, value: 50, date: 1000 }
    await fill(subject.store, [{ ...transfer, senderId: 1, receiverId: 2 }])
    const reversal = { kind: "reversal" as const, reverses: 1, senderId: 2, receiverId: 1, value: 50, date: 2000 }
    const addition = [{ ...transfer, senderId: 3, receiverId: 2, addsTo: 1 }]
    const settled = await Promise.allSettled([
      ledger.addPoints(addition, [1], allow),
      ledger.post(reversal, allow),
      ledger.addPoints(addition, [1], allow),
    ])

    expect(settled).toMatchObject([
      { status: "fulfilled", value: { transactions: [{ id: 2, addsTo: 1, group: null }], balance: -50 } },
      { status: "fulfilled" },
      { status: "rejected", reason: { code: "taken_back" } },
    ])
    expect(await users.balanceOf(2)).toBe(50)
  })

  test("whoever searches a private reason of a group is told everybody who was thanked", async () => {
    await using subject = await open()
    const note = { reason: "between us", tags: [], isPrivate: true }
    const thanks = { kind: "transfer" as const, senderId: 1, value: 50, date: 1000, note }
    await fill(
      subject.store,
      [3, 4, 5].map((receiverId, place) => ({ ...thanks, receiverId, place })),
    )
    const readers: unknown[] = []
    const noteMatches = (one: object) => {
      readers.push(
        "receivers" in one && Array.isArray(one.receivers) ? one.receivers.map(({ userId }) => userId) : null,
      )
      return true
    }

    for (const participantIds of [[], [4]])
      expect(await subject.store.recognitions.newest({ participantIds, limit: 5, noteMatches })).toHaveLength(1)
    expect(readers).toEqual([
      [3, 4, 5],
      [3, 4, 5],
    ])
  })

  test("transactions after an id are read in ascending order with notes, recognitions or not", async () => {
    await using subject = await open()
    const { recognitions } = subject.store
    const transactions = transactionsAmong(30)
    await fill(subject.store, transactions)

    const after = await recognitions.after(0, 100)
    expect(after.map(({ id }) => id)).toEqual(transactions.map((_, index) => index + 1))
    expect(after.map(({ note }) => note)).toEqual(transactions.map(({ note }) => note))
    expect((await recognitions.after(positionOf(14), 2)).map(({ id }) => id)).toEqual([15, 16])
    expect(await recognitions.after(positionOf(transactions.length), 2)).toEqual([])
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
