import { expect, test } from "bun:test"
import { parseDatabaseUrl } from "../../../../src/config/database-url.ts"
import { openStore } from "../../../../src/storage/postgres/store.ts"
import { cluster, testDatabase } from "../../../support/postgres.ts"
import { startTcpProxy } from "../../../support/tcp-proxy.ts"
import { allow, threePeople } from "../../contract/people.ts"
import { silent } from "../../files.ts"
import { breakCommit } from "../support.ts"

/** Two stores on one new database; the first is reached through a proxy. */
async function twoStores() {
  const database = await testDatabase()
  const proxy = await startTcpProxy(await cluster())
  const open = (url: string) => {
    const parsed = parseDatabaseUrl(url)
    if (parsed === undefined) throw new Error(`not a database URL: ${url}`)
    return openStore({ url: parsed, poolSize: 2, log: silent })
  }
  const other = await open(database.url)
  await threePeople(other)
  const store = await open(database.url.replace(/:\d+\//, `:${proxy.port}/`))
  return {
    store,
    other,
    proxy,
    async [Symbol.asyncDispose]() {
      await Promise.all([store.close(), other.close()])
      await proxy[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

const transfer = { kind: "transfer", senderId: 1, receiverId: 2, value: 5, date: 1000 } as const

test("a transfer whose commit got no answer is acknowledged once it is found", async () => {
  await using subject = await twoStores()
  const { store, other, proxy } = subject
  const broken = breakCommit(proxy, "pass and cut")
  expect(await store.ledger.post(transfer, allow)).toMatchObject({ id: 1 })
  await broken
  expect(await other.ledger.lastId()).toBe(1)
  expect(await other.users.balanceOf(2)).toBe(5)
})

test("a transfer whose commit was lost is refused, even where another one in its place has the same hash", async () => {
  await using subject = await twoStores()
  const { store, other, proxy } = subject
  const broken = breakCommit(proxy, "cut")
  const posted = store.ledger.post(transfer, allow).catch((error: unknown) => error)
  await broken
  proxy.refuse()
  expect(await other.ledger.post(transfer, allow)).toMatchObject({ id: 1 })
  proxy.restore()

  expect(await posted).toMatchObject({ code: "unavailable" })
  expect(await other.ledger.lastId()).toBe(1)
  expect(await other.users.balanceOf(2)).toBe(5)
})
