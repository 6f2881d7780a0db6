import { afterAll, expect, test } from "bun:test"
import { parseDatabaseUrl } from "../../../../src/config/database-url.ts"
import { auditEntry } from "../../../../src/domain/audit-log.ts"
import type { Queries } from "../../../../src/storage/postgres/database/client.ts"
import { sqlStateOf } from "../../../../src/storage/postgres/database/errors.ts"
import { openStore } from "../../../../src/storage/postgres/store.ts"
import { clientOf, testDatabase } from "../../../support/postgres.ts"
import { allow, threePeople } from "../../contract/people.ts"
import { silent } from "../../files.ts"

/** With Ana (1), Bruno (2) and Carla (3), and one transaction with a note from Ana to Bruno; reached as any program would. */
const database = await testDatabase()
const client = clientOf(database)
await fill(database.url)
afterAll(async () => {
  await client.close()
  await database[Symbol.asyncDispose]()
})

async function fill(text: string) {
  const url = parseDatabaseUrl(text)
  if (url === undefined) throw new Error("the test's URL is not valid")
  const store = await openStore({ url, poolSize: 2, log: silent })
  const { ana, bruno } = await threePeople(store)
  const note = { reason: "Thanks", tags: ["help"], isPrivate: true }
  await store.ledger.post({ kind: "transfer", senderId: ana.id, receiverId: bruno.id, value: 5, date: 1, note }, allow)
  await store.audit.append([auditEntry({ who: "ana", way: "http", address: null }, 1, "login")])
  await store.close()
}

/** SQLSTATE by name. */
const states = {
  TRIGGER: "23001",
  NOTNULL: "23502",
  FOREIGNKEY: "23503",
  UNIQUE: "23505",
  CHECK: "23514",
  DATATYPE: "22P02",
} as const

const columns = "kind, hash, id, user_id, from_id, value, date"
const hash = "decode(repeat('00', 32), 'hex')"
const insert = `INSERT INTO transactions (${columns}) SELECT 'transfer', ${hash},`
const reversal = `INSERT INTO transactions (${columns}, reverses) SELECT 'reversal', ${hash},`
const note = "INSERT INTO notes (transaction_id, salt, reason, tags, private) SELECT"
const salt = "decode(repeat('00', 16), 'hex')"
const audit = "INSERT INTO audit (id, at, action, way, count) VALUES"
const job = "INSERT INTO jobs (kind, payload, state, max_attempts, retry_until, run_at, created_at"

test.each([
  ["an update of a transaction", "UPDATE transactions SET value = 6", "TRIGGER"],
  ["an update that changes nothing", "UPDATE transactions SET value = value", "TRIGGER"],
  ["a delete of a transaction", "DELETE FROM transactions WHERE id = 1", "TRIGGER"],
  ["a delete of all at once", "TRUNCATE transactions CASCADE", "TRIGGER"],
  ["an upsert", `${insert} 2, 2, 1, 9, 1 ON CONFLICT (id) DO UPDATE SET value = 99`, "TRIGGER"],
  ["a transaction before the last one", `${insert} -7, 2, 1, 99, 1`, "TRIGGER"],
  ["a gap in the ids", `${insert} 3, 2, 1, 99, 1`, "TRIGGER"],
  ["a gap within a batch", `${insert} id, 2, 1, 99, 1 FROM (VALUES (2), (4)) AS batch (id)`, "TRIGGER"],
  ["a value of zero", `${insert} 2, 2, 1, 0, 1`, "CHECK"],
  ["a value beyond 2^53−1", `${insert} 2, 2, 1, 9007199254740992, 1`, "CHECK"],
  ["a value as text", `${insert} 2, 2, 1, 'five', 1`, "DATATYPE"],
  ["a value that is missing", `${insert} 2, 2, 1, NULL, 1`, "NOTNULL"],
  ["a hash of another length", `${insert.replace("32", "31")} 2, 2, 1, 1, 1`, "CHECK"],
  ["an unknown kind", `${insert.replace("transfer", "gift")} 2, 2, 1, 1, 1`, "CHECK"],
  ["a reversal of nothing", `${reversal} 2, 2, 1, 1, 1, NULL`, "CHECK"],
  ["a reversal of itself", `${reversal} 2, 2, 1, 1, 1, 2`, "CHECK"],
  ["a reversal of what does not exist", `${reversal} 2, 2, 1, 1, 1, -1`, "FOREIGNKEY"],
  ["a transfer that reverses", `${reversal.replace("'reversal'", "'transfer'")} 2, 2, 1, 1, 1, 1`, "CHECK"],
  ["a receiver who does not exist", `${insert} 2, 99, 1, 1, 1`, "FOREIGNKEY"],
  ["a sender who does not exist", `${insert} 2, 1, 99, 1, 1`, "FOREIGNKEY"],
  ["the deletion of a user", "DELETE FROM users WHERE id = 3", "TRIGGER"],
  ["a balance beyond 2^53−1", "UPDATE balances SET value = 9007199254740992", "CHECK"],
  ["a balance beyond −(2^53−1)", "UPDATE balances SET value = -9007199254740992", "CHECK"],
  [
    "a balance of nobody",
    "INSERT INTO balances (user_id, value, received_count, sent_count) VALUES (99, 0, 0, 0)",
    "FOREIGNKEY",
  ],
  ["a counter below zero", "UPDATE balances SET sent_count = -1", "CHECK"],
  ["a second row of the ledger's state", `INSERT INTO ledger_state SELECT 2, 0, 0, 0, ${hash}`, "CHECK"],
  ["a password that is no hash", "UPDATE users SET password = 'secret' WHERE id = 1", "CHECK"],
  ["a user without a name", "UPDATE users SET name = '' WHERE id = 1", "CHECK"],
  ["a taken username", "UPDATE users SET username = 'ana' WHERE id = 2", "UNIQUE"],
  ["a taken address", "UPDATE users SET email_key = 'ana@example.com' WHERE id = 2", "UNIQUE"],
  ["an update of an audit entry", "UPDATE audit SET who = 'carla'", "TRIGGER"],
  ["a delete of an audit entry", "DELETE FROM audit", "TRIGGER"],
  ["a delete of all audit entries at once", "TRUNCATE audit", "TRIGGER"],
  ["the deletion of what the audit keeps", "DELETE FROM audit_retention", "TRIGGER"],
  ["an audit entry of an unknown way in", `${audit} (9, 1, 'login', 'window', 1)`, "CHECK"],
  ["an audit entry of nothing", `${audit} (9, 1, '', 'http', 1)`, "CHECK"],
  ["an update of a note", "UPDATE notes SET reason = 'No'", "TRIGGER"],
  ["a delete of a note", "DELETE FROM notes", "TRIGGER"],
  ["a delete of all notes at once", "TRUNCATE notes", "TRIGGER"],
  ["a note to no transaction", `${note} 2, ${salt}, 'Thanks', '', 0`, "FOREIGNKEY"],
  ["a note that says nothing", `${note} 2, ${salt}, '', '', 0`, "CHECK"],
  ["a note with nothing private", `${note} 2, ${salt}, '', 'help', 1`, "CHECK"],
  ["a note with a short salt", `${note} 2, ''::bytea, 'Thanks', '', 0`, "CHECK"],
  ["tags on several lines", `${note} 2, ${salt}, '', 'a' || chr(10) || 'b', 0`, "CHECK"],
  ["an erasure for no transaction", "INSERT INTO erasures VALUES (2, 1)", "FOREIGNKEY"],
  ["a payload that is no JSON", `${job}) VALUES ('mail', '{', 'available', 1, 1, 1, 1)`, "DATATYPE"],
  ["an unknown state of a job", `${job}) VALUES ('mail', '{}', 'lost', 1, 1, 1, 1)`, "CHECK"],
  ["a running job without a worker", `${job}) VALUES ('mail', '{}', 'running', 1, 1, 1, 1)`, "CHECK"],
  ["a finished job without its time", `${job}) VALUES ('mail', '{}', 'completed', 1, 1, 1, 1)`, "CHECK"],
  ["a waiting job with a finish", `${job}, finished_at) VALUES ('mail', '{}', 'available', 1, 1, 1, 1, 1)`, "CHECK"],
  ["a lock without an end", `${job}, locked_by) VALUES ('mail', '{}', 'running', 1, 1, 1, 1, 'w1')`, "CHECK"],
] as const)("PostgreSQL itself refuses %s", async (_, sql, reason) => {
  const state = await client.query(sql).then(() => "nothing refused", sqlStateOf)
  expect(state).toBe(states[reason])
})

test("a batch reads the users that it names, and no others", async () => {
  const others = "email, email_key, username, username_key, password, name, dept, currency"
  const rolledBack = client.transaction(async ({ query }) => {
    await query(`INSERT INTO users (${others})
      SELECT n, n, n, n, repeat('x', 60), n, 'sales', 'USD' FROM (SELECT 'n' || generate_series(1, 1000)) AS added (n)`)
    // The plan is made for the first batch and stays for those that follow.
    await query(`${insert} id, 2, 1, 1, 1 FROM generate_series(2, 1001) AS batch (id)`)
    await query("UPDATE ledger_state SET last_id = 1001, transaction_count = 1001")
    const readBefore = await usersRead(query)
    await query(`${insert} 1002, 2, 1, 1, 1`)
    throw new Read((await usersRead(query)) - readBefore)
  })
  expect(await rolledBack.catch((error) => error)).toEqual(new Read(0))
})

/** How many rows of users were read in this transaction without an index. */
async function usersRead(query: Queries["query"]): Promise<number> {
  const [row] = await query<{ read: number }>(
    "SELECT seq_tup_read AS read FROM pg_stat_xact_user_tables WHERE relname = 'users'",
  )
  return row?.read ?? Number.NaN
}

class Read extends Error {
  constructor(rows: number) {
    super(`read ${rows} rows`)
  }
}

test("a note to an earlier transaction is refused, and a note goes with its erasure; neither comes back", async () => {
  const refused = async (sql: string) =>
    client.transaction(async ({ query }) => {
      await query("INSERT INTO erasures VALUES (1, 5)")
      expect([...(await query("SELECT FROM notes"))]).toEqual([])
      await query(sql)
    })
  for (const sql of [
    `${note} 1, ${salt}, 'Thanks', '', 0`,
    "UPDATE erasures SET erased_at = 6",
    "DELETE FROM erasures",
    "TRUNCATE erasures",
  ])
    expect(await refused(sql).then(() => "nothing refused", sqlStateOf)).toBe(states.TRIGGER)
})

test("the erasure of a note that never was is refused", async () => {
  const erased = client.transaction(async ({ query }) => {
    await query(`${insert} 2, 2, 1, 1, 1`)
    await query("INSERT INTO erasures VALUES (2, 1)")
  })
  expect(await erased.then(() => "nothing refused", sqlStateOf)).toBe(states.TRIGGER)
})

test("every text compares and sorts by its bytes, whatever the locale of the cluster", async () => {
  const [locale] = await client.query<{ sorted: string[] }>(
    "SELECT array_agg(word ORDER BY word) AS sorted FROM unnest(ARRAY['b', 'A', 'a']) AS word",
  )
  expect(locale?.sorted).toEqual(["a", "A", "b"])
  const texts = await client.query(
    `SELECT table_name, column_name FROM information_schema.columns
     WHERE table_schema = 'public' AND data_type IN ('text', 'character varying') AND collation_name IS DISTINCT FROM 'C'`,
  )
  expect([...texts]).toEqual([])
})
