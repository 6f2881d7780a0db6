import { expect, test } from "bun:test"
import type { OpenSubject } from "./subject.ts"

const work = { name: "sweep", everyMs: 1_000, leaseMs: 100 }

export function schedulePromises(open: OpenSubject) {
  test("one of several stores that ask at the same time gets the work; its result sets when the work is due again", async () => {
    await using subject = await open()
    const stores = [subject.store, await subject.reopen(), await subject.reopen()]

    const claims = await Promise.all(stores.map(({ schedule }, index) => schedule.claim(work, `owner ${index}`, 0)))
    expect(claims.filter((claimed) => claimed)).toHaveLength(1)
    const owner = `owner ${claims.indexOf(true)}`
    for (const { schedule } of stores) {
      expect(await schedule.claim(work, "another", 99)).toBe(false)
      expect(await schedule.release("sweep", "another", 0)).toBe(false)
    }
    expect(await stores[0]?.schedule.release("sweep", owner, 1_000)).toBe(true)
    for (const { schedule } of stores) expect(await schedule.claim(work, owner, 999)).toBe(false)
    expect(await stores[1]?.schedule.claim(work, "another", 1_000)).toBe(true)
  })

  test("when the lease of a lost owner ends, another can take the work, and the lost owner can release nothing", async () => {
    await using subject = await open()
    const { schedule } = subject.store
    const { schedule: other } = await subject.reopen()
    await schedule.claim(work, "gone", 0)

    expect(await other.claim(work, "another", 99)).toBe(false)
    expect(await other.claim(work, "another", 100)).toBe(true)
    expect(await schedule.release("sweep", "gone", 1_000)).toBe(false)
    expect(await schedule.claim(work, "gone", 150)).toBe(false)
  })

  test("an owner can extend its lease", async () => {
    await using subject = await open()
    const { schedule } = subject.store
    await schedule.claim(work, "owner", 0)

    expect(await schedule.claim(work, "owner", 90)).toBe(true)
    expect(await schedule.claim(work, "another", 189)).toBe(false)
    expect(await schedule.claim(work, "another", 190)).toBe(true)
  })

  test("work of another name is claimed separately", async () => {
    await using subject = await open()
    const { schedule } = subject.store

    expect(await schedule.claim(work, "owner", 0)).toBe(true)
    expect(await schedule.claim({ ...work, name: "backup" }, "another", 0)).toBe(true)
    expect(await schedule.release("backup", "owner", 0)).toBe(false)
  })

  test("a lease or due time written by a wrong clock does not block the work for long", async () => {
    await using subject = await open()
    const { schedule } = subject.store
    const ahead = 1_000_000
    await schedule.claim(work, "owner", ahead)

    expect(await schedule.claim(work, "another", 0)).toBe(true)
    expect(await schedule.release("sweep", "another", ahead)).toBe(true)
    expect(await schedule.claim(work, "another", ahead - 2_000)).toBe(false)
    expect(await schedule.claim(work, "another", ahead - 2_001)).toBe(true)
  })
}
