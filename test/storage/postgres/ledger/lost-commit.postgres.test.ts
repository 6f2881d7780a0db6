import { expect, test } from "bun:test"
import { parseDatabaseUrl } from "../../../../src/config/database-url.ts"
import { nextTick } from "../../../../src/domain/ticks.ts"
import { createLedgerStore } from "../../../../src/storage/ledger/ledger.ts"
import { createDatabase } from "../../../../src/storage/postgres/database/database.ts"
import { openStore } from "../../../../src/storage/postgres/store.ts"
import { clientOf, cluster, testDatabase, throughPort } from "../../../support/postgres.ts"
import { startTcpProxy } from "../../../support/tcp-proxy.ts"
import { inTicks } from "../../../support/ticks.ts"
import { allow, threePeople } from "../../contract/people.ts"
import { silent } from "../../files.ts"
import { breakCommit, untilWaiting } from "../support.ts"

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
  const throughProxy = throughPort(database.url, proxy.port)
  const store = await open(throughProxy)
  return {
    store,
    other,
    proxy,
    url: database.url,
    throughProxy,
    async [Symbol.asyncDispose]() {
      await Promise.all([store.close(), other.close()])
      await proxy[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

const transfer = { kind: "transfer", senderId: 1, receiverId: 2, value: 5, date: 1000 } as const

test("a transfer whose commit got no answer is acknowledged after a lookup finds it", async () => {
  await using subject = await twoStores()
  const { store, other, proxy } = subject
  const broken = breakCommit(proxy, "pass and cut")
  expect(await store.ledger.post(transfer, allow)).toMatchObject({ id: 1 })
  await broken
  expect(await other.ledger.lastId()).toBe(1)
  expect(await other.users.balanceOf(2)).toBe(5)
})

test("a transfer whose commit was lost is refused, even if another transfer in its place has the same hash", async () => {
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

test("when batches follow each other closely, every transfer is known to be committed or refused", async () => {
  await using subject = await twoStores()
  const { store, other, proxy } = subject
  await store.ledger.post(transfer, allow)
  const posts = Array.from({ length: 60 }, (_, tick) => () => {
    const post = store.ledger.post(transfer, allow)
    if (tick === 20) void breakCommit(proxy, "pass and cut")
    return post
  })
  const settled = await Promise.allSettled(await inTicks(posts))
  const ids = settled.flatMap((one) => (one.status === "fulfilled" ? [one.value.id] : []))
  const reasons = settled.flatMap((one) => (one.status === "rejected" ? [one.reason.code] : []))
  expect(new Set(reasons).difference(new Set(["unavailable"])).size).toBe(0)
  expect(ids.toSorted((one, another) => one - another)).toEqual(ids.map((_, index) => index + 2))
  expect(await other.ledger.lastId()).toBe(ids.length + 1)
  expect(await other.users.balanceOf(2)).toBe(5 * (ids.length + 1))
})

test("a transfer that waits for a batch without an answer is refused soon after that batch", async () => {
  await using subject = await twoStores()
  const { proxy, throughProxy } = subject
  const client = clientOf({ url: throughProxy }, { patienceMs: 2000 })
  const impatient = clientOf({ url: throughProxy }, { patienceMs: 1000 })
  const ledger = createLedgerStore(createDatabase(client))
  await ledger.post(transfer, allow)
  proxy.stall()
  const post = () => ledger.post(transfer, allow).catch((error: unknown) => error)
  const [first, second] = await inTicks([post, post])
  expect(await first).toMatchObject({ code: "unavailable" })
  const newcomer = impatient.query("SELECT 1").catch((error: unknown) => error)

  const earlier = await Promise.race([second?.then(() => "the second transfer"), newcomer.then(() => "a newcomer")])

  expect(earlier).toBe("the second transfer")
  expect(await second).toMatchObject({ code: "unavailable" })
  proxy.restore()
  proxy.cut()
  await newcomer
  await Promise.all([client.close(), impatient.close()])
})

test("a refused transfer is not committed later, even if the network delivers it late", async () => {
  await using subject = await twoStores()
  const { other, proxy, throughProxy, url } = subject
  const [client, direct] = [clientOf({ url: throughProxy }, { patienceMs: 2000, poolSize: 1 }), clientOf({ url })]
  const ledger = createLedgerStore(createDatabase(client))
  const post = () => ledger.post(transfer, allow).catch((error: unknown) => error)
  // A statement that is new on its connection is sent alone.
  for (let warm = 0; warm < 3; warm += 1) await Promise.all(await inTicks(Array.from({ length: 20 }, () => post)))

  const posted: Promise<unknown>[] = []
  await direct.transaction(async ({ query }) => {
    await query("LOCK TABLE balances IN SHARE MODE")
    posted.push(post())
    await untilWaiting(direct, 1, "balances")
    posted.push(post()) // is sent in one piece behind the first, when that has only its COMMIT left
    proxy.onSent = () => {
      proxy.onSent = () => "pass"
      return "delay"
    }
  })
  const [first, second] = await Promise.all(posted)
  expect(first).toMatchObject({ id: 61 })
  expect(second).toMatchObject({ code: "unavailable" })

  await proxy.deliver()

  expect(await other.ledger.lastId()).toBe(61)
  await Promise.all([client.close(), direct.close()])
})

test("a batch behind one that then fails is decided on what is left", async () => {
  await using subject = await twoStores()
  const { store, url } = subject
  const client = clientOf({ url })
  await client.query(
    "CREATE FUNCTION unlucky() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION $$unlucky$$; END'",
  )
  await client.query(`CREATE CONSTRAINT TRIGGER unlucky AFTER INSERT ON transactions DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (NEW.value = 13) EXECUTE FUNCTION unlucky()`)
  await client.close()
  for (let warm = 0; warm < 2; warm += 1) await store.ledger.post(transfer, allow)
  const covered = ({ sender }: { sender: number }) => {
    if (sender < 13) throw new Error("not covered")
  }
  const pass = { ...transfer, senderId: 2, receiverId: 3, value: 12 }

  const failing = store.ledger.post({ ...transfer, value: 13 }, allow)
  failing.catch(() => {})
  for (let tick = 0; tick < 5; tick += 1) await nextTick() // until it is on its way
  const passed = await inTicks(Array.from({ length: 20 }, () => () => store.ledger.post(pass, covered)))

  await expect(failing).rejects.toThrow("unlucky")
  for (const post of passed) await expect(post).rejects.toThrow("not covered")
  expect(await store.ledger.post(transfer, allow)).toMatchObject({ id: 3 })
})
