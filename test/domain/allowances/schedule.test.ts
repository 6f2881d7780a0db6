import { expect, test } from "bun:test"
import fc from "fast-check"
import type { AllowanceSchedule } from "../../../src/domain/allowances/model.ts"
import { duesAfter, latestDue } from "../../../src/domain/allowances/schedule.ts"
import { createCalendar } from "../../../src/domain/calendar.ts"

const schedule = (fields: Partial<AllowanceSchedule>): AllowanceSchedule => ({
  period: "month",
  dueDay: 1,
  dueTime: "09:00",
  startsOn: null,
  endsOn: null,
  ...fields,
})

/** The next times at which it falls due, in UTC, and their periods. */
function next(zone: string, fields: Partial<AllowanceSchedule>, after: string, count: number) {
  const dues = duesAfter(createCalendar(zone), schedule(fields), Date.parse(after)).take(count)
  return [...dues].map(({ firstDay, at }) => `${firstDay} ${new Date(at).toISOString().slice(0, 16)}`)
}

test("each period falls due on its day, at its time in the time zone", () => {
  expect(next("UTC", { period: "day", dueDay: null }, "2026-02-27T09:00Z", 3)).toEqual([
    "2026-02-28 2026-02-28T09:00",
    "2026-03-01 2026-03-01T09:00",
    "2026-03-02 2026-03-02T09:00",
  ])
  expect(next("America/Sao_Paulo", { period: "week", dueDay: 1 }, "2026-11-22T12:00Z", 2)).toEqual([
    "2026-11-23 2026-11-23T12:00",
    "2026-11-30 2026-11-30T12:00",
  ])
  expect(next("UTC", { period: "week", dueDay: 7 }, "2026-12-30T12:00Z", 2)).toEqual([
    "2026-12-28 2027-01-03T09:00",
    "2027-01-04 2027-01-10T09:00",
  ])
  expect(next("Asia/Tokyo", { dueDay: "last" }, "2027-12-31T01:00Z", 3)).toEqual([
    "2028-01-01 2028-01-31T00:00",
    "2028-02-01 2028-02-29T00:00",
    "2028-03-01 2028-03-31T00:00",
  ])
  expect(next("UTC", { dueDay: 28 }, "2027-02-01T00:00Z", 2)).toEqual([
    "2027-02-01 2027-02-28T09:00",
    "2027-03-01 2027-03-28T09:00",
  ])
  expect(next("UTC", { period: "quarter", dueDay: 15 }, "2026-11-22T00:00Z", 2)).toEqual([
    "2027-01-01 2027-01-15T09:00",
    "2027-04-01 2027-04-15T09:00",
  ])
})

test("a period falls due from its first to its last day, both included", () => {
  const days = { period: "day", dueDay: null, startsOn: "2026-03-01", endsOn: "2026-03-02" } as const
  const calendar = createCalendar("UTC")

  expect(next("UTC", days, "2020-01-01T00:00Z", 9)).toEqual([
    "2026-03-01 2026-03-01T09:00",
    "2026-03-02 2026-03-02T09:00",
  ])
  expect(next("UTC", days, "2026-03-02T09:00Z", 9)).toEqual([])
  expect(latestDue(calendar, schedule(days), Date.parse("2026-03-01T08:59Z"))).toBeNull()
  expect(latestDue(calendar, schedule(days), Date.parse("2030-01-01T00:00Z"))?.firstDay).toBe("2026-03-02")
  // The next year has five digits.
  expect(next("UTC", { startsOn: "9999-12-31" }, "2026-03-01T00:00Z", 1)).toEqual(["+010000-01-01 +010000-01-01T09"])
  // The month began earlier.
  expect(next("UTC", { dueDay: 20, startsOn: "2026-03-10" }, "2026-03-11T00:00Z", 1)).toEqual([
    "2026-03-01 2026-03-20T09:00",
  ])
})

test("a local time that the clocks skip is moved later by the skipped hour; of a time that occurs twice, the first counts", () => {
  const daily = { period: "day", dueDay: null, dueTime: "02:30" } as const

  expect(next("Europe/Berlin", daily, "2026-03-28T00:00Z", 3)).toEqual([
    "2026-03-28 2026-03-28T01:30",
    "2026-03-29 2026-03-29T01:30", // 03:30 in summer time
    "2026-03-30 2026-03-30T00:30",
  ])
  expect(next("Europe/Berlin", daily, "2026-10-24T12:00Z", 2)).toEqual([
    "2026-10-25 2026-10-25T00:30",
    "2026-10-26 2026-10-26T01:30",
  ])
  // Samoa had no 30 December 2011: the date line moved.
  expect(next("Pacific/Apia", { ...daily, dueTime: "09:00" }, "2011-12-29T19:00Z", 3)).toEqual([
    "2011-12-30 2011-12-30T19:00",
    "2011-12-31 2011-12-30T19:00",
    "2012-01-01 2011-12-31T19:00",
  ])
})

const zones = ["UTC", "Europe/Berlin", "America/Sao_Paulo", "Australia/Lord_Howe", "Asia/Kathmandu", "America/New_York"]
const anySchedule = fc
  .record({
    period: fc.constantFrom("day", "week", "month", "quarter"),
    day: fc.integer({ min: 1, max: 28 }),
    isLast: fc.boolean(),
    minutes: fc.nat({ max: 1439 }),
  })
  .map(({ period, day, isLast, minutes }): AllowanceSchedule => {
    const time = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, "0")).join(":")
    const dueDay = period === "day" ? null : period === "week" ? ((day - 1) % 7) + 1 : isLast ? "last" : day
    return schedule({ period, dueDay, dueTime: time } as Partial<AllowanceSchedule>)
  })
const anyMoment = fc.integer({ min: Date.UTC(2025, 0), max: Date.UTC(2029, 0) })

test("at any moment, no period falls due between the latest and the next one", () => {
  fc.assert(
    fc.property(fc.constantFrom(...zones), anySchedule, anyMoment, (zone, given, moment) => {
      const calendar = createCalendar(zone)
      const latest = latestDue(calendar, given, moment)
      const [first, second] = [...duesAfter(calendar, given, moment).take(2)]
      if (!latest || !first || !second) throw new Error("it never ends")

      expect(latest.at).toBeLessThanOrEqual(moment)
      expect(first.at).toBeGreaterThan(moment)
      expect([...duesAfter(calendar, given, latest.at).take(1)]).toEqual([first])
      expect(latestDue(calendar, given, first.at)).toEqual(first)
      expect(latestDue(calendar, given, first.at - 1)).toEqual(latest)
      expect(second.at).toBeGreaterThan(first.at)
    }),
    { numRuns: 300 },
  )
})

test("a schedule that no rule has stored is damage, and is not looked for in every period of all time", () => {
  const calendar = createCalendar("UTC")
  for (const damage of [
    { dueTime: "09.00" },
    { dueDay: Number.NaN },
    { dueDay: null },
    { period: "week", dueDay: 8 },
    { startsOn: "soon" },
    { endsOn: "2026-02-30" },
  ] as const) {
    expect(() => latestDue(calendar, schedule(damage), 0)).toThrow("the database is damaged: an allowance has a")
    expect(() => duesAfter(calendar, schedule(damage), 0).next()).toThrow("the database is damaged")
  }
})
