import { expect, test } from "bun:test"
import type { MostToOne } from "../../../src/domain/ledger/model.ts"
import type { Store } from "../../../src/domain/store.ts"
import { allow, threePeople } from "./people.ts"
import type { OpenSubject } from "./subject.ts"

/** Since time 100. */
const most: MostToOne = { points: 10, since: 100 }

interface Given {
  readonly to?: readonly number[]
  readonly from?: number
  readonly value?: number
  readonly date?: number
  readonly kind?: "transfer" | "grant"
  readonly reference?: string
  readonly mostToOne?: MostToOne | undefined
}

/** Posts transactions from Ana to Bruno, or to others. Returns their ids, or the code of the refusal. */
async function give({ ledger }: Pick<Store, "ledger">, given: Given = {}) {
  const { to = [2], from: senderId = 1, value = 4, date = 200, kind = "transfer", reference } = given
  const options = {
    mostToOne: "mostToOne" in given ? given.mostToOne : most,
    ...(reference !== undefined && { reference: { name: reference, requestHash: "h" } }),
  }
  const entries = to.map((receiverId) => ({ kind, senderId, receiverId, value, date }))
  const [first, ...others] = entries
  try {
    if (first && others.length === 0) return [(await ledger.post(first, allow, options)).id]
    return (await ledger.postAll(entries, allow, options)).transactions.map(({ id }) => id)
  } catch (error) {
    return Object(error).code as string
  }
}

const refused = "most_to_one"

export function mostToOnePromises(open: OpenSubject) {
  test("a sender gives one person at most so much in a period, by transfers and grants, across all stores", async () => {
    await using subject = await open()
    const { store } = subject
    await threePeople(store)
    const other = await subject.reopen()

    expect(await give(store, { date: 99, value: 10 })).toEqual([1])
    expect(await give(store)).toEqual([2])
    expect(await give(other, { kind: "grant" })).toEqual([3])
    expect([await give(store, { value: 3 }), await give(other, { value: 3 })]).toEqual([refused, refused])
    expect(await give(other, { value: 2 })).toEqual([4])
    expect(await give(store, { value: 1 })).toBe(refused)
    expect(await give(store, { value: 1, mostToOne: { points: 10, since: 201 } })).toEqual([5])
    expect(await give(store, { value: 100, mostToOne: undefined })).toEqual([6])
  })

  test("each pair of people has an amount of its own, and nobody is limited to oneself", async () => {
    await using subject = await open()
    const { store } = subject
    await threePeople(store)

    expect(await give(store, { value: 10 })).toEqual([1])
    expect(await give(store, { value: 10, to: [3] })).toEqual([2])
    expect(await give(store, { value: 10, from: 3 })).toEqual([3])
    expect(await give(store, { value: 10, from: 2, to: [1] })).toEqual([4])
    expect(await give(store, { value: 100, to: [1] })).toEqual([5])
    expect(await give(store, { value: 1 })).toBe(refused)
  })

  test("several receivers get all or nothing", async () => {
    await using subject = await open()
    const { store } = subject
    await threePeople(store)

    expect(await give(store, { to: [2, 3], value: 6 })).toEqual([1, 2])
    expect(await give(store, { to: [3], value: 4 })).toEqual([3])
    expect(await give(store, { to: [2, 3], value: 4 })).toBe(refused)
    expect(await give(store, { to: [1, 2], value: 4 })).toEqual([4, 5])
  })

  test("simultaneous requests from two stores, some of them refused, never exceed it", async () => {
    await using subject = await open()
    await threePeople(subject.store)
    const stores = [subject.store, await subject.reopen()]

    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        stores.map((store) =>
          index % 3 === 0 ? give(store, { to: [2, 3], value: 1 }) : give(store, { value: 3, reference: `r${index}` }),
        ),
      ).flat(),
    )
    const { items } = await subject.store.ledger.page({ page: 1, size: 100, sender: "ana", receiver: "bruno" })
    const sum = items.reduce((total, { value }) => total + value, 0)
    expect(sum).toBeGreaterThan(7)
    expect(sum).toBeLessThanOrEqual(10)
    expect(answers).toContain(refused)
  })

  test("a repeated request gets its first answer, even when nothing more may be given", async () => {
    await using subject = await open()
    const { store } = subject
    await threePeople(store)

    expect(await give(store, { value: 10, reference: "r" })).toEqual([1])
    expect(await give(store, { value: 1 })).toBe(refused)
    expect(await give(store, { value: 10, reference: "r" })).toEqual([1])
  })

  test("what was taken back may be given again", async () => {
    await using subject = await open()
    const { store } = subject
    await threePeople(store)
    const [id = 0] = await give(store, { value: 10 })
    const takenBack = {
      kind: "reversal" as const,
      senderId: 2,
      receiverId: 1,
      value: 4,
      date: 201,
      reverses: Number(id),
    }
    await store.ledger.post(takenBack, allow)

    expect(await give(store, { value: 5, date: 202 })).toBe(refused)
    expect(await give(store, { value: 4, date: 202 })).toEqual([3])
  })

  test("others give to the same person, and the sender to others, in between", async () => {
    await using subject = await open()
    const { store } = subject
    await threePeople(store)
    for (let turn = 0; turn < 5; turn += 1) {
      expect(await give(store, { value: 2 })).toBeArray()
      for (let other = 0; other < turn; other += 1) await give(store, { from: 3, value: 1, mostToOne: undefined })
      for (let other = 0; other < 5 - turn; other += 1) await give(store, { to: [3], value: 1, mostToOne: undefined })
    }
    expect(await give(store, { value: 1 })).toBe(refused)
    expect(await give(store, { to: [2, 1], value: 1 })).toBe(refused)
  })
}
