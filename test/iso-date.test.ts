import { expect, test } from "bun:test"
import fc from "fast-check"
import { isoDate } from "../src/iso-date.ts"

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
