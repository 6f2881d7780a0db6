import { expect, test } from "bun:test"
import { storm } from "./run.ts"

test("in a storm of logins others are answered, and each attempt is refused or told when to try again", async () => {
  const { attempts, faults } = await storm(1, 2000)

  expect(faults).toEqual([])
  expect(Object.keys(attempts)).toContain("401")
  expect(attempts[503]).toBeGreaterThan(100)
}, 60_000)
