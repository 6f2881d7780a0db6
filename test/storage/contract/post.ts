import { expect, test } from "bun:test"
import { type Balances, transactionKinds } from "../../../src/domain/ledger/model.ts"
import { allow, refusalOf, threePeople } from "./people.ts"
import type { OpenSubject } from "./subject.ts"

const everything = { page: 1, size: 100 }

export function postPromises(open: OpenSubject) {
  test("a transaction is stored completely and moves its value from the sender's balance to the receiver's", async () => {
    await using subject = await open()
    const { users, ledger } = subject.store
    const { ana, bruno } = await threePeople(subject.store)

    const entry = {
      kind: "transfer" as const,
      senderId: ana.id,
      receiverId: bruno.id,
      value: 25,
      date: 1_700_000_000_123,
    }
    expect(await ledger.post(entry, allow)).toEqual({ ...entry, id: 1, group: null, addsTo: null, replayed: false })

    expect(await ledger.page(everything)).toEqual({
      items: [{ ...entry, id: 1, group: null, addsTo: null, receiverUsername: "bruno", senderUsername: "ana" }],
      total: 1,
    })
    expect((await users.list()).map(({ balance }) => balance)).toEqual([-25, 25, 0])
  })

  test("a transaction keeps its kind, with and without a note", async () => {
    await using subject = await open()
    const { ledger, exports, recognitions } = subject.store
    const { ana, bruno } = await threePeople(subject.store)
    const note = { reason: "For the year", tags: [], isPrivate: false }
    const forth = { senderId: ana.id, receiverId: bruno.id, value: 5, date: 1 }
    const back = { senderId: bruno.id, receiverId: ana.id, value: 5, date: 1 }

    for (const kind of ["transfer", "grant", "allowance"] as const) await ledger.post({ ...forth, kind, note }, allow)
    for (const kind of ["expiry", "redemption", "refund"] as const) await ledger.post({ ...back, kind }, allow)
    await ledger.post({ ...back, kind: "reversal", reverses: 2, note }, allow)
    await ledger.post({ ...forth, kind: "occasion" }, allow)

    const kinds = [...transactionKinds]
    expect((await ledger.page(everything)).items.map(({ kind }) => kind)).toEqual(kinds)
    expect((await recognitions.after(0, 10)).map(({ kind }) => kind)).toEqual(kinds)
    expect((await Array.fromAsync(exports.transactions({}))).flat().map(({ kind }) => kind)).toEqual(kinds)
  })

  test("a transaction is durable when the promise resolves: another store can read it then", async () => {
    await using subject = await open()
    const other = await subject.reopen()
    const { ana, bruno } = await threePeople(subject.store)

    for (let id = 1; id <= 20; id += 1) {
      await subject.store.ledger.post(
        { kind: "transfer", senderId: ana.id, receiverId: bruno.id, value: 10, date: id },
        allow,
      )
      const seen = [other.ledger.lastId(), other.users.balanceOf(bruno.id), other.users.balanceOf(ana.id)]
      expect(await Promise.all(seen)).toEqual([id, id * 10, id * -10])
      expect(await other.ledger.after(id - 1, 10)).toMatchObject([{ id, value: 10 }])
    }
  })

  test("the check gets both balances, 0 for people who never had points", async () => {
    await using subject = await open()
    const { ledger } = subject.store
    const { ana, bruno, carla } = await threePeople(subject.store)
    const given: Balances[] = []
    const check = (balances: Balances) => void given.push({ ...balances })

    await ledger.post({ kind: "transfer", senderId: ana.id, receiverId: bruno.id, value: 5, date: 1 }, check)
    await ledger.post({ kind: "transfer", senderId: bruno.id, receiverId: carla.id, value: 2, date: 2 }, check)
    await ledger.post({ kind: "transfer", senderId: ana.id, receiverId: bruno.id, value: 9, date: 3 }, check)

    expect(given).toEqual([
      { sender: 0, receiver: 0, budget: 0 },
      { sender: 5, receiver: 0, budget: 0 },
      { sender: -5, receiver: 3, budget: 0 },
    ])
  })

  test("if the check throws, the transaction is refused, leaves no trace and uses up no id", async () => {
    await using subject = await open()
    const { users, ledger } = subject.store
    const { ana, bruno } = await threePeople(subject.store)
    const entry = { kind: "transfer" as const, senderId: ana.id, receiverId: bruno.id, value: 5, date: 1 }
    await ledger.post(entry, allow)
    const before = { page: await ledger.page(everything), users: await users.list() }
    const refusal = new Error("no")

    const post = ledger.post({ ...entry, date: 9 }, () => {
      throw refusal
    })

    expect(await refusalOf(post)).toBe(refusal)
    expect({ page: await ledger.page(everything), users: await users.list() }).toEqual(before)
    expect(await ledger.lastId()).toBe(1)
    expect(await ledger.post({ ...entry, date: 2 }, allow)).toEqual({
      ...entry,
      id: 2,
      group: null,
      addsTo: null,
      date: 2,
      replayed: false,
    })
  })

  test("a transaction with an unknown user is rejected and leaves no trace", async () => {
    await using subject = await open()
    const { users, ledger } = subject.store
    const { ana, bruno } = await threePeople(subject.store)
    const entry = { kind: "transfer" as const, senderId: ana.id, receiverId: bruno.id, value: 5, date: 1 }

    await refusalOf(ledger.post({ ...entry, receiverId: 99 }, allow))
    await refusalOf(ledger.post({ ...entry, senderId: 99 }, allow))

    expect(await ledger.page(everything)).toEqual({ items: [], total: 0 })
    expect((await users.list()).map(({ balance }) => balance)).toEqual([0, 0, 0])
    expect(await ledger.post(entry, allow)).toEqual({ ...entry, id: 1, group: null, addsTo: null, replayed: false })
  })

  test("a transaction to oneself is recorded once and leaves the balance unchanged; the check gets that balance", async () => {
    await using subject = await open()
    const { users, ledger } = subject.store
    const { ana, bruno } = await threePeople(subject.store)
    await ledger.post({ kind: "transfer", senderId: bruno.id, receiverId: ana.id, value: 7, date: 1 }, allow)
    const given: Balances[] = []

    const toSelf = { kind: "transfer" as const, senderId: ana.id, receiverId: ana.id, value: 4, date: 2 }
    await ledger.post(toSelf, (balances) => void given.push({ ...balances }))

    expect(given).toEqual([{ sender: 7, receiver: 7, budget: 0 }])
    expect(await users.balanceOf(ana.id)).toBe(7)
    const { items, total } = await ledger.page({ ...everything, participantId: ana.id })
    expect([items.map(({ id }) => id), total]).toEqual([[1, 2], 2])
  })

  test("a transaction to oneself leaves the balance exact, however large the value and however low the balance", async () => {
    await using subject = await open()
    const { users, ledger } = subject.store
    const { ana, bruno } = await threePeople(subject.store)
    await ledger.post({ kind: "transfer", senderId: ana.id, receiverId: bruno.id, value: 10, date: 1 }, allow)

    const value = Number.MAX_SAFE_INTEGER
    await ledger.post({ kind: "transfer", senderId: ana.id, receiverId: ana.id, value, date: 2 }, allow)

    expect((await users.list()).map(({ balance }) => balance)).toEqual([-10, 10, 0])
  })

  test("a date earlier than the last one is raised to the last one, whichever store wrote it", async () => {
    await using subject = await open()
    const { ana, bruno } = await threePeople(subject.store)
    const entry = { kind: "transfer" as const, senderId: ana.id, receiverId: bruno.id, value: 1 }
    const other = await subject.reopen()

    const dates = [
      (await subject.store.ledger.post({ ...entry, date: 500 }, allow)).date,
      (await other.ledger.post({ ...entry, date: 499 }, allow)).date,
      (await other.ledger.post({ ...entry, date: 501 }, allow)).date,
      (await subject.store.ledger.post({ ...entry, date: 0 }, allow)).date,
    ]

    expect(dates).toEqual([500, 500, 501, 501])
    const { items } = await subject.store.ledger.page(everything)
    expect(items.map(({ date }) => date)).toEqual(dates)
  })

  test("a date at the epoch is valid", async () => {
    await using subject = await open()
    const { ana, bruno } = await threePeople(subject.store)

    await subject.store.ledger.post(
      { kind: "transfer", senderId: ana.id, receiverId: bruno.id, value: 3, date: 0 },
      allow,
    )

    expect(await subject.store.users.balanceOf(bruno.id)).toBe(3)
    expect(await subject.store.ledger.page({ ...everything, receiver: "bruno" })).toMatchObject({ total: 1 })
  })

  test("values and balances up to ±(2^53−1) stay exact", async () => {
    await using subject = await open()
    const { users, ledger } = subject.store
    const { ana, bruno } = await threePeople(subject.store)
    const most = Number.MAX_SAFE_INTEGER

    await ledger.post({ kind: "transfer", senderId: ana.id, receiverId: bruno.id, value: most - 1, date: 1 }, allow)
    await ledger.post({ kind: "transfer", senderId: ana.id, receiverId: bruno.id, value: 1, date: 2 }, allow)

    expect((await users.list()).map(({ balance }) => balance)).toEqual([-most, most, 0])
    const { items } = await ledger.page(everything)
    expect(items.map(({ value }) => value)).toEqual([most - 1, 1])
  })
}
