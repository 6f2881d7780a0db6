import { expect, test } from "bun:test"
import type { Allowance, NewAllowance } from "../../../src/domain/allowances/model.ts"
import { auditEntry } from "../../../src/domain/audit/audit-log.ts"
import type { LedgerStore } from "../../../src/domain/ledger/ports.ts"
import { allow, refusalOf, refuse, threePeople } from "./people.ts"
import type { OpenSubject } from "./subject.ts"

const once = { key: "one", requestHash: "five to Bruno", expiresAt: 1000 }
const reused = { code: "key_reused" }
const audit = auditEntry({ who: "ana", way: "http", address: null }, 1, "allowance_added")
const budget: NewAllowance = {
  ...{ name: "Budget", value: 5, mode: "add", period: "month", audience: { everyone: true }, reason: null },
  ...{ dueTime: "09:00", dueDay: 1, startsOn: null, endsOn: null, isActive: true, catchUp: "latest", dueFrom: 1 },
}

export function idempotencyPromises(open: OpenSubject) {
  const entry = { kind: "transfer" as const, senderId: 1, receiverId: 2, value: 5, date: 1 }
  const countOf = async (ledger: LedgerStore) => (await ledger.page({ page: 1, size: 1 })).total

  test("a request repeated under its key is not executed again and returns the first transaction", async () => {
    await using subject = await open()
    const { store } = subject
    await threePeople(store)
    const other = await subject.reopen()
    const note = { reason: "Thanks", tags: [], isPrivate: false }
    const first = await store.ledger.post({ ...entry, note }, allow, { idempotencyKey: once })

    for (const { ledger } of [store, other])
      expect(await ledger.post({ ...entry, note, date: 999 }, refuse, { idempotencyKey: once })).toMatchObject({
        ...entry,
        id: first.id,
        replayed: true,
      })
    expect(await countOf(store.ledger)).toBe(1)
  })

  test("a different request under the key is refused and leaves no trace", async () => {
    await using subject = await open()
    const { ledger, users } = subject.store
    await threePeople(subject.store)
    await ledger.post(entry, allow, { idempotencyKey: once })
    const other = { ...once, requestHash: "six to Bruno" }

    expect(await refusalOf(ledger.post({ ...entry, value: 6 }, allow, { idempotencyKey: other }))).toMatchObject(reused)
    expect([await countOf(ledger), await users.balanceOf(2)]).toEqual([1, 5])
  })

  test("the same key of two senders stays separate, and is recognized within one tick and across stores", async () => {
    await using subject = await open()
    const { store } = subject
    await threePeople(store)
    const other = await subject.reopen()
    const posts = [store, other].flatMap(({ ledger }) =>
      Array.from({ length: 20 }, (_, turn) =>
        ledger.post({ ...entry, senderId: 1 + (turn % 2) }, allow, { idempotencyKey: once }),
      ),
    )

    const ids = new Set((await Promise.all(posts)).map(({ id }) => id))

    expect(ids.size).toBe(2)
    expect(await countOf(store.ledger)).toBe(2)
  })

  test("several transactions posted as one are replayed as one", async () => {
    await using subject = await open()
    const { ledger } = subject.store
    await threePeople(subject.store)
    await ledger.post({ ...entry, senderId: 3 }, allow, { idempotencyKey: once })
    const entries = [entry, { ...entry, receiverId: 3 }]
    const first = await ledger.postAll(entries, allow, { idempotencyKey: once })

    await ledger.post({ ...entry, value: 100 }, allow)
    expect(first).toMatchObject({ balance: -10, replayed: false })
    expect(await ledger.postAll(entries, allow, { idempotencyKey: once })).toEqual({ ...first, replayed: true })
    expect(await countOf(ledger)).toBe(4)
    expect(
      await refusalOf(ledger.post(entry, allow, { idempotencyKey: { ...once, requestHash: "one" } })),
    ).toMatchObject(reused)
  })

  test("repetitions that come at the same time are each replayed once", async () => {
    await using subject = await open()
    const { ledger } = subject.store
    await threePeople(subject.store)
    const entries = [entry, { ...entry, receiverId: 3 }]
    const first = await ledger.postAll(entries, allow, { idempotencyKey: once })

    const repeated = await Promise.all([1, 2].map(() => ledger.postAll(entries, refuse, { idempotencyKey: once })))

    for (const replay of repeated) expect(replay).toEqual({ ...first, replayed: true })
  })

  test("a key can belong to somebody other than the sender, whose own key of that name stays unused", async () => {
    await using subject = await open()
    const { ledger } = subject.store
    const { ana, bruno, carla } = await threePeople(subject.store)
    const entry = { kind: "transfer", senderId: ana.id, receiverId: bruno.id, value: 5, date: 1 } as const
    const carlas = { ...once, ownerId: carla.id }

    expect(await ledger.post(entry, allow, { idempotencyKey: carlas })).toMatchObject({ id: 1, replayed: false })
    expect(await ledger.post({ ...entry, senderId: bruno.id }, allow, { idempotencyKey: carlas })).toMatchObject({
      id: 1,
      replayed: true,
    })
    expect(await ledger.findReplay(ana.id, once, 1)).toBeNull()
    expect(await ledger.post(entry, allow, { idempotencyKey: once })).toMatchObject({ id: 2, replayed: false })
    expect(await ledger.findReplay(carla.id, once, 1)).toMatchObject({ transactions: [{ id: 1 }] })
  })

  test("a replay can be found without posting, until the key expires", async () => {
    await using subject = await open()
    const { ledger } = subject.store
    await threePeople(subject.store)
    expect(await ledger.findReplay(1, once, 1)).toBeNull()
    const first = await ledger.postAll([entry], allow, { idempotencyKey: once })

    expect(await ledger.findReplay(1, once, 999)).toEqual({ ...first, replayed: true })
    expect(await ledger.findReplay(1, once, 1000)).toBeNull()
    expect(await ledger.findReplay(2, once, 1)).toBeNull()
    expect(await refusalOf(ledger.findReplay(1, { ...once, requestHash: "six" }, 1))).toMatchObject(reused)
    expect(await countOf(ledger)).toBe(1)
  })

  test("the key of a refused transaction stays unused", async () => {
    await using subject = await open()
    const { ledger } = subject.store
    await threePeople(subject.store)

    await refusalOf(ledger.post(entry, refuse, { idempotencyKey: once }))
    expect(await ledger.post(entry, allow, { idempotencyKey: { ...once, requestHash: "another" } })).toMatchObject({
      id: 1,
    })
  })

  test("a change stores its key with what it made, in one commit", async () => {
    await using subject = await open()
    const { allowances, idempotency } = subject.store
    await threePeople(subject.store)
    const making = { ...once, ownerId: 2, at: 1, seal: ({ id }: Allowance) => `allowance ${id}` }

    const { id } = await allowances.create(budget, audit, making)

    expect(await idempotency.find(2, "one", 999)).toEqual({ requestHash: once.requestHash, made: `allowance ${id}` })
    expect(await idempotency.find(2, "one", 1000)).toBeNull()
    expect(await idempotency.find(1, "one", 999)).toBeNull()
    expect(await refusalOf(allowances.create(budget, audit, making))).toMatchObject(reused)
    expect(await allowances.list()).toHaveLength(1)
    const later = await allowances.create(budget, audit, { ...making, at: 1000, expiresAt: 2000 })
    expect(await idempotency.find(2, "one", 1999)).toMatchObject({ made: `allowance ${later.id}` })
  })

  test("of several changes under one key at the same time, one is made, across stores", async () => {
    await using subject = await open()
    const { store } = subject
    await threePeople(store)
    const other = await subject.reopen()
    const making = { ...once, ownerId: 2, at: 1, seal: ({ id }: Allowance) => `allowance ${id}` }

    const all = [store, other, store, other].map(({ allowances }) => allowances.create(budget, audit, making))
    const settled = await Promise.allSettled(all)

    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1)
    for (const one of settled) if (one.status === "rejected") expect(one.reason).toMatchObject(reused)
    expect(await store.allowances.list()).toHaveLength(1)
  })

  test("a key of a change is no key of a transaction, nor the other way round, until it has expired", async () => {
    await using subject = await open()
    const { allowances, idempotency, ledger } = subject.store
    await threePeople(subject.store)
    const making = { ...once, ownerId: 1, at: 1, requestHash: "a budget", seal: () => "made" }
    await allowances.create(budget, audit, making)
    expect(await refusalOf(ledger.post(entry, allow, { idempotencyKey: once }))).toMatchObject(reused)
    expect(await refusalOf(ledger.findReplay(1, once, 1))).toMatchObject(reused)
    await ledger.post({ ...entry, date: 1000 }, allow, { idempotencyKey: { ...once, expiresAt: 2000 } })
    expect(await idempotency.find(1, "one", 1000)).toEqual({ requestHash: once.requestHash, made: null })
    expect(await refusalOf(allowances.create(budget, audit, making))).toMatchObject(reused)
    await allowances.create(budget, audit, { ...making, at: 2000, expiresAt: 3000 })
    expect(await ledger.findReplay(1, once, 3000)).toBeNull()
  })

  test("an expired key can be used again, pruned or not", async () => {
    await using subject = await open()
    const { idempotency, ledger } = subject.store
    await threePeople(subject.store)
    const at = (date: number) =>
      ledger.post({ ...entry, date }, allow, { idempotencyKey: { ...once, expiresAt: date + 1000 } })
    await at(0)

    await idempotency.prune(999)
    expect(await at(999)).toMatchObject({ id: 1 })
    expect(await at(1000)).toMatchObject({ id: 2 })
    await idempotency.prune(2000)
    expect(await at(1500)).toMatchObject({ id: 3 })
  })

  test("pruning deletes thousands of expired keys and no others", async () => {
    await using subject = await open()
    const { idempotency, ledger } = subject.store
    await threePeople(subject.store)
    const post = (turn: number) =>
      ledger.post(entry, allow, { idempotencyKey: { ...once, key: `${turn}`, expiresAt: turn < 2500 ? 10 : 11 } })
    await Promise.all(Array.from({ length: 2510 }, (_, turn) => post(turn)))

    await idempotency.prune(10)

    expect(await post(2505)).toMatchObject({ id: 2506 })
    expect(await post(2499)).toMatchObject({ id: 2511 })
  })
}
