import { expect, test } from "bun:test"
import type { NewTransaction } from "../../../src/domain/ledger/model.ts"
import type { BalanceOf } from "../../../src/domain/people/model.ts"
import { allow, refusalOf, threePeople } from "./people.ts"
import type { OpenSubject } from "./subject.ts"

const everything = { page: 1, size: 100 }

export function postAllPromises(open: OpenSubject) {
  test("all transactions are stored one after another, in order, and change the balances", async () => {
    await using subject = await open()
    const { users, ledger } = subject.store
    const { ana, bruno, carla } = await threePeople(subject.store)
    const entries = [carla, bruno, carla].map(({ id }) => ({
      kind: "transfer" as const,
      senderId: ana.id,
      receiverId: id,
      value: 10,
      date: 5,
    }))

    const stored = await ledger.postAll(entries, allow)

    const transactions = entries.map((entry, index) => ({ ...entry, id: index + 1, group: null, addsTo: null }))
    expect(stored).toEqual({ transactions, balance: -30, replayed: false })
    const { items } = await ledger.page(everything)
    expect(items.map(({ id, receiverUsername }) => [id, receiverUsername])).toEqual([
      [1, "carla"],
      [2, "bruno"],
      [3, "carla"],
    ])
    expect((await users.list()).map(({ balance }) => balance)).toEqual([-30, 10, 20])
  })

  test("the check can read every balance as earlier transactions left it; its refusal refuses all transactions", async () => {
    await using subject = await open()
    const { users, ledger } = subject.store
    const { ana, bruno, carla } = await threePeople(subject.store)
    const given: number[][] = []
    const refusal = new Error("no")

    const before = ledger.post({ kind: "transfer", senderId: ana.id, receiverId: bruno.id, value: 7, date: 1 }, allow)
    const group = ledger.postAll(
      [ana, carla].map(({ id }) => ({
        kind: "transfer" as const,
        senderId: bruno.id,
        receiverId: id,
        value: 4,
        date: 1,
      })),
      (balanceOf) => {
        given.push([ana, bruno, carla].map(({ id }) => balanceOf(id)))
        throw refusal
      },
    )
    const after = ledger.post({ kind: "transfer", senderId: bruno.id, receiverId: carla.id, value: 4, date: 1 }, allow)

    expect(await refusalOf(group)).toBe(refusal)
    expect(given).toEqual([[-7, 7, 0]])
    expect([(await before).id, (await after).id]).toEqual([1, 2])
    expect((await users.list()).map(({ balance }) => balance)).toEqual([-7, 3, 4])
  })

  test("exactly one of two simultaneous requests is stored, completely, if the balance covers only one", async () => {
    await using subject = await open()
    const stores = [subject.store, await subject.reopen()]
    const { ana, bruno, carla } = await threePeople(subject.store)
    await subject.store.ledger.post(
      { kind: "transfer", senderId: ana.id, receiverId: bruno.id, value: 10, date: 1 },
      allow,
    )
    const group: NewTransaction[] = [ana, carla, carla].map(({ id }) => ({
      kind: "transfer",
      senderId: bruno.id,
      receiverId: id,
      value: 3,
      date: 2,
    }))
    const covered = (balanceOf: BalanceOf) => {
      if (balanceOf(bruno.id) < 9) throw new Error("not covered")
    }

    const settled = await Promise.allSettled([...stores, ...stores].map(({ ledger }) => ledger.postAll(group, covered)))

    expect(settled.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected", "rejected", "rejected"])
    expect(await subject.store.ledger.lastId()).toBe(4)
    expect((await subject.store.users.list()).map(({ balance }) => balance)).toEqual([-7, 1, 6])
  })

  test("if one transaction names an unknown user, none is stored", async () => {
    await using subject = await open()
    const { users, ledger } = subject.store
    const { ana, bruno } = await threePeople(subject.store)
    const entries = [bruno.id, 99].map((receiverId) => ({
      kind: "transfer" as const,
      senderId: ana.id,
      receiverId,
      value: 1,
      date: 1,
    }))

    await refusalOf(ledger.postAll(entries, allow))

    expect(await ledger.page(everything)).toEqual({ items: [], total: 0 })
    expect((await users.list()).map(({ balance }) => balance)).toEqual([0, 0, 0])
  })
}
