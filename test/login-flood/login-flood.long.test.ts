import { expect, test } from "bun:test"
import { flood } from "./run.ts"

test("in a flood of log-ins other requests are answered, and each attempt is refused or gets Retry-After", async () => {
  const { attempts, faults } = await flood({ rounds: 1, ms: 2000, cost: 10 })

  expect(faults).toEqual([])
  expect(Object.keys(attempts)).toContain("401")
  expect(attempts[503]).toBeGreaterThan(0)
}, 240_000) // a hundred hashes are still waiting at the end
