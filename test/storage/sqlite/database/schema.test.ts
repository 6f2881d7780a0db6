import type { Database } from "bun:sqlite"
import { describe, expect, test } from "bun:test"
import { getTableConfig } from "drizzle-orm/sqlite-core"
import { auditEntry } from "../../../../src/domain/audit-log.ts"
import * as schema from "../../../../src/storage/sqlite/database/schema.ts"
import { openStore } from "../../../../src/storage/sqlite/store.ts"
import { allow, threePeople } from "../../contract/people.ts"
import { codeThrownBy, plainly, silent, testFolder } from "../../files.ts"

interface Column {
  readonly name: string
  readonly type: string
  readonly notnull: number
  readonly pk: number
}

/** With Ana (1), Bruno (2) and Carla (3), and one transaction with a note from Ana to Bruno; opened as any program would. */
async function withDatabase(act: (client: Database) => void) {
  await using folder = await testFolder()
  const store = await openStore({ path: folder.file("rewards.db"), log: silent })
  const { ana, bruno } = await threePeople(store)
  const note = { reason: "Thanks", tags: ["help"], isPrivate: true }
  await store.ledger.post({ kind: "transfer", senderId: ana.id, receiverId: bruno.id, value: 5, date: 1, note }, allow)
  await store.audit.append([auditEntry({ who: "ana", way: "http", address: null }, 1, "login")])
  await store.close()
  using client = plainly(folder.file("rewards.db"))
  client.run("PRAGMA foreign_keys = ON")
  act(client)
}

describe("the database itself, for every writer,", () => {
  const columns = "user_prev, from_prev, kind, hash, id, user_id, from_id, value, date"
  const insert = `INTO transactions (${columns}) SELECT 1, 1, 'transfer', zeroblob(32),`
  const reversal = `INTO transactions (${columns}, reverses) SELECT 1, 1, 'reversal', zeroblob(32),`
  const note = "INTO notes (transaction_id, salt, reason, tags, private) VALUES"
  const audit = "INTO audit (id, at, action, way, count) VALUES"
  const reward = "INTO rewards (name, cost, stock, limit_per_person, active) VALUES"
  const redemption = "INTO redemptions (reward_id, user_id, reward_name, id, state, answered_at) VALUES (1, 1, 'Mug',"
  const job = "INTO jobs (kind, payload, state, max_attempts, retry_until, run_at, created_at"

  for (const [what, sql, code] of [
    ["an update of a transaction", "UPDATE transactions SET value = 6", "TRIGGER"],
    ["an update that changes nothing", "UPDATE transactions SET value = value", "TRIGGER"],
    ["a delete of a transaction", "DELETE FROM transactions WHERE id = 1", "TRIGGER"],
    ["a delete of all transactions", "DELETE FROM transactions", "TRIGGER"],
    ["a transaction put in the place of another", `REPLACE ${insert} 1, 2, 1, 99, 1`, "TRIGGER"],
    ["the same by INSERT OR REPLACE", `INSERT OR REPLACE ${insert} 1, 3, 1, 99, 1`, "TRIGGER"],
    [
      "the same by an upsert",
      `INSERT ${insert} 1, 2, 1, 9, 1 WHERE true ON CONFLICT (id) DO UPDATE SET value = 99`,
      "TRIGGER",
    ],
    ["a transaction before the last one", `INSERT ${insert} -7, 2, 1, 99, 1`, "TRIGGER"],
    ["a value of zero", `INSERT ${insert} 2, 2, 1, 0, 1`, "CHECK"],
    ["a negative value", `INSERT ${insert} 2, 2, 1, -1, 1`, "CHECK"],
    ["a value beyond 2^53−1", `INSERT ${insert} 2, 2, 1, 9007199254740992, 1`, "CHECK"],
    ["a value with a fraction", `INSERT ${insert} 2, 2, 1, 1.5, 1`, "DATATYPE"],
    ["a value as text", `INSERT ${insert} 2, 2, 1, 'five', 1`, "DATATYPE"],
    ["a value that is missing", `INSERT ${insert} 2, 2, 1, NULL, 1`, "NOTNULL"],
    ["a hash of another length", `INSERT ${insert.replace("32", "31")} 2, 2, 1, 1, 1`, "CHECK"],
    ["an unknown kind", `INSERT ${insert.replace("transfer", "gift")} 2, 2, 1, 1, 1`, "CHECK"],
    ["a reversal of nothing", `INSERT ${reversal} 2, 2, 1, 1, 1, NULL`, "CHECK"],
    ["a reversal of itself", `INSERT ${reversal} 2, 2, 1, 1, 1, 2`, "CHECK"],
    ["a reversal of what does not exist", `INSERT ${reversal} 2, 2, 1, 1, 1, -1`, "FOREIGNKEY"],
    ["a transfer that reverses", `INSERT ${reversal.replace("'reversal'", "'transfer'")} 2, 2, 1, 1, 1, 1`, "CHECK"],
    ["a receiver who does not exist", `INSERT ${insert} 2, 99, 1, 1, 1`, "FOREIGNKEY"],
    ["a sender who does not exist", `INSERT ${insert} 2, 1, 99, 1, 1`, "FOREIGNKEY"],
    ["the deletion of a user with transactions", "DELETE FROM users WHERE id = 1", "FOREIGNKEY"],
    ["a balance beyond 2^53−1", "UPDATE balances SET value = 9007199254740992", "CHECK"],
    ["a balance beyond −(2^53−1)", "UPDATE balances SET value = -9007199254740992", "CHECK"],
    [
      "a balance of nobody",
      "INSERT INTO balances (user_id, value, received_count, sent_count) VALUES (99, 0, 0, 0)",
      "FOREIGNKEY",
    ],
    ["a counter below zero", "UPDATE balances SET sent_count = -1", "CHECK"],
    ["a second row of the ledger's state", "INSERT INTO ledger_state VALUES (2, 0, 0, 0, zeroblob(32))", "CHECK"],
    ["a password that is no hash", "UPDATE users SET password = 'secret' WHERE id = 1", "CHECK"],
    ["a user without a name", "UPDATE users SET name = '' WHERE id = 1", "CHECK"],
    ["a taken username", "UPDATE users SET username = 'ana' WHERE id = 2", "UNIQUE"],
    ["a taken address", "UPDATE users SET email_key = 'ana@example.com' WHERE id = 2", "UNIQUE"],
    ["an update of an audit entry", "UPDATE audit SET who = 'carla'", "TRIGGER"],
    ["a delete of an audit entry", "DELETE FROM audit", "TRIGGER"],
    ["an audit entry put in the place of another", `REPLACE ${audit} (1, 1, 'login', 'http', 1)`, "TRIGGER"],
    ["the same by an upsert", `INSERT ${audit} (1, 1, 'login', 'http', 1) ON CONFLICT (id) DO NOTHING`, "TRIGGER"],
    ["the deletion of what the audit keeps", "DELETE FROM audit_retention", "TRIGGER"],
    ["an audit entry of an unknown way in", `INSERT ${audit} (9, 1, 'login', 'window', 1)`, "CHECK"],
    ["an audit entry of nothing", `INSERT ${audit} (9, 1, '', 'http', 1)`, "CHECK"],
    ["an update of a note", "UPDATE notes SET reason = 'No'", "TRIGGER"],
    ["a delete of a note", "DELETE FROM notes", "TRIGGER"],
    ["a note to an earlier transaction", `INSERT ${note} (1, zeroblob(16), 'Thanks', '', 0)`, "TRIGGER"],
    ["a note put in the place of another", `REPLACE ${note} (1, zeroblob(16), 'No', '', 0)`, "TRIGGER"],
    ["a note to no transaction", `INSERT ${note} (2, zeroblob(16), 'Thanks', '', 0)`, "FOREIGNKEY"],
    ["a note that says nothing", `INSERT ${note} (2, zeroblob(16), '', '', 0)`, "CHECK"],
    ["a note with nothing private", `INSERT ${note} (2, zeroblob(16), '', 'help', 1)`, "CHECK"],
    ["a note with a short salt", `INSERT ${note} (2, zeroblob(15), 'Thanks', '', 0)`, "CHECK"],
    ["tags on several lines", `INSERT ${note} (2, zeroblob(16), '', 'a' || char(10) || 'b', 0)`, "CHECK"],
    ["the erasure of a note that never was", "INSERT INTO erasures VALUES (2, 1)", "TRIGGER"],
    ["a stock below zero", `INSERT ${reward} ('Mug', 1, -1, NULL, 1)`, "CHECK"],
    ["a reward for nothing", `INSERT ${reward} ('Mug', 0, NULL, NULL, 1)`, "CHECK"],
    ["a limit of zero", `INSERT ${reward} ('Mug', 1, NULL, 0, 1)`, "CHECK"],
    ["a redemption of no transaction", `INSERT ${redemption} 99, 'requested', NULL)`, "FOREIGNKEY"],
    ["an answer without its time", `INSERT ${redemption} 1, 'fulfilled', NULL)`, "CHECK"],
    ["a declined redemption without its refund", `INSERT ${redemption} 1, 'declined', 5)`, "CHECK"],
    ["a payload that is no JSON", `INSERT ${job}) VALUES ('mail', '{', 'available', 1, 1, 1, 1)`, "CHECK"],
    ["an unknown state of a job", `INSERT ${job}) VALUES ('mail', '{}', 'lost', 1, 1, 1, 1)`, "CHECK"],
    ["a running job without a worker", `INSERT ${job}) VALUES ('mail', '{}', 'running', 1, 1, 1, 1)`, "CHECK"],
    ["a finished job without its time", `INSERT ${job}) VALUES ('mail', '{}', 'completed', 1, 1, 1, 1)`, "CHECK"],
    [
      "a waiting job with a finish",
      `INSERT ${job}, finished_at) VALUES ('mail', '{}', 'available', 1, 1, 1, 1, 1)`,
      "CHECK",
    ],
    ["a lock without an end", `INSERT ${job}, locked_by) VALUES ('mail', '{}', 'running', 1, 1, 1, 1, 'w1')`, "CHECK"],
  ] as const)
    test(`refuses ${what}`, () =>
      withDatabase((client) => {
        const before = client.query("SELECT * FROM transactions").all()

        expect(codeThrownBy(() => client.run(sql))).toBe(`SQLITE_CONSTRAINT_${code}`)
        expect(client.query("SELECT * FROM transactions").all()).toEqual(before)
      }))

  test("lets a note go with its erasure; neither comes back", () =>
    withDatabase((client) => {
      client.run("INSERT INTO erasures VALUES (1, 5)")

      expect(client.query("SELECT * FROM notes").all()).toEqual([])
      for (const sql of [
        "INSERT INTO notes VALUES (1, zeroblob(16), 'Thanks', '', 0)",
        "REPLACE INTO erasures VALUES (1, 6)",
        "UPDATE erasures SET erased_at = 6",
        "DELETE FROM erasures",
      ])
        expect(codeThrownBy(() => client.run(sql))).toBe("SQLITE_CONSTRAINT_TRIGGER")
    }))

  test("keeps to the types of its columns in every table", () =>
    withDatabase((client) => {
      const lax = "SELECT name FROM pragma_table_list WHERE schema = 'main' AND NOT strict AND name NOT LIKE 'sqlite_%'"
      expect(client.query(lax).all()).toEqual([])
    }))
})

test("the tables of schema.ts have the columns, in order, that the migrations make", () =>
  withDatabase((client) => {
    const described = Object.values(schema).map((table) => {
      const { name, columns, primaryKeys } = getTableConfig(table)
      const keys = primaryKeys.flatMap((key) => key.columns.map((column) => column.name))
      return [
        name,
        columns.map((column) => ({
          name: column.name,
          type: column.getSQLType().toUpperCase(),
          isNotNull: column.notNull || column.primary,
          isKey: column.primary || keys.includes(column.name),
        })),
      ]
    })
    const made = Object.values(schema).map((table) => {
      const { name } = getTableConfig(table)
      const columns = client
        .query<Column, [string]>('SELECT name, type, "notnull", pk FROM pragma_table_info(?)')
        .all(name)
      return [
        name,
        columns.map(({ name, type, notnull, pk }) => ({
          name,
          type,
          isNotNull: notnull === 1 || pk > 0,
          isKey: pk > 0,
        })),
      ]
    })

    expect(described).toEqual(made)
  }))
