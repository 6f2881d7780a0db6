import { expect, test } from "bun:test"
import fc from "fast-check"
import { dayMs } from "../../../src/domain/calendar.ts"
import type { NewTransaction } from "../../../src/domain/ledger/model.ts"
import { columns } from "../../../src/domain/recognition/leaderboards.ts"
import type { LeaderboardSnapshot } from "../../../src/domain/recognition/model.ts"
import { allow, threePeople } from "./people.ts"
import { leftOf, planned, plannedAmong } from "./recognition-model.ts"
import type { OpenSubject } from "./subject.ts"

const totals = columns.map((_, index) => Float64Array.of(index, 20, 300))
const week: LeaderboardSnapshot = { of: "week", startsAt: 7, throughId: 9, totals }

export function statisticsPromises(open: OpenSubject) {
  test("transactions after an id are read in ascending order, up to the limit", async () => {
    await using subject = await open()
    const { ledger, statistics } = subject.store
    const { ana, bruno } = await threePeople(subject.store)
    for (const value of [10, 20, 30])
      await ledger.post({ kind: "transfer", senderId: ana.id, receiverId: bruno.id, value, date: 5 }, allow)

    const noOriginal = { originalKind: null, originalDate: null, originalLeft: null }
    const row = {
      kind: "transfer" as const,
      senderId: ana.id,
      receiverId: bruno.id,
      date: 5,
      group: null,
      addsTo: null,
      ...noOriginal,
    }
    expect(await statistics.transactionsAfter(1, 10)).toEqual([
      { ...row, id: 2, value: 20 },
      { ...row, id: 3, value: 30 },
    ])
    expect(await statistics.transactionsAfter(0, 1)).toEqual([{ ...row, id: 1, value: 10 }])
    expect(await statistics.transactionsAfter(3, 10)).toEqual([])
  })

  test("a reversal is read with the kind and date of the original and the points left of it", async () => {
    await using subject = await open()
    const { ledger, statistics } = subject.store
    const { ana, bruno } = await threePeople(subject.store)
    const [there, back] = [
      { senderId: ana.id, receiverId: bruno.id },
      { senderId: bruno.id, receiverId: ana.id },
    ]
    await ledger.post({ kind: "grant", ...there, value: 10, date: 5 }, allow)
    for (const value of [4, 6]) await ledger.post({ kind: "reversal", reverses: 1, ...back, value, date: 9 }, allow)

    expect(await statistics.transactionsAfter(1, 10)).toEqual(
      [
        { id: 2, value: 4, originalLeft: 6 },
        { id: 3, value: 6, originalLeft: 0 },
      ].map((one) => ({
        ...one,
        kind: "reversal",
        ...back,
        date: 9,
        group: null,
        addsTo: null,
        originalKind: "grant",
        originalDate: 5,
      })),
    )
  })

  test("a user's daily totals match the transactions, whichever store appended them and in whatever order they are read", async () => {
    await using subject = await open()
    const stores = [subject.store, await subject.reopen()] as const
    const { ana, bruno, carla } = await threePeople(subject.store)
    const ids = fc.constantFrom(ana.id, bruno.id, carla.id)
    const posted: NewTransaction[] = []

    await fc.assert(
      fc.asyncProperty(
        fc.array(plannedAmong(ids), { maxLength: 5 }),
        fc.nat(1),
        fc.nat(2),
        ids,
        fc.nat(20),
        async (added, writer, daysLater, userId, back) => {
          const day = Math.floor((posted.at(-1)?.date ?? 0) / dayMs) + daysLater
          for (const one of added) {
            const transaction = planned(one, posted)
            if (transaction === null) continue
            const dated = { ...transaction, date: day * dayMs + 1 }
            await stores[writer === 0 ? 0 : 1].ledger.post(dated, allow)
            posted.push(dated)
          }
          const [first, count] = [Math.max(0, day - back), Math.min(day, back) + 1]
          for (const { statistics } of stores)
            expect(await statistics.daysOf(userId, first, count)).toEqual(
              Array.from({ length: count }, (_, index) => totalsOf(posted, userId, first + index)),
            )
        },
      ),
      { numRuns: 60 },
    )
  }, 120_000)

  test("every store can load a saved snapshot; a snapshot with more transactions is never replaced by one with fewer", async () => {
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

  test("snapshots of another time zone are not loaded, and are replaced", async () => {
    await using subject = await open()
    const utc = subject.store.statistics
    const { statistics: tokyo } = await subject.reopen("Asia/Tokyo")
    await utc.saveSnapshots([week])
    expect(await utc.loadSnapshots()).toEqual([week])
    expect(await tokyo.loadSnapshots()).toEqual([])

    const other = { ...week, startsAt: 8, throughId: 3, totals: columns.map(() => Float64Array.of(2)) }
    await tokyo.saveSnapshots([other])
    expect(await tokyo.loadSnapshots()).toEqual([other])
    expect(await utc.loadSnapshots()).toEqual([])
  })
}

/**
 * Computes the same in the simplest way: adds up what is left of each recognition, and all transactions for the
 * balance.
 */
function totalsOf(posted: readonly NewTransaction[], userId: number, day: number) {
  const onDay = leftOf(posted).filter(({ date }) => Math.floor(date / dayMs) === day)
  const until = posted.filter(({ date, senderId, receiverId }) => date < (day + 1) * dayMs && senderId !== receiverId)
  const sum = (list: readonly NewTransaction[]) => list.reduce((points, { value }) => points + value, 0)
  const received = ({ receiverId }: NewTransaction) => receiverId === userId
  const sent = ({ senderId }: NewTransaction) => senderId === userId
  return {
    day,
    received: sum(onDay.filter(received)),
    receivedCount: onDay.filter(received).length,
    sent: sum(onDay.filter(sent)),
    sentCount: onDay.filter(sent).length,
    balance: sum(until.filter(received)) - sum(until.filter(sent)),
  }
}
