import { expect, test } from "bun:test"
import { checkBackup } from "../../../src/cli/doctor/backup.ts"

const hourMs = 3_600_000
const now = Date.parse("2026-01-05T09:00:00Z")

/** With a backup so many hours ago, or none. */
const found = (hours: number | null, everyHours: number, isStrict = true) =>
  checkBackup({ lastAt: hours === null ? null : now - hours * hourMs, everyHours, now, isStrict })

test("a scheduled backup is in time until an hour after it was due, and bad from then on", () => {
  const check = "backup"
  expect(found(0, 24)).toEqual({ check, verdict: "ok", message: "the newest is 0 h old", cure: null })
  expect(found(25, 24)).toEqual({ check, verdict: "ok", message: "the newest is 25 h old", cure: null })
  expect(found(25.1, 24)).toEqual({
    check,
    verdict: "bad",
    message: "the newest is 25 h old, and backup.every_hours is 24",
    cure: "look for `scheduled backup failed` in the log",
  })
  expect(found(null, 24)).toEqual({
    check,
    verdict: "warn",
    message: "none yet",
    cure: "`rewards serve` makes the first one when it starts",
  })
})

test("without a schedule one of a week ago will do; an older one, and none in production, is told of", () => {
  const cure = "set backup.every_hours, or let a timer run `rewards backup`"
  expect(found(7 * 24, 0)).toMatchObject({ verdict: "ok", message: "the newest is 7 days old" })
  expect(found(8 * 24, 0)).toMatchObject({ verdict: "warn", message: "the newest is 8 days old", cure })
  expect(found(null, 0)).toMatchObject({ verdict: "warn", message: "none yet, and none is scheduled", cure })
  expect(found(null, 0, false)).toMatchObject({ verdict: "ok", message: "none yet", cure: null })
})

test("a backup of the future, which a wrong clock has made, is no older than now", () => {
  expect(found(-5, 24)).toMatchObject({ verdict: "ok", message: "the newest is 0 h old" })
})
