import { expect, test } from "bun:test"
import type { PostOptions } from "../../../../src/domain/ledger/ports.ts"
import { createDatabase } from "../../../../src/storage/postgres/database/database.ts"
import { createLedgerStore } from "../../../../src/storage/postgres/ledger/ledger.ts"
import { createUserStore } from "../../../../src/storage/postgres/people/users.ts"
import { clientOf, migratedDatabase } from "../../../support/postgres.ts"
import { until } from "../../../support/until.ts"
import { allow, person, threePeople } from "../../contract/people.ts"
import { untilWaiting } from "../support.ts"

const transfer = { kind: "transfer", senderId: 1, receiverId: 2, value: 5, date: 1000 } as const
const idempotencyKey = { key: "a key", requestHash: "a hash", expiresAt: 2000 }

/** A ledger that nobody else appends to. Each batch stops before its transactions and before its balances. */
async function slowLedger() {
  const database = await migratedDatabase()
  const client = clientOf(database, { patienceMs: 60_000 })
  const users = createUserStore(client, createDatabase(client))
  await threePeople({ users })
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

  async function locked(statement: string) {
    const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const holding = client.transaction(
      async ({ query }) => {
        await query(statement)
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
  }

  return {
    client,
    ledger,
    users,
    post,
    checks: () => checks,
    /** Stops batches before they write this table, until the returned function is called. */
    holdUp: (table: "transactions" | "balances") => locked(`SELECT pg_advisory_xact_lock(hashtext('${table}'))`),
    /** Stops batches that read a key, in the same way. */
    holdUpKeys: () => locked("LOCK TABLE idempotency_keys IN ACCESS EXCLUSIVE MODE"),
    /** Resolves with the number of the server process that waits for the keys. */
    waitingForKeys: async (): Promise<number> => (await untilWaiting(client, 1, "idempotency_keys"))[0] ?? 0,
    balanceOf: (id: number) => users.balanceOf(id),
    async [Symbol.asyncDispose]() {
      await ledger.drained()
      await client.close()
      await database[Symbol.asyncDispose]()
    },
  }
}

test("waiting transfers are decided while the batch before them is written", async () => {
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

test("transfers decided after a batch that then fails are decided again", async () => {
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

test("notes, audit entries, limits and deactivations of transfers decided ahead are stored", async () => {
  await using subject = await slowLedger()
  const { client, ledger, users, post } = subject
  await ledger.post({ ...transfer, receiverId: 3 }, allow)
  const dora = await users.create(person("Dora"))
  const audit = {
    at: 1000,
    action: "points_granted",
    who: "ana",
    whom: "bruno",
    way: "http",
    address: null,
    count: 1,
    detail: null,
    before: null,
    after: null,
  } as const
  const note = { reason: "thanks", tags: [], isPrivate: false }
  const releaseBalances = await subject.holdUp("balances")
  const first = post()
  await until(() => subject.checks() === 1)

  const rich = ledger.post({ ...transfer, date: 500, note }, allow, { audit, limit: { max: 1, windowMs: 60_000 } })
  const limited = post({ limit: { max: 1, windowMs: 60_000 } }).catch((error: unknown) => error)
  const left = ledger.postLast({ ...transfer, kind: "refund", senderId: 3, receiverId: 1 }, allow, audit)
  const tooLate = ledger.post({ ...transfer, receiverId: 3 }, allow).catch((error: unknown) => error)
  const plain = Array.from({ length: 36 }, () => post())
  const toNewcomer = Array.from({ length: 2 }, () => ledger.post({ ...transfer, receiverId: dora.id }, allow))
  await until(() => subject.checks() === 1 + 36)
  expect(Bun.peek.status(first)).toBe("pending")
  await releaseBalances()

  expect(await rich).toMatchObject({ id: 5, date: 1000, note })
  expect(await limited).toMatchObject({ code: "too_many_transfers" })
  expect(await left).toMatchObject({ id: 6 })
  expect(await tooLate).toMatchObject({ code: "user_not_found" })
  expect((await Promise.all([...plain, ...toNewcomer])).map(({ id }) => id)).toEqual(
    Array.from({ length: 38 }, (_, index) => index + 7),
  )
  expect(await ledger.post({ ...transfer, receiverId: dora.id }, allow)).toMatchObject({ id: 45 })
  expect([
    ...(await client.query(`SELECT (SELECT count(*) FROM notes) AS notes, (SELECT sum(count)::bigint FROM audit) AS audits,
      (SELECT requests FROM balances WHERE user_id = 1) AS requests,
      (SELECT deactivated_at FROM users WHERE id = 3) AS "leftAt"`)),
  ]).toEqual([{ notes: 1, audits: 2, requests: 1, leftAt: 1000 }])
  expect(await Promise.all([1, 2, 3, dora.id].map(subject.balanceOf))).toEqual([-5 * 43, 5 * 40, 0, 15])
})

test("transfers after a batch that was refused as a whole are decided independently", async () => {
  await using subject = await slowLedger()
  const { ledger, post } = subject
  const [releaseBalances, releaseKeys] = [await subject.holdUp("balances"), await subject.holdUpKeys()]
  const first = post()
  await until(() => subject.checks() === 1)
  let decided = 0
  const refuse = () => {
    decided += 1
    throw new Error("not covered")
  }
  const refused = [
    ...Array.from({ length: 40 }, () => ledger.post(transfer, refuse)),
    ledger.post({ ...transfer, kind: "reversal", senderId: 2, receiverId: 1, reverses: 1 }, (_, movedBack) => {
      throw new Error(`not covered, with ${movedBack} moved back`)
    }),
    ledger.post(transfer, refuse, { idempotencyKey }),
  ].map((one) => one.catch((error: unknown) => error))
  await until(() => decided === 40)
  await releaseBalances()
  await subject.waitingForKeys()
  const others = Array.from({ length: 40 }, () => post())
  await releaseKeys()

  expect(await first).toMatchObject({ id: 3 })
  expect((await Promise.all(refused)).map(String)).toEqual([
    ...Array.from({ length: 40 }, () => "Error: not covered"),
    "Error: not covered, with 0 moved back",
    "Error: not covered",
  ])
  expect((await Promise.all(others)).map(({ id }) => id)).toEqual(Array.from({ length: 40 }, (_, index) => index + 4))
})

test("transfers decided ahead on a connection that breaks leave no trace", async () => {
  await using subject = await slowLedger()
  const { client, post } = subject
  const [releaseBalances, releaseKeys] = [await subject.holdUp("balances"), await subject.holdUpKeys()]
  const first = post()
  await until(() => subject.checks() === 1)
  const lost = [...Array.from({ length: 40 }, () => post()), post({ idempotencyKey })].map((one) =>
    one.catch((error: unknown) => error),
  )
  await until(() => subject.checks() === 1 + 40)
  await releaseBalances()
  const pid = await subject.waitingForKeys()
  const next = post()
  await client.query("SELECT pg_terminate_backend($1)", [pid])
  await releaseKeys()

  expect(await first).toMatchObject({ id: 3 })
  for (const one of lost) expect(await one).toMatchObject({ code: "unavailable" })
  expect(await next).toMatchObject({ id: 4 })
  expect(await Promise.all([1, 2].map(subject.balanceOf))).toEqual([-5 * 4, 5 * 4])
})
