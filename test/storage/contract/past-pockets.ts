import { expect, test } from "bun:test"
import fc from "fast-check"
import { createCalendar, lastOfMonth, utcDayOf } from "../../../src/domain/calendar.ts"
import type { Holding, NewTransaction } from "../../../src/domain/ledger/model.ts"
import { createPastPockets, sumsOf } from "../../../src/domain/ledger/past-pockets.ts"
import { movePoints, type StoredPockets } from "../../../src/domain/ledger/pockets.ts"
import { allow, hashOf, person, threePeople } from "./people.ts"
import { type Planned, planned, plannedAmong } from "./recognition-model.ts"
import type { OpenSubject } from "./subject.ts"

/** The day has 23 hours on 2026-03-29, and 25 on 2026-10-25. */
const timeZone = "Europe/Berlin"
const hourMs = 3_600_000
const begun = Date.parse("2026-03-27T12:00:00Z")

/** Mostly some hours; now and then half a year at once, after which clocks have changed and months were empty. */
const later = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: 0, max: 30 }) },
  { weight: 1, arbitrary: fc.constant(24 * 210) },
)

const moved = (ids: fc.Arbitrary<number>): fc.Arbitrary<Planned> => {
  const people = { senderId: ids, receiverId: ids, value: fc.integer({ min: 1, max: 99 }) }
  const kind = fc.constantFrom("redemption" as const, "refund" as const, "expiry" as const)
  return fc.oneof({ weight: 3, arbitrary: plannedAmong(ids) }, { weight: 1, arbitrary: fc.record({ kind, ...people }) })
}

export function pastPocketPromises(open: OpenSubject) {
  test("what people held at the end of any day is the sum of the transactions until then, and stays so", async () => {
    await using subject = await open()
    const { users, ledger } = subject.store
    const admin = await users.create(person("Admin", { dept: "management" }))
    const { ana, bruno, carla } = await threePeople(subject.store)
    const ids = fc.constantFrom(admin.id, ana.id, bruno.id, carla.id)
    const calendar = createCalendar(timeZone)
    const dependencies = { store: subject.store, calendar }
    const past = createPastPockets(dependencies)
    const posted: NewTransaction[] = []
    const answers = new Map<number, Holding[]>()
    let now = begun

    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(moved(ids), later, fc.boolean()), { maxLength: 12 }),
        fc.nat(40),
        async (added, daysBack) => {
          for (const [one, hours, isClockWrong] of added) {
            now += hours * hourMs
            await post(one, now, isClockWrong)
          }
          const today = calendar.dayOf(now)
          const day = today - daysBack

          const found = await past.at(day)
          expect(found).toEqual(heldBefore(calendar.startOf(day + 1)))
          const monthEnd = lastOfMonth(day)
          const month = await past.sumsAtMonthEnd(monthEnd)
          expect(month).toEqual(sumsOf(heldBefore(calendar.startOf(monthEnd + 1))))
          for (const [asked, answer] of answers) expect(await past.at(asked)).toEqual(answer)
          if (day < today && answers.size < 20) answers.set(day, found)
        },
      ),
      { numRuns: 60 },
    )

    await users.setActive(ana.id, now)
    const replacement = { username: "erased-1", name: "Former", email: "e@erased.invalid", password: hashOf("none") }
    const audit = { at: 1, action: "user_erased" as const, who: null, whom: null, way: "http" as const }
    await users.erase(
      ana.id,
      { replacement, reasons: "all", at: now },
      { ...audit, address: null, count: 1, detail: null, before: null, after: null },
    )
    const other = createPastPockets({ ...dependencies, store: await subject.reopen() })
    for (const [asked, answer] of answers) expect(await other.at(asked)).toEqual(answer)

    /** With a wrong clock, a transaction is dated an hour ahead, and so are those that follow within it. */
    async function post(one: Planned, date: number, isClockWrong: boolean) {
      const transaction = planned(one, posted)
      if (transaction === null) return
      const { id: _, ...stored } = await ledger.post(
        { ...transaction, date: date + (isClockWrong ? hourMs : 0) },
        allow,
      )
      posted.push({ ...transaction, date: stored.date })
    }

    /** The plain replay. */
    function heldBefore(end: number): Holding[] {
      const accounts = new Map<number, StoredPockets>()
      const accountOf = (userId: number) => {
        const account = accounts.get(userId) ?? { balance: 0, earned: 0, earnedGiven: 0 }
        accounts.set(userId, account)
        return account
      }
      for (const { kind, senderId, receiverId, value, date, reverses } of posted) {
        if (date >= end || senderId === receiverId) continue
        const originalKind = reverses === undefined ? null : (posted[reverses - 1]?.kind ?? null)
        movePoints({ kind, value, originalKind }, accountOf(senderId), accountOf(receiverId))
      }
      return [...accounts]
        .map(([userId, { balance, earned }]) => ({ userId, balance, redeemable: earned }))
        .filter(({ userId, balance }) => balance > 0 && userId !== admin.id)
        .toSorted((one, other) => one.userId - other.userId)
    }
  }, 120_000)

  test("transactions are replayed only for the past, and once for all ends of months", async () => {
    await using subject = await open()
    const { users, ledger } = subject.store
    const admin = await users.create(person("Admin", { dept: "management" }))
    const { ana } = await threePeople(subject.store)
    const calendar = createCalendar(timeZone)
    const grant = { kind: "grant" as const, senderId: admin.id, receiverId: ana.id, value: 3 }
    for (const month of ["03", "04", "05"]) await ledger.post({ ...grant, date: Date.parse(`2026-${month}-27`) }, allow)
    let reads = 0
    const movementsAfter: typeof ledger.movementsAfter = (...asked) => {
      reads += 1
      return ledger.movementsAfter(...asked)
    }
    const past = createPastPockets({ store: { users, ledger: { ...ledger, movementsAfter } }, calendar })
    const day = (text: string) => utcDayOf(Date.parse(text))

    expect(await past.at(day("2026-05-27"))).toEqual([{ userId: ana.id, balance: 9, redeemable: 0 }])
    expect(reads).toBe(0)
    expect(await past.sumsAtMonthEnd(day("2026-04-30"))).toEqual({ balance: 6, redeemable: 0 })
    expect(reads).toBe(1)
    expect(await past.sumsAtMonthEnd(day("2026-03-31"))).toEqual({ balance: 3, redeemable: 0 })
    expect(reads).toBe(1)
  })
}
