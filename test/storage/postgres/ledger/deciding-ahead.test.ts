import { expect, test } from "bun:test"
import type { PostOptions } from "../../../../src/domain/store.ts"
import { createLedgerStore } from "../../../../src/storage/postgres/ledger/ledger.ts"
import { createUserStore } from "../../../../src/storage/postgres/people/users.ts"
import { clientOf, migratedDatabase } from "../../../support/postgres.ts"
import { until } from "../../../support/until.ts"
import { threePeople } from "../../contract/people.ts"

const transfer = { kind: "transfer", senderId: 1, receiverId: 2, value: 5, date: 1000 } as const
const idempotencyKey = { key: "a key", requestHash: "a hash", expiresAt: 2000 }

/** A ledger that nobody else appends to. Each batch stops before its transactions and before its balances. */
async function slowLedger() {
  const database = await migratedDatabase()
  const client = clientOf(database, { patienceMs: 60_000 })
  await threePeople({ users: createUserStore(client) })
  const ledger = createLedgerStore(client)
  let checks = 0
  const post = ({ value = 5, ...options }: PostOptions & { readonly value?: number } = {}) => {
    const check = () => {
      checks += 1
    }
    return ledger.post({ ...transfer, value }, check, options)
  }
  for (let warm = 0; warm < 2; warm += 1) await post()
  checks = 0
  await client.query(`CREATE FUNCTION stop() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN PERFORM pg_advisory_xact_lock(hashtext(TG_TABLE_NAME)); RETURN NULL; END'`)
  for (const [event, table] of [
    ["INSERT", "transactions"],
    ["UPDATE", "balances"],
  ])
    await client.query(`CREATE TRIGGER stop BEFORE ${event} ON ${table} EXECUTE FUNCTION stop()`)

  return {
    client,
    post,
    checks: () => checks,
    /** Stops batches before they write this table, until the returned function is called. */
    async holdUp(table: "transactions" | "balances") {
      const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const holding = client.transaction(
        async ({ query }) => {
          await query("SELECT pg_advisory_xact_lock(hashtext($1))", [table])
          held.resolve()
          await released.promise
        },
        { patienceMs: 60_000 },
      )
      await held.promise
      return async () => {
        released.resolve()
        await holding
      }
    },
    async [Symbol.asyncDispose]() {
      await ledger.drained()
      await client.close()
      await database[Symbol.asyncDispose]()
    },
  }
}

test("transfers that wait are decided while the batch before them is written", async () => {
  await using ledger = await slowLedger()
  const [releaseTransactions, releaseBalances] = [await ledger.holdUp("transactions"), await ledger.holdUp("balances")]
  const first = ledger.post()
  await until(() => ledger.checks() === 1)
  const waiting = Array.from({ length: 60 }, (_, index) => ledger.post(index === 40 ? { idempotencyKey } : {}))

  await releaseTransactions()
  await until(() => ledger.checks() > 1)

  expect(ledger.checks()).toBe(1 + 40) // whether the key was used before, only the database knows
  expect(Bun.peek.status(first)).toBe("pending")

  const more = ledger.post()
  await releaseBalances()
  expect((await Promise.all([first, ...waiting, more])).map(({ id }) => id)).toEqual(
    Array.from({ length: 62 }, (_, index) => index + 3),
  )
  expect(ledger.checks()).toBe(62)
  expect([
    ...(await ledger.client.query("SELECT value, received_count AS count FROM balances WHERE user_id = 2")),
  ]).toEqual([{ value: 5 * 64, count: 64 }])
})

test("transfers that were decided on a batch that then failed are decided again", async () => {
  await using ledger = await slowLedger()
  await ledger.client.query(
    "CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION $$unlucky$$; END'",
  )
  await ledger.client.query(`CREATE CONSTRAINT TRIGGER fail AFTER INSERT ON transactions DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (NEW.value = 13) EXECUTE FUNCTION fail()`)
  const [releaseTransactions, releaseBalances] = [await ledger.holdUp("transactions"), await ledger.holdUp("balances")]
  const failing = ledger.post({ value: 13 }).catch((error: unknown) => error)
  await until(() => ledger.checks() === 1)
  const waiting = Array.from({ length: 40 }, () => ledger.post())
  await releaseTransactions()
  await until(() => ledger.checks() === 1 + 40)

  await releaseBalances()

  expect(await failing).toMatchObject({ message: "unlucky" })
  expect((await Promise.all(waiting)).map(({ id }) => id)).toEqual(Array.from({ length: 40 }, (_, index) => index + 3))
  expect(ledger.checks()).toBe(1 + 40 + 40)
})
