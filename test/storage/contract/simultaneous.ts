import { expect, test } from "bun:test"
import type { Balances } from "../../../src/domain/ledger/model.ts"
import { allow, threePeople } from "./people.ts"
import type { OpenSubject } from "./subject.ts"

/** A check that refuses transactions that the sender's balance does not cover. */
const covered =
  (value: number) =>
  ({ sender }: Balances) => {
    if (sender < value) throw new Error("not covered")
  }

/** The reasons of refusals. Conflicts between simultaneous transactions must not be among them. */
const reasonsIn = (settled: readonly PromiseSettledResult<unknown>[]): string[] => [
  ...new Set(settled.flatMap((one) => (one.status === "rejected" ? [one.reason.message] : []))),
]

export function simultaneousPromises(open: OpenSubject) {
  test("each transaction is checked against the balances after the transactions before it", async () => {
    await using subject = await open()
    const { users, ledger } = subject.store
    const { ana, bruno, carla } = await threePeople(subject.store)
    const send = (senderId: number, receiverId: number, value: number) =>
      ledger.post({ kind: "transfer", senderId, receiverId, value, date: 1 }, covered(value))

    const sent = await Promise.allSettled([
      send(bruno.id, carla.id, 10),
      ledger.post({ kind: "transfer", senderId: ana.id, receiverId: bruno.id, value: 10, date: 1 }, allow),
      send(bruno.id, carla.id, 6),
      send(bruno.id, carla.id, 6),
      send(carla.id, ana.id, 6),
      send(carla.id, ana.id, 1),
      send(bruno.id, carla.id, 4),
    ])

    expect(sent.map((settled) => (settled.status === "fulfilled" ? settled.value.id : settled.reason.message))).toEqual(
      ["not covered", 1, 2, "not covered", 3, "not covered", 4],
    )
    expect((await users.list()).map(({ balance }) => balance)).toEqual([-4, 0, 4])
    expect(await ledger.lastId()).toBe(4)
  })

  test("a transaction with an unknown sender or receiver is refused without affecting the others", async () => {
    await using subject = await open()
    const { ledger } = subject.store
    const { ana, bruno } = await threePeople(subject.store)
    const send = (senderId: number, receiverId: number) =>
      ledger.post({ kind: "transfer", senderId, receiverId, value: 1, date: 1 }, allow)

    const sent = await Promise.allSettled([
      send(ana.id, bruno.id),
      send(99, bruno.id),
      send(ana.id, 99),
      send(bruno.id, ana.id),
    ])

    expect(sent.map((settled) => (settled.status === "fulfilled" ? settled.value.id : settled.reason.code))).toEqual([
      1,
      "user_not_found",
      "user_not_found",
      2,
    ])
  })

  test("if all are refused, nothing is stored and the next transaction gets the next id", async () => {
    await using subject = await open()
    const { users, ledger } = subject.store
    const { ana, bruno } = await threePeople(subject.store)
    const entry = { kind: "transfer" as const, senderId: ana.id, receiverId: bruno.id, value: 1, date: 1 }

    const sent = await Promise.allSettled(Array.from({ length: 30 }, () => ledger.post(entry, covered(1))))

    expect(new Set(sent.map(({ status }) => status))).toEqual(new Set(["rejected"]))
    expect((await users.list()).map(({ balance }) => balance)).toEqual([0, 0, 0])
    expect(await ledger.post(entry, allow)).toMatchObject({ id: 1 })
  })

  test("a thousand simultaneous transactions are all stored, with consecutive ids in the order of the calls", async () => {
    await using subject = await open()
    const { users, ledger } = subject.store
    const { ana, bruno } = await threePeople(subject.store)
    const values = Array.from({ length: 1000 }, (_, index) => index + 1)

    const sent = await Promise.all(
      values.map((value) =>
        ledger.post({ kind: "transfer", senderId: ana.id, receiverId: bruno.id, value, date: 1 }, allow),
      ),
    )

    expect(sent.map(({ id, value }) => [id, value])).toEqual(values.map((value) => [value, value]))
    expect(await users.balanceOf(bruno.id)).toBe(500_500)
    expect(await ledger.page({ page: 1, size: 1 })).toMatchObject({ total: 1000 })
  })

  test("within one tick too, a date is never earlier than the one before it", async () => {
    await using subject = await open()
    const { ledger } = subject.store
    const { ana, bruno } = await threePeople(subject.store)

    const sent = await Promise.all(
      [5, 3, 9, 9, 1].map((date) =>
        ledger.post({ kind: "transfer", senderId: ana.id, receiverId: bruno.id, value: 1, date }, allow),
      ),
    )

    expect(sent.map(({ date }) => date)).toEqual([5, 5, 9, 9, 9])
  })

  test("simultaneous transactions from two stores get consecutive ids, and no balance is spent twice", async () => {
    await using subject = await open()
    const stores = [subject.store, await subject.reopen()]
    const { ana, bruno, carla } = await threePeople(subject.store)
    await subject.store.ledger.post(
      { kind: "transfer", senderId: ana.id, receiverId: bruno.id, value: 50, date: 1 },
      allow,
    )

    const sent = await Promise.allSettled(
      Array.from({ length: 100 }).flatMap((_, index) =>
        stores.map(async ({ ledger }) => {
          await Bun.sleep((index * 7) % 20)
          return ledger.post(
            { kind: "transfer", senderId: bruno.id, receiverId: carla.id, value: 1, date: 1 },
            covered(1),
          )
        }),
      ),
    )

    const ids = sent.flatMap((settled) => (settled.status === "fulfilled" ? [settled.value.id] : []))
    expect(ids.sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, index) => index + 2))
    expect(reasonsIn(sent)).toEqual(["not covered"])
    expect((await subject.store.users.list()).map(({ balance }) => balance)).toEqual([-50, 0, 50])
  })

  test("simultaneous reversals of one transaction from two stores return no more than it moved", async () => {
    await using subject = await open()
    const stores = [subject.store, await subject.reopen()]
    const { ana, bruno } = await threePeople(subject.store)
    const transfer = { kind: "transfer", senderId: ana.id, receiverId: bruno.id, value: 20, date: 1 } as const
    await subject.store.ledger.postAll([transfer, transfer], allow)
    const reversal = {
      kind: "reversal",
      senderId: bruno.id,
      receiverId: ana.id,
      value: 3,
      date: 1,
      reverses: 1,
    } as const
    const given: number[] = []

    const sent = await Promise.allSettled(
      Array.from({ length: 10 }).flatMap(() =>
        stores.map(({ ledger }) =>
          ledger.post(reversal, (_, reversed) => {
            if (reversed + reversal.value > transfer.value) throw new Error("too much")
            given.push(reversed)
          }),
        ),
      ),
    )

    expect(sent.filter(({ status }) => status === "fulfilled")).toHaveLength(6)
    expect(given.sort((a, b) => a - b)).toEqual([0, 3, 6, 9, 12, 15])
    expect(reasonsIn(sent)).toEqual(["too much"])
    expect((await subject.store.users.list()).map(({ balance }) => balance)).toEqual([-22, 22, 0])
  })

  test("transactions posted before the store is closed are stored, and their promises settle", async () => {
    await using subject = await open()
    const other = await subject.reopen()
    const { ana, bruno } = await threePeople(subject.store)

    const sent = Promise.all(
      [1, 2, 3].map((value) =>
        subject.store.ledger.post({ kind: "transfer", senderId: ana.id, receiverId: bruno.id, value, date: 1 }, allow),
      ),
    )
    await subject.store.close()

    expect((await sent).map(({ id }) => id)).toEqual([1, 2, 3])
    expect(await other.users.balanceOf(bruno.id)).toBe(6)
  })
}
