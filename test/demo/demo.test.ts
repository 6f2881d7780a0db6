import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import { packageManager } from "../../package.json"
import { DatabaseExists, fillDemo } from "../../tooling/demo/demo.ts"
import { nextSteps } from "../../tooling/demo/next-steps.ts"
import type { Scale } from "../../tooling/demo/year.ts"
import { temporaryFolder } from "../support/executable.ts"
import { testDatabase } from "../support/postgres.ts"

const someOfIt: Scale = {
  recognitions: 150,
  groups: 10,
  reactions: 20,
  replies: 5,
  corrections: 4,
  redemptions: 4,
  newcomers: 2,
  leavers: 3,
  erasures: 1,
}
const options = { scale: someOfIt, until: Date.UTC(2026, 10, 20, 15), underTest: true }

const stores: Record<string, () => Promise<{ database: string } & AsyncDisposable>> = {
  SQLite: async () => {
    const folder = await temporaryFolder()
    return { database: join(folder.path, "demo.db"), [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() }
  },
  PostgreSQL: async () => {
    const { url, ...rest } = await testDatabase()
    return { database: url, [Symbol.asyncDispose]: rest[Symbol.asyncDispose] }
  },
}

describe.each(Object.entries(stores))("on %s", (_, open) => {
  test("a company's year follows the rules and leaves a correct ledger; an existing database is refused", async () => {
    await using store = await open()
    const { played, ...checked } = await fillDemo({ ...options, ...store })
    expect(checked).toEqual({ transactions: expect.any(Number), findings: [], sumOfBalances: 0 })
    expect(played).toMatchObject({ people: 60, ...someOfIt })
    await expect(fillDemo({ ...options, ...store })).rejects.toThrow(DatabaseExists)
  })
})

test("the command that starts the server with it needs no bun on the path, unless there is no npx", () => {
  const started = "REWARDS_DB__PATH='demo.db' REWARDS_RECOGNITION__TAGS='"
  const commands = [true, false].map((hasNpx) => nextSteps({ REWARDS_DB__PATH: "demo.db" }, hasNpx))
  expect(commands[0]).toMatch(
    new RegExp(`^ {2}${started}[^']+' npx -y ${RegExp.escape(packageManager)} run start$`, "m"),
  )
  expect(commands[1]).toMatch(new RegExp(`^ {2}${started}[^']+' bun run start$`, "m"))
})
