import { expect, test } from "bun:test"
import fc from "fast-check"
import { type Allowances, createAllowances } from "../../../src/domain/allowances/allowances.ts"
import type { AllowancePeriod } from "../../../src/domain/allowances/model.ts"
import { createCalendar } from "../../../src/domain/calendar.ts"
import { adminUsername } from "../../../src/domain/people/users.ts"
import type { Store } from "../../../src/domain/store.ts"
import { openStore } from "../../../src/storage/sqlite/store.ts"
import { person, unkeyed } from "../../storage/contract/people.ts"
import { silent, testFolder } from "../../storage/files.ts"

const hour = 3_600_000
const day = 24 * hour
const operator = { user: null, who: "olga", way: "command line", address: null } as const
const demandSuccess = (error: unknown) => {
  throw error
}

/** Two processes on one database, with a clock that the test moves. */
async function openCompany(zone: string, start: number) {
  const folder = await testFolder()
  const clock = { now: start }
  const open = async () => {
    const store = await openStore({ path: folder.file("rewards.db"), verifyMb: 0, log: silent })
    return {
      store,
      rules: createAllowances({ store, clock: () => clock.now, calendar: createCalendar(zone), makeOnce: unkeyed }),
    }
  }
  let processes = [await open(), await open()] as const
  await processes[0].store.users.create(person("Admin", { username: adminUsername, dept: "management" }))
  const store = () => processes[0].store

  return {
    clock,
    store,
    rules: (): Allowances => processes[0].rules,
    join: (name: string, dept = "sales") => store().users.create(person(name, { dept })),
    /** Both processes look at the same time. */
    look: () => Promise.all(processes.map(({ rules }) => rules.payDue(demandSuccess))),
    async restart() {
      for (const { store } of processes) await store.close()
      processes = [await open(), await open()]
    },
    async [Symbol.asyncDispose]() {
      for (const { store } of processes) await store.close()
      await folder[Symbol.asyncDispose]()
    },
  }
}

/** How many payments of each value a person got. */
async function paymentsTo({ ledger }: Store, userId: number): Promise<Record<number, number>> {
  const counts: Record<number, number> = {}
  for (let before: number | undefined; ; ) {
    const entries = await ledger.entries({ participantId: userId, kind: "allowance", before, limit: 500 })
    for (const { value, receiverId } of entries) if (receiverId === userId) counts[value] = (counts[value] ?? 0) + 1
    before = entries.at(-1)?.id
    if (before === undefined) return counts
  }
}

/** The first days of the periods that begin between two days, both included; by plain arithmetic. */
function firstDays(period: AllowancePeriod, from: string, to: string): string[] {
  const days: string[] = []
  for (let at = Date.parse(from); at <= Date.parse(to); at += day) {
    const date = new Date(at)
    const begins = {
      day: true,
      week: date.getUTCDay() === 1,
      month: date.getUTCDate() === 1,
      quarter: date.getUTCDate() === 1 && date.getUTCMonth() % 3 === 0,
    }[period]
    if (begins) days.push(date.toISOString().slice(0, 10))
  }
  return days
}

async function paidPeriods({ allowances }: Store, id: number): Promise<string[]> {
  const runs = await allowances.runs(id, { limit: 5000 })
  return runs.map(({ firstDay }) => firstDay).toSorted()
}

test("in two years of restarts, clock jumps and daylight saving, two processes pay each period exactly once", async () => {
  const [first, last] = ["2026-01-01", "2027-12-31"]
  await using company = await openCompany("America/New_York", Date.parse("2026-01-01T05:00Z"))
  const { clock, rules, join, look, store } = company
  const ana = await join("Ana")
  const bruno = await join("Bruno")
  const everyone = { everyone: true }
  // 02:30 does not exist on 8 March 2026 and 14 March 2027, and 01:30 exists twice in November.
  const plans = {
    daily: { value: 1, mode: "add", period: "day", at: "02:30" },
    nightly: { value: 2, mode: "add", period: "day", at: "01:30", audience: { dept: "sales" } },
    weekly: { value: 10, mode: "add", period: "week", on: 1 },
    last: { value: 100, mode: "add", period: "month", on: "last", at: "23:59" },
    on28: { value: 1000, mode: "add", period: "month", on: 28, at: "00:00" },
    quarterly: { value: 10_000, mode: "add", period: "quarter", on: "last", ends_on: "2026-12-31" },
  }
  const ids: Record<string, number> = {}
  for (const [name, plan] of Object.entries(plans)) {
    const { allowance } = await rules().add(operator, { name, audience: everyone, ...plan })
    ids[name] = allowance.id
  }

  let carla: Awaited<ReturnType<typeof join>> | null = null
  const end = Date.parse("2028-01-01T04:59Z")
  for (let step = 0; clock.now < end; step++) {
    await look()
    if (step % 41 === 40) await company.restart()
    if (step % 67 === 66) {
      // The clock is set back by three days, and later set right.
      const { now } = clock
      clock.now -= 3 * day
      await look()
      clock.now = now
      await look()
    }
    if (step % 97 === 96) {
      // It is set forward by less than half a day, and set right.
      clock.now += 11 * hour
      await look()
      clock.now -= 11 * hour
    }
    // A year is over: Carla comes, and Bruno leaves.
    if (carla === null && clock.now >= Date.parse("2027-01-01T05:00Z")) {
      carla = await join("Carla")
      await store().users.setActive(bruno.id, clock.now)
    }
    clock.now = Math.min(clock.now + 12 * hour, end)
  }
  await look()

  const paid = async (name: string) => paidPeriods(store(), ids[name] ?? 0)
  for (const name of ["daily", "nightly"])
    expect([name, await paid(name)]).toEqual([name, firstDays("day", first, last)])
  expect(await paid("weekly")).toEqual(firstDays("week", first, last))
  for (const name of ["last", "on28"]) expect([name, await paid(name)]).toEqual([name, firstDays("month", first, last)])
  // The last days of the first months of four quarters; the fifth begins after its end.
  expect(await paid("quarterly")).toEqual(firstDays("quarter", first, "2026-12-31"))

  const weeks = firstDays("week", first, last).length
  const whole = { 1: 730, 2: 730, 10: weeks, 100: 24, 1000: 24, 10000: 4 }
  expect(await paymentsTo(store(), ana.id)).toEqual(whole)
  const firstYear = { 1: 365, 2: 365, 10: firstDays("week", first, "2026-12-31").length, 100: 12, 1000: 12, 10000: 4 }
  expect(await paymentsTo(store(), bruno.id)).toEqual(firstYear)
  const secondYear = { 1: 365, 2: 365, 10: firstDays("week", "2027-01-01", last).length, 100: 12, 1000: 12 }
  expect(await paymentsTo(store(), carla?.id ?? 0)).toEqual(secondYear)
}, 120_000)

interface Step {
  readonly hours: number
  readonly looks: boolean
  readonly restarts: boolean
}

test("no period is paid twice or before it is due, however long the server is down and wherever the clock jumps", async () => {
  const step: fc.Arbitrary<Step> = fc.record({
    hours: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: -300, max: 2000 })),
    looks: fc.boolean(),
    restarts: fc.integer({ min: 0, max: 7 }).map((one) => one === 0),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
      const start = Date.parse("2026-01-01T00:00Z")
      await using company = await openCompany("Europe/Berlin", start)
      const { clock, rules, join, look, store } = company
      const ana = await join("Ana")
      const everyone = { everyone: true }
      const add = (fields: object) => rules().add(operator, { mode: "add", audience: everyone, ...fields })
      const latest = await add({ name: "latest", value: 1, period: "day", at: "04:00" })
      const none = await add({ name: "none", value: 10, period: "week", catch_up: "none" })

      const expected = { latest: new Set<string>(), none: new Set<string>() }
      for (const { hours, looks, restarts } of steps) {
        clock.now = Math.max(start + hour, clock.now + hours * hour)
        if (restarts) await company.restart()
        if (!looks) continue
        await look()
        const local = new Date(clock.now + offset(clock.now))
        expected.latest.add(isoDay(local.getTime() - (minuteOf(local) < 240 ? day : 0)))
        const monday = mondayBefore(local.getTime())
        const late = local.getTime() - (monday + 9 * hour)
        if (late >= 0 && late <= hour) expected.none.add(isoDay(monday))
      }
      expected.latest.delete("2025-12-31") // before it was added

      expect(await paidPeriods(store(), latest.allowance.id)).toEqual([...expected.latest].sort())
      expect(await paidPeriods(store(), none.allowance.id)).toEqual([...expected.none].sort())
      const counts = await paymentsTo(store(), ana.id)
      expect([counts[1] ?? 0, counts[10] ?? 0]).toEqual([expected.latest.size, expected.none.size])
    }),
    { numRuns: 25 },
  )
}, 120_000)

/** Of Berlin: summer time from the last Sunday of March, 01:00 UTC, to that of October. */
function offset(moment: number): number {
  const year = new Date(moment).getUTCFullYear()
  const lastSunday = (month: number) => {
    const end = new Date(Date.UTC(year, month + 1, 0))
    return end.getTime() - end.getUTCDay() * day + hour
  }
  return moment >= lastSunday(2) && moment < lastSunday(9) ? 2 * hour : hour
}
const minuteOf = (local: Date): number => local.getUTCHours() * 60 + local.getUTCMinutes()
const isoDay = (moment: number): string => new Date(moment).toISOString().slice(0, 10)
const mondayBefore = (local: number): number =>
  Math.floor(local / day) * day - ((new Date(local).getUTCDay() + 6) % 7) * day
