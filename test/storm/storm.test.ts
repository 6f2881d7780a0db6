import { expect, test } from "bun:test"
import { storm } from "./run.ts"

test("in a storm of logins others are answered, and each attempt is refused or told when to try again", async () => {
  const { attempts, faults } = await storm({ rounds: 1, ms: 2000, cost: 10 })

  expect(faults).toEqual([])
  expect(Object.keys(attempts)).toContain("401")
  expect(attempts[503]).toBeGreaterThan(0)
}, 240_000) // a hundred hashes wait at its end, and a busy machine takes its time over them
