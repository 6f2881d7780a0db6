import { expect, test } from "bun:test"
import type { Store } from "../../../src/domain/store.ts"
import { allow, refuse, threePeople } from "./people.ts"
import type { OpenSubject } from "./subject.ts"

const limit = { max: 3, windowMs: 60_000 }

/** Posts a transaction from Ana to Bruno. Returns its id, or the code of the refusal and the seconds to wait. */
async function post({ ledger }: Pick<Store, "ledger">, date: number, { senderId = 1, check = allow, key = "" } = {}) {
  const idempotencyKey = key === "" ? undefined : { key, requestHash: "one to Bruno", expiresAt: date + 86_400_000 }
  try {
    const entry = { kind: "transfer" as const, senderId, receiverId: 2, value: 1, date }
    return (await ledger.post(entry, check, { idempotencyKey, limit })).id
  } catch (error) {
    const { code, retryAfterSeconds } = Object(error)
    return [code, retryAfterSeconds]
  }
}

export function transferLimitPromises(open: OpenSubject) {
  test("a sender's requests are counted across all stores, until a minute after the first", async () => {
    await using subject = await open()
    const { store } = subject
    await threePeople(store)
    const other = await subject.reopen()

    expect([await post(store, 1_000), await post(other, 21_500), await post(store, 2_000)]).toEqual([1, 2, 3])
    for (const one of [store, other, await subject.reopen()])
      expect(await post(one, 21_500)).toEqual(["too_many_transfers", 40])
    expect(await post(other, 60_999)).toEqual(["too_many_transfers", 1])
    expect(await post(other, 61_000, { senderId: 3 })).toBe(4)
    expect([await post(other, 61_000), await post(store, 61_000), await post(other, 61_000)]).toEqual([5, 6, 7])
    expect(await post(store, 61_000)).toEqual(["too_many_transfers", 60])
  })

  test("simultaneous requests from two stores never exceed the limit", async () => {
    await using subject = await open()
    await threePeople(subject.store)
    const stores = [subject.store, await subject.reopen()]

    const answers = await Promise.all(
      Array.from({ length: 10 }, () => stores.map((store) => post(store, 1_000))).flat(),
    )

    expect(answers.filter((answer) => typeof answer === "number").sort()).toEqual([1, 2, 3])
  })

  test("a request that its check refuses counts, even as a sender's first; one that the limit refuses does not", async () => {
    await using subject = await open()
    await threePeople(subject.store)
    const other = await subject.reopen()

    for (const store of [subject.store, other, subject.store]) await post(store, 1_000, { check: refuse })

    for (let turn = 0; turn < 5; turn += 1) expect(await post(other, 2_000)).toEqual(["too_many_transfers", 59])
    expect((await subject.store.users.list()).map(({ balance }) => balance)).toEqual([0, 0, 0])
    expect(await post(other, 61_000)).toBe(1)
  })

  test("several transactions posted as one count once", async () => {
    await using subject = await open()
    const { ledger } = subject.store
    await threePeople(subject.store)
    const entries = [2, 3].map((receiverId) => ({
      kind: "grant" as const,
      senderId: 1,
      receiverId,
      value: 1,
      date: 1_000,
    }))

    for (let turn = 0; turn < 3; turn += 1) await ledger.postAll(entries, allow, { limit })

    expect(await post(subject.store, 1_000)).toEqual(["too_many_transfers", 60])
    expect(await ledger.lastId()).toBe(6)
  })

  test("beyond the limit a replay is answered; a new key, or another request under a used one, is refused", async () => {
    await using subject = await open()
    await threePeople(subject.store)
    const other = await subject.reopen()
    for (let turn = 0; turn < 5; turn += 1) expect(await post(other, 1_000, { key: "one" })).toBe(1)

    expect(await post(subject.store, 1_000, { key: "two" })).toEqual(["too_many_transfers", 60])
    const reused = { key: "one", requestHash: "another", expiresAt: 2_000 }
    const again = { kind: "transfer" as const, senderId: 1, receiverId: 2, value: 1, date: 1_000 }
    await expect(other.ledger.post(again, allow, { idempotencyKey: reused, limit })).rejects.toMatchObject({
      code: "key_reused",
    })
  })

  test("without a limit nothing is counted", async () => {
    await using subject = await open()
    await threePeople(subject.store)
    const { ledger } = subject.store
    for (let turn = 0; turn < 5; turn += 1)
      await ledger.post({ kind: "transfer" as const, senderId: 1, receiverId: 2, value: 1, date: 1_000 }, allow)

    expect(await post(subject.store, 1_000)).toBe(6)
  })

  test("once a clock that was ahead is corrected, it does not block the sender", async () => {
    await using subject = await open()
    await threePeople(subject.store)
    const [wrong, right] = [10 * limit.windowMs, 1_000]
    for (let turn = 0; turn < 3; turn += 1) await post(subject.store, wrong)
    expect(await post(subject.store, wrong)).toEqual(["too_many_transfers", 60])

    expect(await post(subject.store, right)).toBe(4)
  })
}
