import { expect, test } from "bun:test"
import { auditEntry } from "../../../src/domain/audit/audit-log.ts"
import { threePeople } from "./people.ts"
import type { OpenSubject } from "./subject.ts"

/** More than twice as many rows as one commit deletes. */
const many = 2_500

export function pruningPromises(open: OpenSubject) {
  test("many expired rows are deleted in steps, between which other work runs", async () => {
    await using subject = await open()
    const { audit, users } = subject.store
    const { ana } = await threePeople(subject.store)
    const numbers = Array.from({ length: many + 1 }, (_, index) => index)
    const by = { who: "ana", way: "http", address: null } as const
    await audit.append(numbers.map((number) => auditEntry(by, number, "login", { detail: `${number}` })))
    await users.saveLoginSources(numbers.map((number) => ({ userId: ana.id, source: `${number}`, usedAt: number })))

    expect(await ticksDuring(() => audit.prune(many))).toBeGreaterThan(1)
    expect(await ticksDuring(() => users.pruneLoginSources(many))).toBeGreaterThan(1)

    expect((await audit.list({ limit: many })).map(({ at }) => at)).toEqual([many])
    expect([await users.lastLoginFrom(ana.id, "1"), await users.lastLoginFrom(ana.id, `${many}`)]).toEqual([null, many])
  }, 30_000)
}

/** How many ticks of the event loop begin while `act` runs. */
async function ticksDuring(act: () => Promise<void>): Promise<number> {
  let ticks = 0
  let isDone = false
  const count = () => {
    ticks += 1
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  await act()
  isDone = true
  return ticks
}
