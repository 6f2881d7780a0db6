import { expect, test } from "bun:test"
import fc from "fast-check"
import { createCalendar, type Period, periods, utcSpanOf } from "../../../src/domain/calendar.ts"
import type { NewTransaction, TransactionKind } from "../../../src/domain/ledger/model.ts"
import type { User } from "../../../src/domain/people/model.ts"
import { defaultProgramme } from "../../../src/domain/programme/model.ts"
import { createStatistics } from "../../../src/domain/recognition/statistics.ts"
import type { Store } from "../../../src/domain/store.ts"
import { openStore } from "../../../src/storage/sqlite/store.ts"
import { allow, threePeople } from "../../storage/contract/people.ts"
import { leftOf, type Planned, planned, plannedAmong } from "../../storage/contract/recognition-model.ts"
import { silent, testFolder } from "../../storage/files.ts"

const hour = 3_600_000
const day = 24 * hour

test("periods are calendar periods in UTC, with weeks from Monday", () => {
  const iso = (period: Period, moment: string) => {
    const { start, end } = utcSpanOf(period, Date.parse(moment))
    return [start, end].map((at) => new Date(at).toISOString().slice(0, 16))
  }
  expect(iso("week", "2026-01-04T23:59:59.999Z")).toEqual(["2025-12-29T00:00", "2026-01-05T00:00"])
  expect(iso("week", "2026-01-05T00:00:00Z")).toEqual(["2026-01-05T00:00", "2026-01-12T00:00"])
  expect(iso("month", "2024-02-29T12:00:00Z")).toEqual(["2024-02-01T00:00", "2024-03-01T00:00"])
  expect(iso("month", "2025-12-31T23:59:59Z")).toEqual(["2025-12-01T00:00", "2026-01-01T00:00"])
  expect(iso("quarter", "2026-05-05T00:00:00Z")).toEqual(["2026-04-01T00:00", "2026-07-01T00:00"])
  expect(iso("year", "2026-12-31T23:59:59Z")).toEqual(["2026-01-01T00:00", "2027-01-01T00:00"])
})

type Step =
  | { readonly do: "send"; readonly what: Planned; readonly there: boolean }
  | { readonly do: "wait"; readonly ms: number }
  | { readonly do: "refresh" | "restart" | "ask" }

const steps = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant("send" as const),
        what: plannedAmong(fc.integer({ min: 1, max: 3 })),
        there: fc.boolean(),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant("wait" as const),
        ms: fc.constantFrom(hour, 9 * hour, day, 6 * day, 40 * day, -hour, -30 * day),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ do: fc.constantFrom("refresh" as const, "restart" as const, "ask" as const) }),
    },
  ),
  { minLength: 5, maxLength: 40 },
)

test("leaderboards, totals and days match all transactions, across days, restarts, two processes and clocks set back", async () => {
  await fc.assert(fc.asyncProperty(steps, play), { numRuns: 30 })
}, 120_000)

test("what a person received goes with the balance, also when points arrive between the two reads", async () => {
  await using folder = await testFolder()
  const store = await openStore({ path: folder.file("rewards.db"), log: silent })
  const { ana, bruno } = await threePeople(store)
  const thank = () =>
    store.ledger.post({ kind: "transfer", senderId: ana.id, receiverId: bruno.id, value: 5, date: 1 }, allow)
  let arriving = 0
  /** Passes on what was read, after points have arrived. */
  const late = async <T>(read: Promise<T>): Promise<T> => {
    const found = await read
    arriving -= 1
    if (arriving >= 0) await thank()
    return found
  }
  const { pocketsOf } = store.users
  const { lastId } = store.ledger
  const statistics = createStatistics({
    peopleIn: async () => 0,
    store: {
      ...store,
      users: { ...store.users, pocketsOf: (id) => late(pocketsOf(id)) },
      ledger: { ...store.ledger, lastId: () => late(lastId()) },
    },
    calendar: createCalendar("UTC"),
    clock: () => 1,
    seesTotals: () => true,
    programme: async () => defaultProgramme,
  })
  await thank()

  for (arriving of [0, 1, 2, 3]) {
    const { toGive, received } = await statistics.pointsOf(bruno)
    expect(received).toBe(toGive)
  }
  expect((await statistics.pointsOf(bruno)).received).toBe(35)
  await store.close()
})

test("redeemed points cannot be redeemed again, refunded ones can; in a new month nothing has been granted yet", async () => {
  await using folder = await testFolder()
  const store = await openStore({ path: folder.file("rewards.db"), log: silent })
  const { ana: superuser, bruno: member } = await threePeople(store)
  let time = Date.UTC(2026, 0, 30, 12)
  const statistics = createStatistics({
    peopleIn: async () => 0,
    store,
    calendar: createCalendar("UTC"),
    clock: () => time,
    seesTotals: () => true,
    programme: async () => defaultProgramme,
  })
  const post = (kind: TransactionKind, from: User, to: User, value: number, reverses?: number) =>
    store.ledger.post({ kind, reverses, senderId: from.id, receiverId: to.id, value, date: time }, allow)

  await post("transfer", superuser, member, 50)
  await post("allowance", superuser, member, 20)
  await post("grant", superuser, superuser, 7)
  await post("redemption", member, superuser, 30)
  expect(await statistics.pointsOf(member)).toEqual({ toGive: 40, received: 50, budget: 20, redeemable: 20 })
  await post("refund", superuser, member, 10)
  expect(await statistics.pointsOf(member)).toEqual({ toGive: 50, received: 50, budget: 20, redeemable: 30 })
  await post("reversal", member, superuser, 40, 1)
  expect(await statistics.pointsOf(member)).toEqual({ toGive: 10, received: 10, budget: 10, redeemable: 0 })

  expect(await statistics.grantedThisMonth()).toBe(20)
  time = Date.UTC(2026, 1, 1)
  await post("reversal", member, superuser, 5, 2)
  await post("grant", superuser, member, 3)
  expect(await statistics.grantedThisMonth()).toBe(3)
  await store.close()
})

async function play(given: readonly Step[]) {
  await using folder = await testFolder()
  const path = folder.file("rewards.db")
  const [here, there] = [await openStore({ path, log: silent }), await openStore({ path, log: silent })]
  const people = Object.values(await threePeople(here))
  const posted: NewTransaction[] = []
  let time = Date.UTC(2026, 0, 30, 12)
  const clock = () => time
  let statistics = createStatistics({
    peopleIn: async () => 0,
    store: here,
    calendar: createCalendar("UTC"),
    clock,
    seesTotals: () => true,
    programme: async () => defaultProgramme,
    saveEvery: 1,
  })

  for (const step of [...given, { do: "ask" as const }]) {
    if (step.do === "send") {
      const transaction = planned(step.what, posted)
      if (transaction === null) continue
      const { date } = await (step.there ? there : here).ledger.post({ ...transaction, date: time }, allow)
      posted.push({ ...transaction, date })
    } else if (step.do === "wait") time += step.ms
    else if (step.do === "refresh") await statistics.refresh()
    else if (step.do === "restart")
      statistics = createStatistics({
        peopleIn: async () => 0,
        store: here,
        calendar: createCalendar("UTC"),
        clock,
        seesTotals: () => true,
        programme: async () => defaultProgramme,
        saveEvery: 1,
      })
    else await compare(statistics, here, people, posted, time)
  }
  await here.close()
  await there.close()
}

async function compare(
  statistics: ReturnType<typeof createStatistics>,
  store: Store,
  people: readonly User[],
  all: readonly NewTransaction[],
  time: number,
) {
  const now = Math.max(time, all.at(-1)?.date ?? time)
  const [viewer] = people
  if (!viewer) throw new Error("no such person")
  for (const period of periods)
    for (const by of ["received", "sent"] as const) {
      const span = utcSpanOf(period, now)
      const board = await statistics.leaderboard(viewer, { period, by, size: 2 })
      const own = board.items.map(({ person, ...ranking }) => ({ id: person.id, ...ranking }))
      const counted = ranked(
        leftOf(all).filter(({ date }) => date >= span.start && date < span.end),
        by,
      )
      expect(board.span).toEqual(span)
      expect(own).toEqual(counted.slice(0, 2))
      const place = counted.find(({ id }) => id === viewer.id)
      const { rank, points, count } = board.own
      expect({ rank, points, count }).toEqual(
        place ? { rank: place.rank, points: place.points, count: place.count } : { rank: null, points: 0, count: 0 },
      )
    }
  const first = Math.floor(now / day) - 49
  const ofAll = await statistics.daysOfAll({ ...viewer, dept: "management" }, 50)
  expect(ofAll).toEqual(
    Array.from({ length: 50 }, (_, index) => ({
      day: first + index,
      ...sum(leftOf(all).filter(on(first + index))),
    })),
  )
  for (const user of people) await compareDays(statistics, store, all, user, first)
}

async function compareDays(
  statistics: ReturnType<typeof createStatistics>,
  store: Store,
  all: readonly NewTransaction[],
  user: User,
  first: number,
) {
  const isReceiver = ({ receiverId }: NewTransaction) => receiverId === user.id
  const isSender = ({ senderId }: NewTransaction) => senderId === user.id
  const [received, sent] = [leftOf(all).filter(isReceiver), leftOf(all).filter(isSender)]
  expect(await statistics.of(user, user)).toEqual({ received: sum(received), sent: sum(sent) })
  // From few days to more: both ends of what was read before are extended.
  expect(await statistics.daysOf(user, 3)).toEqual((await statistics.daysOf(user, 366)).slice(-3))
  expect(await statistics.daysOf(user, 50)).toEqual(
    Array.from({ length: 50 }, (_, index) => {
      const number = first + index
      const [came, went] = [received.filter(on(number)), sent.filter(on(number))]
      const until = others(all).filter(({ date }) => date < (number + 1) * day)
      const balance = sum(until.filter(isReceiver)).points - sum(until.filter(isSender)).points
      return {
        day: number,
        received: sum(came).points,
        receivedCount: came.length,
        sent: sum(went).points,
        sentCount: went.length,
        balance,
      }
    }),
  )
  expect((await statistics.daysOf(user, 1))[0]?.balance).toBe(await store.users.balanceOf(user.id))
}

const others = (all: readonly NewTransaction[]) => all.filter(({ senderId, receiverId }) => senderId !== receiverId)
const on =
  (number: number) =>
  ({ date }: NewTransaction) =>
    Math.floor(date / day) === number
const sum = (some: readonly NewTransaction[]) => ({
  points: some.reduce((all, { value }) => all + value, 0),
  count: some.length,
})

function ranked(rows: readonly NewTransaction[], by: "received" | "sent") {
  const side = by === "received" ? "receiverId" : "senderId"
  const groups = Map.groupBy(rows, (row) => row[side])
  const sums = [...groups].map(([id, some]) => ({ id, ...sum(some) }))
  return sums
    .toSorted((a, b) => b.points - a.points || a.id - b.id)
    .map((one) => ({ ...one, rank: 1 + sums.filter(({ points }) => points > one.points).length }))
}
