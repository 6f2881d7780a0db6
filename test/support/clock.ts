import type { Clock } from "../../src/domain/clock.ts"

/** A clock that stands still until the test moves it. */
export function createTestClock(start = Date.UTC(2026, 0, 5, 9)): { now: Clock; advance(ms: number): void } {
  let time = start
  return {
    now: () => time,
    advance(ms) {
      time += ms
    },
  }
}
