import { expect, test } from "bun:test"
import fc from "fast-check"
import type { LeaderboardSnapshot, NewTransaction } from "../../../src/domain/model.ts"
import { dayMs } from "../../../src/domain/recognition/periods.ts"
import { columns } from "../../../src/domain/recognition/totals.ts"
import { allow, threePeople } from "./people.ts"
import type { OpenSubject } from "./subject.ts"

const totals = columns.map((_, index) => Float64Array.of(index, 20, 300))
const week: LeaderboardSnapshot = { of: "week", startsAt: 7, throughId: 9, totals }

export function statisticsPromises(open: OpenSubject) {
  test("transactions after an id are read ascending, at most as many as asked for", async () => {
    await using subject = await open()
    const { ledger, statistics } = subject.store
    const { ana, bruno } = await threePeople(subject.store)
    for (const value of [10, 20, 30])
      await ledger.post({ kind: "transfer", senderId: ana.id, receiverId: bruno.id, value, date: 5 }, allow)

    const row = { kind: "transfer" as const, senderId: ana.id, receiverId: bruno.id, date: 5 }
    expect(await statistics.transactionsAfter(1, 10)).toEqual([
      { ...row, id: 2, value: 20 },
      { ...row, id: 3, value: 30 },
    ])
    expect(await statistics.transactionsAfter(0, 1)).toEqual([{ ...row, id: 1, value: 10 }])
    expect(await statistics.transactionsAfter(3, 10)).toEqual([])
  })

  test("the totals of a user by day are those of the transactions, whichever store appended them and in whatever order they are read", async () => {
    await using subject = await open()
    const stores = [subject.store, await subject.reopen()] as const
    const { ana, bruno, carla } = await threePeople(subject.store)
    const ids = fc.constantFrom(ana.id, bruno.id, carla.id)
    const transaction = fc.record({
      kind: fc.constant("transfer" as const),
      senderId: ids,
      receiverId: ids,
      value: fc.integer({ min: 1, max: 99 }),
    })
    const posted: NewTransaction[] = []

    await fc.assert(
      fc.asyncProperty(
        fc.array(transaction, { maxLength: 5 }),
        fc.nat(1),
        fc.nat(2),
        ids,
        fc.nat(20),
        async (added, writer, daysLater, userId, back) => {
          const day = Math.floor((posted.at(-1)?.date ?? 0) / dayMs) + daysLater
          for (const one of added) {
            const dated = { ...one, date: day * dayMs + 1 }
            await stores[writer === 0 ? 0 : 1].ledger.post(dated, allow)
            posted.push(dated)
          }
          const [first, count] = [Math.max(0, day - back), Math.min(day, back) + 1]
          for (const { statistics } of stores)
            expect(await statistics.daysOf(userId, first * dayMs, count)).toEqual(
              Array.from({ length: count }, (_, index) => totalsOf(posted, userId, first + index)),
            )
        },
      ),
      { numRuns: 60 },
    )
  }, 120_000)

  test("saved snapshots are loaded by every store; one that includes more transactions is never replaced", async () => {
    await using subject = await open()
    const other = await subject.reopen()
    const month: LeaderboardSnapshot = { ...week, of: "month" }
    await subject.store.statistics.saveSnapshots([week, month])
    expect(await other.statistics.loadSnapshots()).toEqual([week, month])

    const newer = { ...week, startsAt: 14, throughId: 10, totals: totals.map((column) => column.map((n) => n + 1)) }
    await other.statistics.saveSnapshots([newer])
    await subject.store.statistics.saveSnapshots([week])
    expect(await subject.store.statistics.loadSnapshots()).toEqual(expect.arrayContaining([newer, month]))
    expect(await subject.store.statistics.loadSnapshots()).toHaveLength(2)
  })
}

/** The plainest way to the same: all transactions of the user, added up. */
function totalsOf(posted: readonly NewTransaction[], userId: number, day: number) {
  const others = posted.filter(({ senderId, receiverId }) => senderId !== receiverId)
  const on = (list: readonly NewTransaction[]) => list.filter(({ date }) => Math.floor(date / dayMs) === day)
  const sum = (list: readonly NewTransaction[]) => list.reduce((points, { value }) => points + value, 0)
  const received = others.filter(({ receiverId }) => receiverId === userId)
  const sent = others.filter(({ senderId }) => senderId === userId)
  const until = (list: readonly NewTransaction[]) => list.filter(({ date }) => date < (day + 1) * dayMs)
  return {
    day: day * dayMs,
    received: sum(on(received)),
    receivedCount: on(received).length,
    sent: sum(on(sent)),
    sentCount: on(sent).length,
    balance: sum(until(received)) - sum(until(sent)),
  }
}
