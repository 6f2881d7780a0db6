import { expect, test } from "bun:test"
import { breakCommit } from "../storage/postgres/support.ts"
import { refused } from "../support/answers.ts"
import { clientOf, cluster, migratedDatabase, throughPort } from "../support/postgres.ts"
import { startTestServer } from "../support/server.ts"
import { startTcpProxy } from "../support/tcp-proxy.ts"
import { until } from "../support/until.ts"

const detail =
  "The database did not say whether this was stored; repeat it only with its Idempotency-Key, or look first"
const unknown = { ...refused(504, detail), headers: { "retry-after": "5" } }
const budget = { name: "Budget", value: 5, mode: "add", period: "month", audience: { everyone: true } }

for (const { fate, stored } of [
  { fate: "pass and cut", stored: 1 },
  { fate: "cut", stored: 0 },
] as const)
  test(`an allowance whose commit gets no answer from PostgreSQL is 504, and its repetition makes one (${fate})`, async () => {
    await using database = await migratedDatabase()
    await using proxy = await startTcpProxy(await cluster())
    await using server = await startTestServer({ settings: { "db.url": throughPort(database.url, proxy.port) } })
    const direct = clientOf(database)
    const count = async () => (await direct.query("SELECT FROM allowances")).length
    const admin = await server.admin()
    await server.app.worker.stop(0) // its commits could be the ones that break
    const add = () =>
      admin.call("POST", "/api/v1/allowances", { headers: { "idempotency-key": "the only one" }, json: budget })

    proxy.cut() // only on a new connection can the proxy recognize a COMMIT
    await until(async () => (await admin.get("/api/v1/me")).status === 200)
    void breakCommit(proxy, fate)
    expect(await add()).toEqual(unknown)
    expect(await count()).toBe(stored)

    const repeated = await add()
    expect(repeated).toMatchObject({ status: 201, body: { name: "Budget" } })
    expect(await add()).toEqual(repeated)
    expect(await count()).toBe(1)
    await direct.close()
  })
