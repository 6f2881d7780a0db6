import { test } from "bun:test"
import { checkModel } from "./check.ts"

test("fifteen random sequences with restarts in between: every answer is the one of a model of the interface", async () => {
  await checkModel({ runs: 15 })
}, 180_000) // a quarter of that on an idle machine
