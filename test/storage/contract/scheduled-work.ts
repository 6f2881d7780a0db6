import { expect, test } from "bun:test"
import type { OpenSubject } from "./subject.ts"

const work = { name: "sweep", everyMs: 1_000, leaseMs: 100 }

export function schedulePromises(open: OpenSubject) {
  test("of all stores that ask at the same time one gets the work, and it is due again when that one has said so", async () => {
    await using subject = await open()
    const stores = [subject.store, await subject.reopen(), await subject.reopen()]

    const claims = await Promise.all(stores.map(({ schedule }, index) => schedule.claim(work, `owner ${index}`, 0)))
    expect(claims.filter((claimed) => claimed)).toHaveLength(1)
    const owner = `owner ${claims.indexOf(true)}`
    for (const { schedule } of stores) {
      expect(await schedule.claim(work, "another", 99)).toBe(false)
      expect(await schedule.settle("sweep", "another", 0)).toBe(false)
    }
    expect(await stores[0]?.schedule.settle("sweep", owner, 1_000)).toBe(true)
    for (const { schedule } of stores) expect(await schedule.claim(work, owner, 999)).toBe(false)
    expect(await stores[1]?.schedule.claim(work, "another", 1_000)).toBe(true)
  })

  test("the work of an owner that is gone is free when its lease ends; it can settle nothing any more", async () => {
    await using subject = await open()
    const { schedule } = subject.store
    const { schedule: other } = await subject.reopen()
    await schedule.claim(work, "gone", 0)

    expect(await other.claim(work, "another", 99)).toBe(false)
    expect(await other.claim(work, "another", 100)).toBe(true)
    expect(await schedule.settle("sweep", "gone", 1_000)).toBe(false)
    expect(await schedule.claim(work, "gone", 150)).toBe(false)
  })

  test("its owner extends the lease", async () => {
    await using subject = await open()
    const { schedule } = subject.store
    await schedule.claim(work, "owner", 0)

    expect(await schedule.claim(work, "owner", 90)).toBe(true)
    expect(await schedule.claim(work, "another", 189)).toBe(false)
    expect(await schedule.claim(work, "another", 190)).toBe(true)
  })

  test("each name is work of its own", async () => {
    await using subject = await open()
    const { schedule } = subject.store

    expect(await schedule.claim(work, "owner", 0)).toBe(true)
    expect(await schedule.claim({ ...work, name: "backup" }, "another", 0)).toBe(true)
    expect(await schedule.settle("backup", "owner", 0)).toBe(false)
  })

  test("neither a lease nor a time that a wrong clock has written blocks the work for long", async () => {
    await using subject = await open()
    const { schedule } = subject.store
    const ahead = 1_000_000
    await schedule.claim(work, "owner", ahead)

    expect(await schedule.claim(work, "another", 0)).toBe(true)
    expect(await schedule.settle("sweep", "another", ahead)).toBe(true)
    expect(await schedule.claim(work, "another", ahead - 2_000)).toBe(false)
    expect(await schedule.claim(work, "another", ahead - 2_001)).toBe(true)
  })
}
