import { expect, test } from "bun:test"
import type { AuditEntry } from "../../../src/domain/audit/ports.ts"
import type { Store } from "../../../src/domain/store.ts"
import { allow, person, threePeople } from "./people.ts"
import type { OpenSubject } from "./subject.ts"

const audit: AuditEntry = {
  at: 0,
  action: "reward_fulfilled",
  who: "ana",
  whom: null,
  way: "http",
  address: null,
  count: 1,
  detail: null,
  before: null,
  after: null,
}

const told = async ({ events }: Store, after = 0, limit = 100) =>
  (await events.after(after, limit)).map(({ id, type, subject }) => [id, type, subject])

export function eventPromises(open: OpenSubject) {
  test("creating, changing, deactivating or reactivating a user adds an event in the same commit; other changes add none", async () => {
    await using subject = await open()
    const { store } = subject
    const { ana, bruno } = await threePeople(store)
    const { users, events } = store
    const last = await events.lastId()
    expect(await told(store)).toEqual([
      [1, "user.created", ana.id],
      [2, "user.created", bruno.id],
      [3, "user.created", bruno.id + 1],
    ])
    await users.updateProfile(ana.id, { bio: "Hello" })
    await users.updateProfile(ana.id, { name: "Ana" })
    await users.endAccess(ana.id)
    expect(await events.lastId()).toBe(last)

    await users.updateProfile(ana.id, { name: "Anna" })
    await users.setActive(ana.id, 50)
    await users.setActive(ana.id, 60)
    await users.setActive(ana.id, null)
    await expect(users.create(person("Ana", { name: "Other" }))).rejects.toThrow()
    expect(await told(store, last)).toEqual([
      [4, "user.updated", ana.id],
      [5, "user.deactivated", ana.id],
      [6, "user.updated", ana.id],
    ])
  })

  test("an import adds an event for everybody, and processes that change users at the same time use different event ids", async () => {
    await using subject = await open()
    const { store } = subject
    const other = await subject.reopen()
    const names = Array.from({ length: 20 }, (_, index) => `Person${"abcdefghijklmnopqrst"[index]}`)
    await Promise.all(names.map((name, index) => (index % 2 ? store : other).users.create(person(name))))
    const all = await told(other)
    expect(all.map(([id]) => id)).toEqual(names.map((_, index) => index + 1))
    expect(new Set(all.map(([, , user]) => user)).size).toBe(20)
  })

  test("events of transactions are read once, in order, whichever process recorded them, up to the limit", async () => {
    await using subject = await open()
    const { store } = subject
    const { ana, bruno } = await threePeople(store)
    const other = await subject.reopen()
    const send = (date: number) =>
      store.ledger.post({ kind: "transfer", senderId: ana.id, receiverId: bruno.id, value: 5, date }, allow)
    expect(await store.events.recordTransactions(10, 100)).toBe(0)
    for (let date = 1; date <= 5; date += 1) await send(date)
    expect(await store.events.lastId()).toBe(3)

    expect(await store.events.recordTransactions(2, 100)).toBe(2)
    const counts = await Promise.all([store, other].map(({ events }) => events.recordTransactions(10, 200)))
    expect(counts.sort()).toEqual([0, 3])
    expect(await told(store, 3)).toEqual([1, 2, 3, 4, 5].map((id) => [3 + id, "transaction", id]))
    expect(await told(other, 6, 2)).toEqual([
      [7, "transaction", 4],
      [8, "transaction", 5],
    ])
    expect((await other.events.after(6, 1)).map(({ at }) => at)).toEqual([200])
  })

  test("events are in the order of their causes: a change of a person comes after the transactions before it", async () => {
    await using subject = await open()
    const { store } = subject
    const { ana, bruno } = await threePeople(store)
    const send = (date: number) =>
      store.ledger.post({ kind: "transfer", senderId: ana.id, receiverId: bruno.id, value: 5, date }, allow)
    const last = await store.events.lastId()

    await send(1)
    await store.users.updateProfile(bruno.id, { name: "Bruna" })
    await send(2)
    await send(3)
    const refund = { kind: "refund", senderId: bruno.id, receiverId: ana.id, value: 1, date: 4 } as const
    await Promise.all([send(4), store.ledger.postLast(refund, allow, { ...audit, action: "user_deactivated" })])
    await store.users.create(person("Davi"))
    await store.events.recordTransactions(10, 200)

    expect(await told(store, last)).toEqual([
      [last + 1, "transaction", 1],
      [last + 2, "user.updated", bruno.id],
      ...[2, 3, 4, 5].map((id, index) => [last + 3 + index, "transaction", id]),
      [last + 7, "user.deactivated", bruno.id],
      [last + 8, "user.created", expect.any(Number)],
    ])
    expect(await store.events.recordTransactions(10, 200)).toBe(0)
  })

  test("a redemption adds an event when it is requested, fulfilled and declined", async () => {
    await using subject = await open()
    const { store } = subject
    const { ana, bruno } = await threePeople(store)
    const reward = {
      name: "Mug",
      description: null,
      cost: 2,
      stock: null,
      limitPerPerson: null,
      isActive: true,
      moneyValue: null,
      isTaxable: false,
      emoji: null,
    }
    const { id: rewardId } = await store.rewards.create(reward, audit)
    const note = { reason: "Mug", tags: [], isPrivate: false }
    const redeem = (date: number) =>
      store.ledger.redeem(
        {
          ...{ rewardId, userId: ana.id, receiverId: bruno.id, comment: null, date, note },
          jobs: () => [],
        },
        allow,
      )
    const first = await redeem(5)
    await store.rewards.fulfil({ redemption: { id: first.id, rewardId }, answer: null, date: 6, jobs: [], audit })
    const second = await redeem(7)
    const answer = { redemption: { id: second.id, rewardId }, answer: null, date: 8, jobs: [], audit }
    const refund = { kind: "refund", senderId: bruno.id, receiverId: ana.id, value: 2, date: 8 } as const
    await store.ledger.refund(refund, answer, allow)
    expect(await told(store, 3)).toEqual([
      [4, "transaction", first.id],
      [5, "redemption.requested", first.id],
      [6, "redemption.fulfilled", first.id],
      [7, "transaction", second.id],
      [8, "redemption.requested", second.id],
      [9, "transaction", second.id + 1],
      [10, "redemption.declined", second.id],
    ])
  })

  test("the last event before a time is found; old events are deleted and their ids are not reused", async () => {
    await using subject = await open()
    const { store } = subject
    const { ana, bruno } = await threePeople(store)
    const { events } = store
    const [first] = await events.after(0, 1)
    expect(await events.lastBefore(first?.at ?? 0)).toBe(0)
    expect(await events.lastBefore(Number.MAX_SAFE_INTEGER)).toBe(3)
    await events.prune(Number.MAX_SAFE_INTEGER)
    expect(await told(store)).toEqual([])
    expect(await events.lastId()).toBe(3)
    await store.ledger.post({ kind: "transfer", senderId: ana.id, receiverId: bruno.id, value: 5, date: 1 }, allow)
    await events.recordTransactions(10, 50)
    expect(await told(store)).toEqual([[4, "transaction", 1]])
  })
}
