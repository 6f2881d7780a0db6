import { expect, test } from "bun:test"
import type { NewTransaction } from "../../../src/domain/ledger/model.ts"
import type { LedgerStore } from "../../../src/domain/ledger/ports.ts"
import { allow, refusalOf, refuse, threePeople } from "./people.ts"
import type { OpenSubject } from "./subject.ts"

const once = { name: "№ 7", requestHash: "five to Bruno" }
const reused = { code: "reference_reused", field: "reference" }
const aYear = 365 * 24 * 3_600_000

export function referencePromises(open: OpenSubject) {
  const entry: NewTransaction = { kind: "transfer", senderId: 1, receiverId: 2, value: 5, date: 1 }
  const countOf = async (ledger: LedgerStore) => (await ledger.page({ page: 1, size: 1 })).total

  test("a request repeated with its reference after years posts nothing and returns the first transaction", async () => {
    await using subject = await open()
    const { store } = subject
    const { bruno } = await threePeople(store)
    const other = await subject.reopen()
    const first = await store.ledger.post(entry, allow, { reference: once })
    await store.users.setActive(bruno.id, 2)

    for (const { ledger } of [store, other])
      expect(await ledger.post({ ...entry, date: 9 * aYear }, refuse, { reference: once })).toMatchObject({
        ...entry,
        id: first.id,
        replayed: true,
      })
    expect(await countOf(store.ledger)).toBe(1)
  })

  test("another request with the reference is refused and leaves no trace", async () => {
    await using subject = await open()
    const { ledger, references, users } = subject.store
    await threePeople(subject.store)
    await ledger.post(entry, allow, { reference: once })
    const other = { ...once, requestHash: "six to Bruno" }

    expect(await refusalOf(ledger.post({ ...entry, value: 6 }, allow, { reference: other }))).toMatchObject(reused)
    expect(await refusalOf(references.findReplay(1, other))).toMatchObject(reused)
    expect([await countOf(ledger), await users.balanceOf(2)]).toEqual([1, 5])
  })

  test("the reference of a refused request stays unused", async () => {
    await using subject = await open()
    const { ledger, references } = subject.store
    await threePeople(subject.store)

    await refusalOf(ledger.post(entry, refuse, { reference: once }))

    expect(await references.findReplay(1, once)).toBeNull()
    expect(await ledger.post(entry, allow, { reference: { ...once, requestHash: "another" } })).toMatchObject({
      id: 1,
      replayed: false,
    })
  })

  test("of twenty requests at once with the same reference, in two processes, one of each sender is made", async () => {
    await using subject = await open()
    const { store } = subject
    await threePeople(store)
    const other = await subject.reopen()
    const posts = [store, other].flatMap(({ ledger }) =>
      Array.from({ length: 20 }, (_, turn) =>
        ledger.post({ ...entry, senderId: 1 + (turn % 2) }, allow, { reference: once }),
      ),
    )

    const posted = await Promise.all(posts)

    expect(new Set(posted.map(({ id, senderId }) => `${senderId}: ${id}`)).size).toBe(2)
    expect(posted.filter(({ replayed }) => !replayed)).toHaveLength(2)
    expect(await countOf(store.ledger)).toBe(2)
  })

  test("several transactions posted as one are replayed as one, with the balance of that time", async () => {
    await using subject = await open()
    const { ledger, references } = subject.store
    await threePeople(subject.store)
    await ledger.post({ ...entry, senderId: 3 }, allow, { reference: once })
    const entries = [2, 3].map((receiverId, place) => ({ ...entry, receiverId, place }))
    const first = await ledger.postAll(entries, allow, { reference: once })

    await ledger.post({ ...entry, value: 100 }, allow)

    expect(first).toMatchObject({ balance: -10, transactions: [{ id: 2, group: 2 }, { id: 3 }], replayed: false })
    expect(await ledger.postAll(entries, refuse, { reference: once })).toEqual({ ...first, replayed: true })
    expect(await references.findReplay(1, once)).toEqual({ ...first, replayed: true })
    expect(await countOf(ledger)).toBe(4)
  })

  test("an idempotency key and a reference work together: each finds the request", async () => {
    await using subject = await open()
    const { ledger } = subject.store
    await threePeople(subject.store)
    const idempotencyKey = { key: "one", requestHash: "five to Bruno", expiresAt: 1000 }
    await ledger.post(entry, allow, { idempotencyKey, reference: once })

    for (const options of [{ idempotencyKey, reference: once }, { idempotencyKey }, { reference: once }])
      expect(await ledger.post(entry, refuse, options)).toMatchObject({ id: 1, replayed: true })
    expect(await ledger.post({ ...entry, date: 2000 }, refuse, { idempotencyKey, reference: once })).toMatchObject({
      id: 1,
      replayed: true,
    })
  })

  test("requests are found by their reference, newest first, and transactions have the names of theirs", async () => {
    await using subject = await open()
    const { ledger, references } = subject.store
    await threePeople(subject.store)
    await ledger.post(entry, allow)
    await ledger.postAll([entry, { ...entry, receiverId: 3 }], allow, { reference: once })
    await ledger.post(entry, allow)
    await ledger.post({ ...entry, senderId: 2 }, allow, { reference: once })
    await ledger.post({ ...entry, senderId: 2 }, allow, { reference: { ...once, name: "№ 8" } })

    const { name } = once
    const [earlier, later] = [
      { first: 2, last: 3 },
      { first: 5, last: 5 },
    ]
    expect(await references.requests({ name, limit: 9 })).toEqual([later, earlier])
    expect(await references.requests({ name, limit: 1 })).toEqual([later])
    expect(await references.requests({ name, before: 5, limit: 9 })).toEqual([earlier])
    expect(await references.requests({ name, senderId: 1, limit: 9 })).toEqual([earlier])
    expect(await references.requests({ name, senderId: 3, limit: 9 })).toEqual([])
    expect([...(await references.namesOf([1, 2, 3, 4, 5, 6, 7]))].sort(([one], [other]) => one - other)).toEqual([
      [2, name],
      [3, name],
      [5, name],
      [6, "№ 8"],
    ])
  })
}
