import { describe, expect, test } from "bun:test"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { DatabaseExists, fillDemo } from "../../../src/cli/demo/fill.ts"
import type { Scale } from "../../../src/cli/demo/year.ts"
import { loadConfig } from "../../../src/config/load.ts"
import { maintenanceOf } from "../../../src/storage/open.ts"
import { temporaryFolder } from "../../support/executable.ts"
import { testDatabase } from "../../support/postgres.ts"
import { until } from "../../support/until.ts"

const someOfIt: Scale = {
  recognitions: 150,
  groups: 10,
  reactions: 20,
  replies: 5,
  additions: 10,
  congratulations: 20,
  wishes: 6,
  corrections: 4,
  redemptions: 4,
  newcomers: 2,
  leavers: 3,
  erasures: 1,
}
const options = { scale: someOfIt, until: Date.UTC(2026, 10, 20, 15) }

const stores = {
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
    const played = await fillDemo({ ...options, ...store })
    expect(played).toMatchObject({ people: 60, ...someOfIt })
    expect(played.occasions).toBeGreaterThan(60)
    expect(await faultsIn(store.database)).toEqual([])
    await expect(fillDemo({ ...options, ...store })).rejects.toThrow(DatabaseExists)
  })
})

test("a year that is stopped leaves a database that can be opened and has no fault", async () => {
  await using store = await stores.SQLite()
  const stop = new AbortController()
  const filling = fillDemo({ ...options, ...store, signal: stop.signal })
  await until(() => existsSync(store.database))
  stop.abort(new Error("stopped"))
  await expect(filling).rejects.toThrow("stopped")
  expect(await faultsIn(store.database)).toEqual([])
})

/** What `rewards verify` finds, which includes balances whose sum is not zero. */
async function faultsIn(database: string) {
  const flags = { [database.startsWith("postgres") ? "db.url" : "db.path"]: database }
  const { db } = loadConfig({ cwd: ".", configPath: null, env: {}, flags, underTest: true, needsSecret: false })
  return (await (await maintenanceOf(db)).verify({ accepts: false })).findings
}
