import { expect, test } from "bun:test"
import { besiege } from "./siege.ts"

test("two thousand things that no client sends: no failure, no hang, nothing smuggled, and others do not notice", async () => {
  const { faults } = await besiege({ cases: 2000, seed: Date.now() })

  expect(faults).toEqual([])
}, 120_000)
