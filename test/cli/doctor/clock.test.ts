import { expect, test } from "bun:test"
import { checkClock } from "../../../src/cli/doctor/clock.ts"

const now = Date.parse("2026-01-05T09:00:00Z")
const shown = "2026-01-05T09:00:00.000Z"
const sound = { check: "clock", verdict: "ok", message: shown, cure: null } as const

test("a clock that agrees within half a minute is sound, and so is one that nothing speaks against", () => {
  expect(checkClock({ now, lastDate: 0, other: null })).toEqual(sound)
  expect(checkClock({ now, lastDate: now + 30_000, other: now - 30_000 })).toEqual(sound)
  expect(checkClock({ now, lastDate: 5, other: now + 30_000 })).toEqual(sound)
})

test("one that stands before the last transaction is bad", () => {
  expect(checkClock({ now, lastDate: now + 3_600_000, other: now + 3_600_000 })).toEqual({
    check: "clock",
    verdict: "bad",
    message: `${shown} is before the last transaction (2026-01-05T10:00:00.000Z)`,
    cure: "set this machine's clock",
  })
})

test("one that differs from the proxy's is told of, either way", () => {
  for (const other of [now - 90_000, now + 90_000])
    expect(checkClock({ now, lastDate: 0, other })).toEqual({
      check: "clock",
      verdict: "warn",
      message: `${shown} is 90 s away from what server.base_url says`,
      cure: "set the clock that is wrong",
    })
})
