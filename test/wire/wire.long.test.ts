import { expect, test } from "bun:test"
import { fuzz } from "./run.ts"

test("2,000 malformed inputs cause no failure and no hang, smuggle no request, and do not affect other clients", async () => {
  const { faults } = await fuzz({ cases: 2000, seed: Date.now() })

  expect(faults).toEqual([])
}, 120_000)
