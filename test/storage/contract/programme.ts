import { expect, test } from "bun:test"
import type { AuditEntry } from "../../../src/domain/audit/ports.ts"
import { defaultProgramme } from "../../../src/domain/programme/model.ts"
import type { OpenSubject } from "./subject.ts"

const audit: AuditEntry = {
  at: 5,
  action: "programme_changed",
  who: "ana",
  whom: null,
  way: "http",
  address: null,
  count: 1,
  detail: null,
  before: null,
  after: null,
}

const named = (one: string) => ({ ...defaultProgramme, points_name: { one, many: `${one}s` } })

export function programmePromises(open: OpenSubject) {
  test("the first programme is stored once, whichever process is first", async () => {
    await using subject = await open()
    const { programme } = subject.store
    const other = (await subject.reopen()).programme

    expect(await programme.read()).toBeNull()
    expect(await programme.begin(named("star"))).toBe(true)
    expect(await other.begin(named("coin"))).toBe(false)
    expect([await programme.read(), await other.read()]).toEqual([named("star"), named("star")])
  })

  test("a change and its audit entry are one; other processes read it", async () => {
    await using subject = await open()
    const { programme, audit: log } = subject.store
    const other = (await subject.reopen()).programme
    const seen: unknown[] = []
    const change = (one: string, entry: AuditEntry | undefined) =>
      programme.update((before) => {
        seen.push(before)
        return { after: named(one), audit: entry }
      })

    expect(await change("star", audit)).toEqual(named("star"))
    expect(await change("coin", audit)).toEqual(named("coin"))
    expect(seen).toEqual([null, named("star")])
    expect(await other.read()).toEqual(named("coin"))
    expect(await log.list({ limit: 10 })).toEqual([{ id: 1, ...audit, count: 2 }])
  })

  test("nothing is stored without an audit entry, nor when the change throws", async () => {
    await using subject = await open()
    const { programme } = subject.store
    await programme.begin(named("star"))

    await programme.update(() => ({ after: named("coin"), audit: undefined }))
    const refused = programme.update(() => {
      throw new Error("refused")
    })
    expect(refused).rejects.toThrow("refused")
    await refused.catch(() => {})
    expect(await programme.read()).toEqual(named("star"))
  })

  test("changes at the same time follow each other", async () => {
    await using subject = await open()
    const other = await subject.reopen()
    const stores = [subject.store.programme, other.programme]
    const adding = Array.from({ length: 10 }, (_, index) =>
      stores[index % 2]?.update((before) => ({
        after: { ...defaultProgramme, reason_min: (before?.reason_min ?? 0) + 1 },
        audit,
      })),
    )
    await Promise.all(adding)
    expect(await other.programme.read()).toMatchObject({ reason_min: 10 })
  })
}
