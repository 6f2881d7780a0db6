import { expect, test } from "bun:test"
import { existsSync } from "node:fs"
import { fileOf } from "./run.ts"
import { behindProxy, inOneProcess, inSeveralProcesses } from "./suites.ts"

test("the suites that run on PostgreSQL once more exist, and are listed once", () => {
  const all = [...inOneProcess, ...inSeveralProcesses, ...behindProxy]
  expect(all.filter((suite) => !existsSync(fileOf(suite)))).toEqual([])
  expect(new Set(all).size).toBe(all.length)
})
