import { auditEntry } from "../../src/domain/audit/audit-log.ts"
import type { Store } from "../../src/domain/store.ts"
import { allow, threePeople } from "./contract/people.ts"

/**
 * Writes Ana (1), Bruno (2) and Carla (3), one transaction with a note from Ana to Bruno, and an entry of the audit
 * log.
 */
export async function writeRows(store: Pick<Store, "users" | "ledger" | "audit">) {
  const { ana, bruno } = await threePeople(store)
  const note = { reason: "Thanks", tags: ["help"], isPrivate: true }
  await store.ledger.post({ kind: "transfer", senderId: ana.id, receiverId: bruno.id, value: 5, date: 1, note }, allow)
  await store.audit.append([auditEntry({ who: "ana", way: "http", address: null }, 1, "login")])
}

/** The differences between the SQL of the stores. */
interface Dialect {
  /** This number of zero bytes. */
  readonly bytes: (count: number) => string
  readonly lineFeed: string
  /** Columns of `transactions` that only this store has, and a value for them. */
  readonly ownColumns?: readonly [columns: string, values: string]
}

/** Beginnings of statements. */
export function beginningsIn({ bytes, ownColumns: [columns, values] = ["", ""] }: Dialect) {
  const fields = `${columns}kind, hash, id, user_id, from_id, value, date`
  return {
    transaction: `INSERT INTO transactions (${fields}) SELECT ${values}'transfer', ${bytes(32)},`,
    reversal: `INSERT INTO transactions (${fields}, reverses) SELECT ${values}'reversal', ${bytes(32)},`,
    grouped: `INSERT INTO transactions (${fields}, group_id) SELECT ${values}'transfer', ${bytes(32)},`,
    added: `INSERT INTO transactions (${fields}, adds_to) SELECT ${values}'transfer', ${bytes(32)},`,
    note: "INSERT INTO notes (transaction_id, salt, reason, tags, private) VALUES",
    audit: "INSERT INTO audit (id, at, action, way, count) VALUES",
    job: "INSERT INTO jobs (kind, payload, state, max_attempts, retry_until, run_at, created_at",
  }
}

/**
 * Writes that every database itself refuses, whoever makes them: the name of the case, the statement, and the reason.
 */
export function refusalsIn(dialect: Dialect) {
  const { bytes, lineFeed } = dialect
  const { transaction, reversal, grouped, added, note, audit, job } = beginningsIn(dialect)
  const device = "INSERT INTO push_devices (user_id, endpoint, p256dh, auth, name, created_at) VALUES"
  const reward = "INSERT INTO rewards (name, cost, stock, limit_per_person, active) VALUES"
  const redemption =
    "INSERT INTO redemptions (reward_id, user_id, reward_name, id, state, answered_at) VALUES (1, 1, 'Mug',"
  const allowance = (
    period: string,
    dueDay: string,
    time = "09:00",
    audience = '{"everyone":true}',
    starts = "2026-01-01",
  ) =>
    `INSERT INTO allowances (name, value, mode, catch_up, active, due_from, period, due_day, due_time, audience, starts_on)
     VALUES ('Monthly', 1, 'reset', 'none', 1, 0, '${period}', ${dueDay}, '${time}', '${audience}', '${starts}')`
  const key = `INSERT INTO idempotency_keys
    (user_id, key, request_hash, expires_at, transaction_id, transaction_count, balance, made) VALUES (1, 'k', 'h', 1,`
  const reference = "INSERT INTO transaction_references VALUES"
  return [
    ["a birthday that is no day of the year", "UPDATE users SET birthday = '02-30'", "CHECK"],
    ["a birthday with a year", "UPDATE users SET birthday = '2000-05-14'", "CHECK"],
    ["a first day in another form", "UPDATE users SET joined = '14.5.2026'", "CHECK"],
    ["a choice of another kind", "UPDATE users SET celebrates = 2", "CHECK"],
    ["an update of a transaction", "UPDATE transactions SET value = 6", "TRIGGER"],
    ["an update that changes nothing", "UPDATE transactions SET value = value", "TRIGGER"],
    ["a delete of a transaction", "DELETE FROM transactions WHERE id = 1", "TRIGGER"],
    ["a delete of all transactions", "DELETE FROM transactions", "TRIGGER"],
    ["a transaction before the last one", `${transaction} -7, 2, 1, 99, 1`, "TRIGGER"],
    ["a value of zero", `${transaction} 2, 2, 1, 0, 1`, "CHECK"],
    ["a negative value", `${transaction} 2, 2, 1, -1, 1`, "CHECK"],
    ["a value beyond 2^53−1", `${transaction} 2, 2, 1, 9007199254740992, 1`, "CHECK"],
    ["a value as text", `${transaction} 2, 2, 1, 'five', 1`, "DATATYPE"],
    ["a value that is missing", `${transaction} 2, 2, 1, NULL, 1`, "NOTNULL"],
    ["a hash of another length", `${transaction.replace(bytes(32), bytes(31))} 2, 2, 1, 1, 1`, "CHECK"],
    ["an unknown kind", `${transaction.replace("transfer", "gift")} 2, 2, 1, 1, 1`, "CHECK"],
    ["a reversal of nothing", `${reversal} 2, 2, 1, 1, 1, NULL`, "CHECK"],
    ["a reversal of itself", `${reversal} 2, 2, 1, 1, 1, 2`, "CHECK"],
    ["a group that begins later", `${grouped} 2, 2, 1, 1, 1, 3`, "CHECK"],
    ["a group that begins with nothing", `${grouped} 2, 2, 1, 1, 1, 0`, "FOREIGNKEY"],
    ["a grant in a group", `${grouped.replace("transfer", "grant")} 2, 2, 1, 1, 1, 2`, "CHECK"],
    ["a transfer to oneself in a group", `${grouped} 2, 1, 1, 1, 1, 2`, "CHECK"],
    ["a reversal of what does not exist", `${reversal} 2, 2, 1, 1, 1, -1`, "FOREIGNKEY"],
    ["a grant that adds points", `${added.replace("transfer", "grant")} 2, 2, 1, 1, 1, 1`, "CHECK"],
    ["a transfer that adds points to itself", `${added} 2, 2, 1, 1, 1, 2`, "CHECK"],
    ["points that somebody adds for oneself", `${added} 2, 1, 1, 1, 1, 1`, "CHECK"],
    ["a transfer that reverses", `${reversal.replace("'reversal'", "'transfer'")} 2, 2, 1, 1, 1, 1`, "CHECK"],
    ["a receiver who does not exist", `${transaction} 2, 99, 1, 1, 1`, "FOREIGNKEY"],
    ["a sender who does not exist", `${transaction} 2, 1, 99, 1, 1`, "FOREIGNKEY"],
    ["a balance beyond 2^53−1", "UPDATE balances SET value = 9007199254740992", "CHECK"],
    ["a balance beyond −(2^53−1)", "UPDATE balances SET value = -9007199254740992", "CHECK"],
    [
      "a balance of nobody",
      "INSERT INTO balances (user_id, value, received_count, sent_count) VALUES (99, 0, 0, 0)",
      "FOREIGNKEY",
    ],
    ["an allowance at a time that is none", allowance("month", "'1'", "09.00"), "CHECK"],
    ["an allowance at an hour that no day has", allowance("month", "'1'", "24:00"), "CHECK"],
    ["a monthly allowance on no day", allowance("month", "NULL"), "CHECK"],
    ["a monthly allowance on a day that some months lack", allowance("month", "'29'"), "CHECK"],
    ["a weekly allowance on an eighth day", allowance("week", "'8'"), "CHECK"],
    ["a daily allowance on one day", allowance("day", "'1'"), "CHECK"],
    ["an allowance for nobody", allowance("month", "'1'", "09:00", "{}"), "CHECK"],
    [
      "an allowance for people named in the wrong place",
      allowance("month", "'1'", "09:00", '{"userIds":[1]}'),
      "CHECK",
    ],
    [
      "an allowance from a day that is none",
      allowance("month", "'1'", "09:00", '{"named":true}', "2026-13-01"),
      "CHECK",
    ],
    ["a named person who does not exist", "INSERT INTO allowance_members VALUES (99, 1)", "FOREIGNKEY"],
    ["more earned points than the balance", "UPDATE balances SET earned = value + 1", "CHECK"],
    ["fewer earned points than none", "UPDATE balances SET earned = -1", "CHECK"],
    ["a counter below zero", "UPDATE balances SET sent_count = -1", "CHECK"],
    ["a last id that is not the count", "UPDATE ledger_state SET last_id = last_id + 1", "CHECK"],
    ["the deletion of a user", "DELETE FROM users WHERE id = 3", "TRIGGER"],
    ["another id of the ledger's state, of which there is one", "UPDATE ledger_state SET id = 2", "CHECK"],
    ["a password that is no hash", "UPDATE users SET password = 'secret' WHERE id = 1", "CHECK"],
    ["a user without a name", "UPDATE users SET name = '' WHERE id = 1", "CHECK"],
    ["a user who is their own manager", "UPDATE users SET manager_id = id WHERE id = 1", "CHECK"],
    ["a taken username", "UPDATE users SET username = 'ana' WHERE id = 2", "UNIQUE"],
    ["a taken address", "UPDATE users SET email_key = 'ana@example.com' WHERE id = 2", "UNIQUE"],
    ["an update of an audit entry", "UPDATE audit SET who = 'carla'", "TRIGGER"],
    ["values for an audit entry", "UPDATE audit SET whom = 'erased-1', before_values = '{}'", "TRIGGER"],
    ["other values for an audit entry", "UPDATE audit SET whom = 'erased-1', after_values = '{}'", "TRIGGER"],
    ["an audit entry that another minute joins", "UPDATE audit SET count = count + 1, at = at + 60000", "TRIGGER"],
    ["an audit entry that an earlier one joins", "UPDATE audit SET count = count + 1, at = at - 1", "TRIGGER"],
    ["an audit entry that another one joins", "UPDATE audit SET count = count + 1, detail = 'other'", "TRIGGER"],
    ["an audit entry that somebody else's joins", "UPDATE audit SET count = count + 1, who = 'carla'", "TRIGGER"],
    ["an audit entry that is written once more", "UPDATE audit SET count = count", "TRIGGER"],
    ["a delete of an audit entry", "DELETE FROM audit", "TRIGGER"],
    ["the deletion of what the audit keeps", "DELETE FROM audit_retention", "TRIGGER"],
    ["an audit entry of an unknown way in", `${audit} (9, 1, 'login', 'window', 1)`, "CHECK"],
    ["an audit entry of nothing", `${audit} (9, 1, '', 'http', 1)`, "CHECK"],
    ["an update of a note", "UPDATE notes SET reason = 'No'", "TRIGGER"],
    ["a delete of a note", "DELETE FROM notes", "TRIGGER"],
    ["a note to no transaction", `${note} (2, ${bytes(16)}, 'Thanks', '', 0)`, "FOREIGNKEY"],
    ["a note that says nothing", `${note} (2, ${bytes(16)}, '', '', 0)`, "CHECK"],
    ["a note with nothing private", `${note} (2, ${bytes(16)}, '', 'help', 1)`, "CHECK"],
    ["a note with a short salt", `${note} (2, ${bytes(15)}, 'Thanks', '', 0)`, "CHECK"],
    ["tags on several lines", `${note} (2, ${bytes(16)}, '', 'a' || ${lineFeed} || 'b', 0)`, "CHECK"],
    ["a stock below zero", `${reward} ('Mug', 1, -1, NULL, 1)`, "CHECK"],
    ["a reward for nothing", `${reward} ('Mug', 0, NULL, NULL, 1)`, "CHECK"],
    ["an empty emoji", "INSERT INTO rewards (name, cost, active, emoji) VALUES ('Mug', 1, 1, '')", "CHECK"],
    ["a limit of zero", `${reward} ('Mug', 1, NULL, 0, 1)`, "CHECK"],
    [
      "a reward worth less than nothing",
      "INSERT INTO rewards (name, cost, active, money_value) VALUES ('Mug', 1, 1, -1)",
      "CHECK",
    ],
    [
      "a reward that is neither taxable nor not",
      "INSERT INTO rewards (name, cost, active, taxable) VALUES ('Mug', 1, 1, 2)",
      "CHECK",
    ],
    ["a redemption of no transaction", `${redemption} 99, 'requested', NULL)`, "FOREIGNKEY"],
    ["an answer without its time", `${redemption} 1, 'fulfilled', NULL)`, "CHECK"],
    ["a declined redemption without its refund", `${redemption} 1, 'declined', 5)`, "CHECK"],
    ["an unknown state of a job", `${job}) VALUES ('mail', '{}', 'lost', 1, 1, 1, 1)`, "CHECK"],
    ["a running job without a worker", `${job}) VALUES ('mail', '{}', 'running', 1, 1, 1, 1)`, "CHECK"],
    ["a finished job without its time", `${job}) VALUES ('mail', '{}', 'completed', 1, 1, 1, 1)`, "CHECK"],
    ["a waiting job with a finish", `${job}, finished_at) VALUES ('mail', '{}', 'available', 1, 1, 1, 1, 1)`, "CHECK"],
    ["a lock without an end", `${job}, locked_by) VALUES ('mail', '{}', 'running', 1, 1, 1, 1, 'w1')`, "CHECK"],
    ["a second key for push services", "INSERT INTO push_keys VALUES (2, 'k', 'k')", "CHECK"],
    ["a device without a name", `${device} (1, 'https://push.example.com/1', 'k', 'a', '', 1)`, "CHECK"],
    [
      "a device of no session",
      `INSERT INTO push_devices (user_id, endpoint, p256dh, auth, name, created_at, session_hash)
        VALUES (1, 'https://push.example.com/1', 'k', 'a', 'Phone', 1, 'none')`,
      "FOREIGNKEY",
    ],
    ["a device of nobody", `${device} (99, 'https://push.example.com/1', 'k', 'a', 'Phone', 1)`, "FOREIGNKEY"],
    ["a second programme", "INSERT INTO programme VALUES (2, '{}')", "CHECK"],
    ["a reference without a name", `${reference} (1, '', 'h', 1, 1, 0)`, "CHECK"],
    ["a reference of no transactions", `${reference} (1, 'r', 'h', 1, 0, 0)`, "CHECK"],
    ["a reference of a transaction that does not exist", `${reference} (1, 'r', 'h', 99, 1, 0)`, "FOREIGNKEY"],
    ["a reference of nobody", `${reference} (99, 'r', 'h', 1, 1, 0)`, "FOREIGNKEY"],
    ["a key of nothing", `${key} NULL, NULL, NULL, NULL)`, "CHECK"],
    ["a key of a transaction and of something else", `${key} 1, 1, 0, 'sealed')`, "CHECK"],
    ["a key of a transaction without the balance", `${key} 1, 1, NULL, NULL)`, "CHECK"],
  ] as const
}
