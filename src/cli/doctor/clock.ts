import { bad, type Finding, ok, warn } from "./finding.ts"

const toleranceMs = 30_000

interface Clocks {
  /** This machine's, in milliseconds since the epoch, as all of these. */
  readonly now: number
  /** Date of the last transaction; 0 while there is none. */
  readonly lastDate: number
  /** What the proxy says; null when there is none to ask. */
  readonly other: number | null
}

/** This machine's clock against those that can be read without asking strangers. */
export function checkClock({ now, lastDate, other }: Clocks): Finding {
  const shown = new Date(now).toISOString()
  if (lastDate > now + toleranceMs) {
    const last = new Date(lastDate).toISOString()
    return bad("clock", `${shown} is before the last transaction (${last})`, "set this machine's clock")
  }
  const seconds = Math.round(Math.abs(now - (other ?? now)) / 1000)
  if (seconds * 1000 <= toleranceMs) return ok("clock", shown)
  return warn("clock", `${shown} is ${seconds} s away from what server.base_url says`, "set the clock that is wrong")
}
