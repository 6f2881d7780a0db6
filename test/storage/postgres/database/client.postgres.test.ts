import { expect, test } from "bun:test"
import { DomainError } from "../../../../src/domain/errors.ts"
import { createLog } from "../../../../src/support/log.ts"
import { administer, clientOf } from "../../../support/postgres.ts"
import { testClient } from "../support.ts"

test("numbers, texts, bytes, booleans and lists are read as they were written", async () => {
  await using subject = await testClient()
  const given = {
    number: 2 ** 53 - 1,
    text: `Zoë's "\\," {}`,
    bytes: new Uint8Array([0, 255]),
    yes: true,
    nothing: null,
    numbers: [1, 2 ** 53 - 1],
    texts: ['a,b"c', "ü\\", "", "NULL"],
    manyBytes: [new Uint8Array([1]), new Uint8Array([2, 3])],
  }
  const [row] = await subject.client.query(
    `SELECT $1::bigint AS number, $2::text AS text, $3::bytea AS bytes, $4::boolean AS yes, $5::text AS nothing,
       $6::bigint[] AS numbers, $7::text[] AS texts, $8::bytea[] AS "manyBytes"`,
    Object.values(given),
  )
  const bytesIn = (value: unknown) => (value instanceof Uint8Array ? new Uint8Array(value) : value)
  const plain = Object.entries(row as object).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map(bytesIn) : bytesIn(value),
  ])
  expect(Object.fromEntries(plain)).toEqual(given)
})

test("the character NUL, which PostgreSQL cannot store, becomes U+FFFD", async () => {
  await using subject = await testClient()
  expect([...(await subject.client.query("SELECT $1::text AS a, $2::text[] AS b", ["a\0b", ["\0"]]))]).toEqual([
    { a: "a\ufffdb", b: ["\ufffd"] },
  ])
})

test("a violated constraint is reported by its name", async () => {
  await using subject = await testClient()
  await subject.client.query("CREATE TABLE a (b bigint CONSTRAINT a_once UNIQUE)")
  await subject.client.query("INSERT INTO a VALUES ($1)", [1])
  const error = await subject.client.query("INSERT INTO a VALUES ($1)", [1]).catch((error: unknown) => error)
  expect(error).toMatchObject({ constraint: "a_once" })
})

test("a transaction happens whole or not at all", async () => {
  await using subject = await testClient()
  const { client } = subject
  await client.query("CREATE TABLE a (b bigint CHECK (b > 0))")
  const counted = async () => (await client.query<{ count: number }>("SELECT count(*) AS count FROM a"))[0]?.count

  const kept = await client.transaction(async ({ query, send }) => {
    send("INSERT INTO a VALUES (1)")
    const [row] = await query<{ count: number }>("SELECT count(*) AS count FROM a")
    send("INSERT INTO a VALUES ($1)", [2])
    return row?.count
  })
  expect(kept).toBe(1)
  expect(await counted()).toBe(2)

  const thrown = new Error("thought better of it")
  await expect(
    client.transaction(async ({ send }) => {
      send("INSERT INTO a VALUES (3)")
      throw thrown
    }),
  ).rejects.toBe(thrown)
  await expect(
    client.transaction(async ({ send }) => {
      send("INSERT INTO a VALUES (4)")
      send("INSERT INTO a VALUES (0)")
    }),
  ).rejects.toThrow("check constraint")
  expect(await counted()).toBe(2)
  expect(client.pool()).toMatchObject({ used: 0, waiting: 0 })
})

test("a transaction that hits a deadlock is repeated, and both transactions succeed", async () => {
  const logged: string[] = []
  await using subject = await testClient({ log: createLog((text) => logged.push(text)) })
  const { client } = subject
  await client.query("CREATE TABLE a (id bigint, b bigint)")
  await client.query("INSERT INTO a VALUES (1, 0), (2, 0)")
  const first = Promise.withResolvers<void>()
  const second = Promise.withResolvers<void>()
  let attempts = 0
  const addTo = (ids: readonly number[], own: () => void, other: Promise<void>) =>
    client.transaction(async ({ query }) => {
      attempts += 1
      await query("UPDATE a SET b = b + 1 WHERE id = $1", [ids[0] ?? 0])
      own()
      await other
      await query("UPDATE a SET b = b + 1 WHERE id = $1", [ids[1] ?? 0])
    })
  await Promise.all([addTo([1, 2], first.resolve, second.promise), addTo([2, 1], second.resolve, first.promise)])
  expect([3, 4]).toContain(attempts) // on a busy machine the server may end both
  expect([...(await client.query("SELECT b FROM a"))]).toEqual([{ b: 2 }, { b: 2 }])
  expect(logged).toEqual([])
})

test("if a statement that was sent without waiting fails, the work fails with its error", async () => {
  await using subject = await testClient()
  const work = subject.client.transaction(async ({ query, send }) => {
    send("SELECT 1 / $1::int", [0])
    await query("SELECT 1")
  })
  await expect(work).rejects.toThrow("division by zero")
})

test("statements still work after another version of the program has changed a table", async () => {
  await using subject = await testClient({ poolSize: 1 })
  const other = clientOf(subject)
  const { client } = subject
  const read = "SELECT * FROM a WHERE b > $1"
  await other.query("CREATE TABLE a (b bigint)")
  await other.query("INSERT INTO a VALUES (1)")
  await client.query(read, [0])

  await other.query("ALTER TABLE a ADD COLUMN c bigint DEFAULT 2")
  expect([...(await client.transaction(({ query }) => query(read, [0])))]).toEqual([{ b: 1, c: 2 }])
  await other.query("ALTER TABLE a ADD COLUMN d bigint DEFAULT 3")
  expect([...(await client.query(read, [0]))]).toEqual([{ b: 1, c: 2, d: 3 }])
  await other.close()
})

test("if all connections are in use, a caller waits for one", async () => {
  await using subject = await testClient({ poolSize: 2 })
  const { client } = subject
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, index) => client.query<{ n: number }>("SELECT $1::bigint AS n", [index])),
  )
  expect(results.map(([row]) => row?.n)).toEqual(Array.from({ length: 20 }, (_, index) => index))
  expect(client.pool()).toMatchObject({ size: 2, used: 0, waiting: 0 }) // one connection may have served all
})

test("while connections are refused, a statement fails temporarily; afterwards it works again", async () => {
  await using subject = await testClient()
  const { client, name } = subject
  await client.query("SELECT 1")
  await administer(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`)
  await administer(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`)

  // The first may still be under way on the ended connection.
  const failures = [
    await client.query("SELECT 1").catch((error: unknown) => error),
    await client.transaction(async ({ query }) => query("SELECT 1")).catch((error: unknown) => error),
  ]
  for (const error of failures) {
    expect(error).toBeInstanceOf(DomainError)
    expect(error).toMatchObject({ code: "unavailable", retryAfterSeconds: 5 })
  }

  await administer(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`)
  expect([...(await client.query("SELECT 1 AS one"))]).toEqual([{ one: 1 }])
})

test("a listener gets a notification from any connection", async () => {
  await using subject = await testClient()
  const { client } = subject
  const heard = Promise.withResolvers<string>()
  const listening = Promise.withResolvers<void>()
  const stop = client.listen("news", heard.resolve, listening.resolve)
  await listening.promise
  await client.query("SELECT pg_notify('news', '42')")
  expect(await heard.promise).toBe("42")
  await stop()
})
