import { test } from "bun:test"
import { checkModel } from "./check.ts"

test("in fifteen random sequences with restarts every answer equals that of a model of the interface", async () => {
  await checkModel({ runs: 15 })
}, 180_000) // a quarter of that on an idle machine
