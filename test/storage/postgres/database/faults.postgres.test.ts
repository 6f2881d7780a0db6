import { expect, test } from "bun:test"
import { join } from "node:path"
import { DomainError } from "../../../../src/domain/errors.ts"
import { rootCodeOf } from "../../../../src/support/system-errors.ts"
import { type ClientOptions, clientOf, cluster, owner, testDatabase, throughPort } from "../../../support/postgres.ts"
import { startTcpProxy } from "../../../support/tcp-proxy.ts"
import { until } from "../../../support/until.ts"
import { breakCommit } from "../support.ts"

/** A client of a new database with the table `a (b)`, reached through a proxy. */
async function behindProxy(options: ClientOptions = {}, parameters = "") {
  const database = await testDatabase()
  const { host, port } = await cluster()
  const proxy = await startTcpProxy({ host, port })
  const url = throughPort(database.url, proxy.port) + parameters
  const client = clientOf({ url }, options)
  await client.query("CREATE TABLE a (b bigint)")
  const direct = clientOf(database)
  return {
    client,
    proxy,
    rows: async () => [...(await direct.query<{ b: number }>("SELECT b FROM a ORDER BY b"))].map(({ b }) => b),
    direct,
    async [Symbol.asyncDispose]() {
      await Promise.all([client.close(), direct.close()])
      await proxy[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

/** The refusal, with the code of the error behind it; any other outcome as it is. */
async function refusalOf(work: Promise<unknown>): Promise<unknown> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof DomainError)) return error
    return { code: error.code, retryAfterSeconds: error.retryAfterSeconds, because: rootCodeOf(error) }
  }
}

const refusal = { code: "unavailable", retryAfterSeconds: 5 }
const lost = { ...refusal, because: "ERR_POSTGRES_CONNECTION_CLOSED" }
const stalled = { ...refusal, because: "ERR_POSTGRES_STALLED" }

test("if a connection breaks, the work on it fails and the connection is replaced", async () => {
  await using subject = await behindProxy({ poolSize: 1 })
  const { client, proxy } = subject
  proxy.onSent = () => "cut"
  expect(await refusalOf(client.query("SELECT 1"))).toEqual(lost)
  proxy.onSent = () => "pass"
  expect([...(await client.query("SELECT 2 AS two"))]).toEqual([{ two: 2 }])
  expect(proxy.opened()).toBe(2)
})

test("connections that break while idle cause no failure", async () => {
  await using subject = await behindProxy({ poolSize: 2 })
  const { client, proxy } = subject
  await Promise.all([client.query("SELECT 1"), client.query("SELECT 1")])
  proxy.cut()
  while (client.pool().idle > 0) await Bun.sleep(1)
  expect([...(await client.query("SELECT 3 AS three"))]).toEqual([{ three: 3 }])
})

test("a transaction whose connection breaks before its commit leaves no trace", async () => {
  await using subject = await behindProxy()
  const { client, proxy } = subject
  const result = client.transaction(async ({ query }) => {
    await query("INSERT INTO a VALUES (1)")
    proxy.cut()
    await query("INSERT INTO a VALUES (2)")
  })
  expect(await refusalOf(result)).toEqual(lost)
  expect(await subject.rows()).toEqual([])
})

test("while nothing listens at the port, callers are refused; afterwards they are served again", async () => {
  await using subject = await behindProxy({ poolSize: 2 })
  const { client, proxy } = subject
  proxy.refuse()
  const results = await Promise.all(Array.from({ length: 8 }, () => refusalOf(client.query("SELECT 1"))))
  expect(results).toEqual(results.map(() => ({ ...refusal, because: expect.stringMatching(/^ERR_POSTGRES_/) })))
  proxy.restore()
  expect([...(await client.query("SELECT 4 AS four"))]).toEqual([{ four: 4 }])
  expect(client.pool()).toMatchObject({ used: 0, waiting: 0 })
})

test("while the network drops everything, callers are refused after their time limit; afterwards they are served again", async () => {
  await using subject = await behindProxy({ poolSize: 2, patienceMs: 300 })
  const { client, proxy } = subject
  await Promise.all([client.query("SELECT 1"), client.query("SELECT 1")])
  proxy.stall()
  const results = await Promise.all(
    Array.from({ length: 4 }, () => refusalOf(client.transaction(({ query }) => query("SELECT 1")))),
  )
  for (const result of results)
    expect([stalled, { ...stalled, because: "ERR_POSTGRES_POOL_EXHAUSTED" }] as unknown[]).toContainEqual(result)
  // Also when it has to open a connection.
  expect(await refusalOf(client.query("SELECT 1"))).toEqual(stalled)
  proxy.restore()
  proxy.cut()
  expect([...(await client.query("SELECT 5 AS five"))]).toEqual([{ five: 5 }])
})

test("waiting for its turn counts toward a transaction's time limit; once that has passed, it is not repeated", async () => {
  await using subject = await behindProxy({ poolSize: 1, patienceMs: 600_000 })
  const { client, proxy } = subject
  let tries = 0
  const waitedFor = (ms: number) =>
    client.transaction(
      async ({ query }) => {
        tries += 1
        return query("SELECT 1 AS one")
      },
      { since: Bun.nanoseconds() - ms * 1e6 },
    )
  // A minute is left, because a busy machine may take long to answer.
  expect([...(await waitedFor(540_000))]).toEqual([{ one: 1 }])
  proxy.stall()
  expect(await refusalOf(waitedFor(600_000))).toEqual(stalled)
  expect(tries).toBe(1)
  expect(await refusalOf(waitedFor(599_700))).toEqual(stalled)
})

test("if all connections of the pool are in use, the error says so", async () => {
  await using subject = await behindProxy({ poolSize: 1, patienceMs: 300 })
  const { client } = subject
  const held = Promise.withResolvers<void>()
  const taken = Promise.withResolvers<void>()
  const holder = client.transaction(
    async ({ query }) => {
      await query("SELECT 1")
      taken.resolve()
      await held.promise
    },
    { patienceMs: 60_000 },
  )
  await taken.promise
  expect(await refusalOf(client.query("SELECT 1"))).toEqual({
    ...stalled,
    because: "ERR_POSTGRES_POOL_EXHAUSTED",
  })
  held.resolve()
  await holder
  expect([...(await client.query("SELECT 6 AS six"))]).toEqual([{ six: 6 }])
})

test("on a full disk writes are refused and reads work", async () => {
  await using subject = await behindProxy()
  const { client } = subject
  const full = client.query("DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = 'disk_full'; END $$")
  expect(await refusalOf(full)).toEqual({ ...refusal, code: "unwritable", because: "SQLSTATE_53100" })
  expect([...(await client.query("SELECT 7 AS seven"))]).toEqual([{ seven: 7 }])
})

test("the server ends a statement that takes too long, and the error names that reason", async () => {
  await using subject = await behindProxy()
  const slow = subject.client.transaction(async ({ query }) => {
    await query("SELECT set_config('statement_timeout', '50ms', true)")
    await query("SELECT pg_sleep(60)")
  })
  expect(await refusalOf(slow)).toEqual({ ...refusal, because: "SQLSTATE_57014" })
})

test.each([
  { fate: "pass and cut", answer: "done", rows: [7] },
  { fate: "cut", answer: lost, rows: [] },
] as const)("a commit without an answer is looked up before the caller is answered ($fate)", async (expected) => {
  await using subject = await behindProxy()
  const { client, proxy } = subject
  const broken = breakCommit(proxy, expected.fate)
  const answer = client.transaction(
    async ({ send }) => {
      send("LOCK TABLE a IN EXCLUSIVE MODE")
      send("INSERT INTO a VALUES ($1)", [7])
      return "done"
    },
    {
      lookUp:
        () =>
        async ({ query }) => {
          await query("LOCK TABLE a IN EXCLUSIVE MODE")
          return (await query("SELECT FROM a WHERE b = $1", [7])).length === 1
        },
    },
  )
  await broken
  expect(await refusalOf(answer)).toEqual(expected.answer)
  expect(await subject.rows()).toEqual([...expected.rows])
})

test("a transaction whose outcome cannot be determined is not repeated, whatever error the lookup has", async () => {
  await using subject = await behindProxy({ patienceMs: 600 })
  const broken = breakCommit(subject.proxy, "pass and cut")
  const answer = subject.client.transaction(async ({ send }) => send("INSERT INTO a VALUES (9)"), {
    lookUp:
      () =>
      async ({ query }) => {
        await query("DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = 'deadlock_detected'; END $$")
        return false
      },
  })
  await broken
  expect(await refusalOf(answer)).toEqual({ ...lost, code: "outcome_unknown" })
  expect(await subject.rows()).toEqual([9])
})

test("a lookup that finds nothing counts only once it is committed itself", async () => {
  await using subject = await behindProxy()
  const { client, proxy, direct } = subject
  await direct.query("CREATE TABLE lookups (n bigint)")
  const broken = breakCommit(proxy, "cut")
  const answer = client.transaction(async ({ send }) => send("INSERT INTO a VALUES (6)"), {
    lookUp:
      () =>
      async ({ query }) => {
        const [tried] = await direct.query<{ n: number }>(
          "INSERT INTO lookups SELECT count(*) + 1 FROM lookups RETURNING n",
        )
        if (tried?.n === 1) void breakCommit(proxy, "cut")
        return (await query("SELECT FROM a WHERE b = 6")).length === 1
      },
  })
  await broken
  expect(await refusalOf(answer)).toEqual(lost)
  expect(await direct.query("SELECT FROM lookups")).toHaveLength(2)
})

test("a commit without an answer and without a lookup has an unknown outcome, and is not repeated", async () => {
  await using subject = await behindProxy()
  const { client, proxy, rows } = subject
  const broken = breakCommit(proxy, "pass and cut")
  const answer = client.transaction(async ({ send }) => send("INSERT INTO a VALUES (8)"))
  await broken
  expect(await refusalOf(answer)).toEqual({ ...lost, code: "outcome_unknown" })
  expect(await rows()).toEqual([8])
})

test("so has a single change", async () => {
  await using subject = await behindProxy()
  const { client, proxy, rows } = subject
  const broken = breakCommit(proxy, "pass and cut")
  const answer = client.change("INSERT INTO a VALUES (8)")
  await broken
  expect(await refusalOf(answer)).toEqual({ ...lost, code: "outcome_unknown" })
  expect(await rows()).toEqual([8])
})

test("a change that was never committed is refused", async () => {
  await using subject = await behindProxy()
  const { client, proxy, rows } = subject
  proxy.onSent = (bytes) => (bytes.includes("INSERT") ? "cut" : "pass")
  expect(await refusalOf(client.change("INSERT INTO a VALUES (8)"))).toEqual(lost)
  expect(await rows()).toEqual([])
})

test("no store changes anything by a query, whose unknown outcome nobody would notice", async () => {
  const folder = join(import.meta.dir, "../../../../src/storage/postgres")
  for await (const path of new Bun.Glob("**/*.ts").scan(folder))
    expect([
      path,
      (await Bun.file(join(folder, path)).text()).match(/client\.query[^(]*\(\s*[`"]\s*(INSERT|UPDATE|DELETE)/),
    ]).toEqual([path, null])
})

test("the first of several hosts that accepts writes is used, and found again after a failover", async () => {
  await using database = await testDatabase()
  const { host, port } = await cluster()
  await using first = await startTcpProxy({ host, port })
  await using second = await startTcpProxy({ host, port })
  // A standby, as far as the client can tell.
  const readOnly = (bytes: Buffer) => Buffer.from(bytes.toString("latin1").replace(/\x03off/, "\x03on "), "latin1")
  first.onReceived = readOnly
  const hosts = `127.0.0.1:${first.port},127.0.0.1:${second.port}`
  const url = `postgres://${owner.name}:${encodeURIComponent(owner.password)}@${hosts}/${database.name}?target_session_attrs=read-write`
  const client = clientOf({ url }, { poolSize: 1 })
  await client.query("SELECT 1")
  expect([first.opened(), second.opened()]).toEqual([1, 1])

  first.onReceived = (bytes) => bytes
  second.refuse()
  await refusalOf(client.query("SELECT 1"))
  expect([...(await client.query("SELECT 9 AS nine"))]).toEqual([{ nine: 9 }])
  expect(first.opened()).toBe(2)
  await client.close()
})

test("a listener whose connection breaks reconnects by itself", async () => {
  await using subject = await behindProxy()
  const { client, proxy, direct } = subject
  const listening = Array.from({ length: 2 }, () => Promise.withResolvers<void>())
  const heard = Promise.withResolvers<string>()
  let times = 0
  client.listen("news", heard.resolve, () => listening[times++]?.resolve())
  await listening[0]?.promise
  proxy.cut()
  await listening[1]?.promise
  await direct.query("SELECT pg_notify('news', 'again')")
  expect(await heard.promise).toBe("again")
})

test("while the server refuses log-ins, a listener pauses between attempts", async () => {
  await using subject = await behindProxy()
  const { client, proxy } = subject
  const listening = Promise.withResolvers<void>()
  client.listen("news", () => {}, listening.resolve)
  await listening.promise
  const fields = Buffer.from("SFATAL\0C57P03\0Mthe database system is starting up\0\0")
  const length = Buffer.alloc(4)
  length.writeUInt32BE(fields.length + 4)
  proxy.onReceived = () => Buffer.concat([Buffer.from("E"), length, fields])
  proxy.cut()
  const opened = proxy.opened()
  await until(() => proxy.opened() > opened)
  await Bun.sleep(500)
  expect(proxy.opened() - opened).toBeLessThan(10) // without a rest it is hundreds
})

test("a listener whose connection stops responding reconnects by itself", async () => {
  await using subject = await behindProxy({ checkListenersMs: 200 }, "?connect_timeout=1")
  const { client, proxy, direct } = subject
  const heard = new Set<string>()
  client.listen(
    "news",
    (payload) => heard.add(payload),
    () => {},
  )
  const hears = (payload: string) =>
    until(async () => {
      await direct.query("SELECT pg_notify('news', $1)", [payload])
      return heard.has(payload)
    })
  await hears("first")
  const opened = proxy.opened()
  proxy.stall()
  await until(() => proxy.opened() > opened)
  proxy.restore()
  await hears("again")
})

test("a server that stops responding after the log-in does not occupy the pool forever", async () => {
  await using subject = await behindProxy({ poolSize: 1, patienceMs: 2000 }, "?connect_timeout=1")
  const { client, proxy } = subject
  proxy.cut()
  await until(() => client.pool().idle === 0)
  proxy.onSent = (bytes) => {
    if (bytes.includes("server_version_num")) proxy.stall()
    return "pass"
  }
  expect(await refusalOf(client.query("SELECT 1"))).toEqual(stalled)
  proxy.onSent = () => "pass"
  proxy.restore()
  expect([...(await client.query("SELECT 3 AS three"))]).toEqual([{ three: 3 }])
})
