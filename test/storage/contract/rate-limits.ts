import { expect, test } from "bun:test"
import type { RateLimit } from "../../../src/domain/auth/model.ts"
import { maxWindows } from "../../../src/domain/auth/rate-limiter.ts"
import type { OpenSubject } from "./subject.ts"

const limit = (key: string, fields: Partial<RateLimit> = {}): RateLimit => ({
  kind: "guess",
  key,
  max: 2,
  windowMs: 1_000,
  ...fields,
})
const [ana, bruno] = [limit("ana"), limit("bruno")]

export function rateLimitPromises(open: OpenSubject) {
  test("events are counted across all stores within a window that begins with the first", async () => {
    await using subject = await open()
    const { rateLimits: one } = subject.store
    const { rateLimits: other } = await subject.reopen()

    expect(await one.count([ana], 100)).toEqual({
      fullUntil: null,
      counted: [{ kind: "guess", key: "ana", endsAt: 1_100 }],
    })
    expect(await other.fullUntil([ana], 100)).toBeNull()
    expect((await other.count([ana], 500)).fullUntil).toBeNull()

    const { rateLimits: afterwards } = await subject.reopen()
    for (const rateLimits of [one, other, afterwards]) {
      expect(await rateLimits.fullUntil([ana], 1_099)).toBe(1_100)
      expect(await rateLimits.count([ana], 1_099)).toEqual({ fullUntil: 1_100, counted: [] })
    }
    expect(await other.fullUntil([ana], 1_100)).toBeNull()
    expect(await one.count([ana], 1_100)).toMatchObject({ counted: [{ endsAt: 2_100 }] })
  })

  test("two stores that count simultaneous events together never exceed the limit", async () => {
    await using subject = await open()
    const stores = [subject.store, await subject.reopen()]
    const ten = limit("ana", { max: 10 })

    const answers = await Promise.all(
      Array.from({ length: 30 }, () => stores.map(({ rateLimits }) => rateLimits.count([ten], 100))).flat(),
    )

    expect(answers.filter(({ counted }) => counted.length === 1)).toHaveLength(10)
    expect(answers.filter(({ fullUntil }) => fullUntil === 1_100)).toHaveLength(50)
  })

  test("several limits are counted together or not at all; the refusal lasts until the last full window ends", async () => {
    await using subject = await open()
    const { rateLimits } = subject.store
    await rateLimits.count([ana], 100)
    await rateLimits.count([ana], 100)
    await rateLimits.count([bruno], 300)

    expect(await rateLimits.count([bruno, ana, limit("carla")], 400)).toEqual({ fullUntil: 1_100, counted: [] })
    expect((await rateLimits.count([bruno], 400)).fullUntil).toBeNull()
    expect(await rateLimits.count([bruno, ana, limit("carla")], 400)).toEqual({ fullUntil: 1_300, counted: [] })
    expect(await rateLimits.fullUntil([limit("carla", { max: 1 })], 400)).toBeNull()
  })

  test("each kind has separate keys", async () => {
    await using subject = await open()
    const { rateLimits } = subject.store
    const mail = limit("ana", { kind: "mail", max: 1 })

    await rateLimits.count([mail], 100)

    expect(await rateLimits.fullUntil([mail], 100)).toBe(1_100)
    expect(await rateLimits.fullUntil([limit("ana", { max: 1 })], 100)).toBeNull()
  })

  test("an event that is taken back does not count; taking back one of an ended window changes nothing", async () => {
    await using subject = await open()
    const { rateLimits } = subject.store
    const { rateLimits: other } = await subject.reopen()
    const first = await rateLimits.count([ana], 100)
    await rateLimits.count([ana], 100)

    await other.takeBack(first.counted)
    expect(await rateLimits.fullUntil([ana], 100)).toBeNull()
    const last = await rateLimits.count([ana], 100)
    expect(await other.fullUntil([ana], 100)).toBe(1_100)

    await rateLimits.count([ana], 1_100)
    await rateLimits.count([ana], 1_100)
    await rateLimits.takeBack(last.counted)
    await rateLimits.takeBack([{ kind: "guess", key: "nobody", endsAt: 1_100 }])
    expect(await rateLimits.fullUntil([ana], 1_100)).toBe(2_100)
  })

  test("once a clock that was ahead is corrected, its windows block nobody", async () => {
    await using subject = await open()
    const { rateLimits } = subject.store
    for (let turn = 0; turn < 2; turn += 1) await rateLimits.count([ana], 1_101)

    expect(await rateLimits.fullUntil([ana], 101)).toBe(2_101)
    expect(await rateLimits.fullUntil([ana], 100)).toBeNull()
    expect(await rateLimits.count([ana], 100)).toMatchObject({ counted: [{ endsAt: 1_100 }] })
  })

  test("each kind keeps a limited number of windows, the latest ones; other kinds are not affected", async () => {
    await using subject = await open()
    const { rateLimits } = subject.store
    const isFull = async (of: RateLimit, now: number) => (await rateLimits.fullUntil([of], now)) !== null
    const single = (key: number) => limit(`${key}`, { max: 1, windowMs: 100_000 })
    const mail = { ...single(0), kind: "mail" }
    await rateLimits.count([mail], 0)
    const size = 500
    for (let first = 0; first <= maxWindows; first += size)
      await rateLimits.count(
        Array.from({ length: size }, (_, index) => single(first + index)),
        first,
      )

    const held = [size - 1, size, maxWindows + size - 1].map((key) => isFull(single(key), maxWindows))
    expect(await Promise.all(held)).toEqual([false, true, true])
    expect(await isFull(mail, maxWindows)).toBe(true)
  })

  test("pruning deletes only windows that have ended", async () => {
    await using subject = await open()
    const { rateLimits } = subject.store
    const [over, running] = [limit("over", { max: 1 }), limit("running", { max: 1 })]
    await rateLimits.count([over], 100)
    await rateLimits.count([running], 101)

    await rateLimits.prune(1_100)

    // Uses a time before the ends of both windows.
    expect(await rateLimits.fullUntil([over], 101)).toBeNull()
    expect(await rateLimits.fullUntil([running], 101)).toBe(1_101)
  })
}
