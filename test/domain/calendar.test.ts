import { expect, spyOn, test } from "bun:test"
import fc from "fast-check"
import { createCalendar, dayText, isoDate } from "../../src/domain/calendar.ts"

const zones = ["UTC", "Europe/Berlin", "America/Sao_Paulo", "Australia/Lord_Howe", "Pacific/Kiritimati", "Pacific/Niue"]
const anyZone = fc.constantFrom(...zones)
const anyMoment = fc.integer({ min: Date.UTC(1971, 0), max: Date.UTC(2037, 0) })

/** The day as the runtime's formatter has it. */
const dayShown = (timeZone: string, moment: number) =>
  new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }).format(moment)

/** The time likewise. */
const timeShown = (timeZone: string, moment: number) =>
  new Intl.DateTimeFormat("en-GB", { timeZone, timeStyle: "medium" }).format(moment)

test("the day of a moment is the one that clocks show, and begins at its first moment", () => {
  fc.assert(
    fc.property(anyZone, anyMoment, (zone, moment) => {
      const { clockTime, dayOf, startOf } = createCalendar(zone)
      const day = dayOf(moment)

      expect(dayText(day)).toBe(dayShown(zone, moment))
      expect(clockTime(moment)).toBe(`${dayText(day)} ${timeShown(zone, moment)}`)
      expect(startOf(day)).toBeLessThanOrEqual(moment)
      expect(startOf(day + 1)).toBeGreaterThan(moment)
      expect([dayOf(startOf(day)), dayOf(startOf(day + 1) - 1)]).toEqual([day, day])
    }),
    { numRuns: 300 },
  )
})

test("a day has 23 or 25 hours when the clocks change, and a day that a time zone skipped has no moment", () => {
  const berlin = createCalendar("Europe/Berlin")
  const hoursOf = (day: string) => {
    const { start, end } = spanOfDay(berlin, Date.parse(`${day}T12:00Z`))
    return (end - start) / 3_600_000
  }
  expect(["2026-03-28", "2026-03-29", "2026-10-25"].map(hoursOf)).toEqual([24, 23, 25])

  const clocks = ["2026-10-25T00:30Z", "2026-10-25T01:30Z", "2026-10-25T00:30Z"].map((one) =>
    berlin.clockTime(Date.parse(one)),
  )
  expect(clocks).toEqual(["2026-10-25 02:30:00", "2026-10-25 02:30:00", "2026-10-25 02:30:00"])

  const samoa = createCalendar("Pacific/Apia")
  const around = Date.parse("2011-12-30T10:00Z")
  expect([around - 1, around].map((moment) => dayText(samoa.dayOf(moment)))).toEqual(["2011-12-29", "2011-12-31"])
})

test("weeks begin on Monday; months, quarters and years begin on their first day, at local midnight", () => {
  const { spanOf } = createCalendar("America/Sao_Paulo")
  const shown = (period: "week" | "month" | "quarter" | "year", moment: string) => {
    const { start, end } = spanOf(period, Date.parse(moment))
    return [start, end].map((one) => new Date(one).toISOString().slice(0, 16))
  }
  expect(shown("week", "2026-11-23T02:59Z")).toEqual(["2026-11-16T03:00", "2026-11-23T03:00"])
  expect(shown("week", "2026-11-23T03:00Z")).toEqual(["2026-11-23T03:00", "2026-11-30T03:00"])
  expect(shown("month", "2026-12-01T02:00Z")).toEqual(["2026-11-01T03:00", "2026-12-01T03:00"])
  expect(shown("quarter", "2027-01-01T00:00Z")).toEqual(["2026-10-01T03:00", "2027-01-01T03:00"])
  expect(shown("year", "2027-01-01T03:00Z")).toEqual(["2027-01-01T03:00", "2028-01-01T03:00"])
})

test("UTC equals a time zone without an offset, and is computed without looking up a time zone", () => {
  const [utc, other] = [createCalendar("UTC"), createCalendar("Africa/Abidjan")]
  fc.assert(
    fc.property(anyMoment, (moment) => {
      const day = utc.dateAt(moment)
      expect(day.toString()).toBe(other.dateAt(moment).toString())
      expect(utc.momentOf(day, "09:30")).toBe(other.momentOf(day, "09:30"))
    }),
  )
  const refuse = () => {
    throw new Error("a time zone was looked up")
  }
  using _instants = spyOn(Temporal.Instant.prototype, "toZonedDateTimeISO").mockImplementation(refuse)
  using _dates = spyOn(Temporal.PlainDateTime.prototype, "toZonedDateTime").mockImplementation(refuse)
  const day = utc.dateAt(Date.UTC(2026, 10, 21, 23, 59))
  expect([day.toString(), utc.momentOf(day, "00:00")]).toEqual(["2026-11-21", Date.UTC(2026, 10, 21)])
  expect(() => other.dateAt(0)).toThrow("a time zone was looked up")
})

function spanOfDay({ dayOf, startOf }: ReturnType<typeof createCalendar>, moment: number) {
  const day = dayOf(moment)
  return { start: startOf(day), end: startOf(day + 1) }
}

test("a date is UTC, with milliseconds and without a zone", () => {
  expect(isoDate(Date.UTC(2026, 10, 21, 12, 0, 0, 123))).toBe("2026-11-21T12:00:00.123")
  expect(isoDate(Date.UTC(2028, 1, 29, 23, 59, 59, 999))).toBe("2028-02-29T23:59:59.999")
  expect(isoDate(0)).toBe("1970-01-01T00:00:00.000")
})

test("every date equals JavaScript's toISOString, whatever date was formatted before", () => {
  const dates = fc.date({ min: new Date("1900-01-01"), max: new Date("9999-12-31"), noInvalidDate: true })
  fc.assert(
    fc.property(dates, fc.integer({ min: -90_000_000, max: 90_000_000 }), (date, distance) => {
      for (const ms of [date.getTime(), date.getTime() + distance])
        expect(isoDate(ms)).toBe(new Date(ms).toISOString().slice(0, -1))
    }),
  )
})
