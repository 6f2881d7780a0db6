import { Database } from "bun:sqlite"
import { createClient } from "../support/client.ts"
import { bearer, type Member } from "./company.ts"

/** A transaction in the file. */
export interface Row {
  readonly id: number
  readonly receiver: string
  readonly sender: string
  readonly value: number
}

export interface Ledger {
  readonly transactions: readonly Row[]
  /** By username. */
  readonly balances: Readonly<Record<string, number>>
  /** Contradictions within the file. */
  readonly faults: readonly string[]
}

/** Queries that must return nothing: each row is a fault. */
const contradictions = {
  "a balance is not received minus sent": `
    SELECT u.username, coalesce(b.value, 0) AS kept, coalesce(r.points, 0) - coalesce(s.points, 0) AS summed
    FROM users u LEFT JOIN balances b ON b.user_id = u.id
    LEFT JOIN (SELECT user_id, sum(value) AS points FROM transactions GROUP BY user_id) r ON r.user_id = u.id
    LEFT JOIN (SELECT from_id, sum(value) AS points FROM transactions GROUP BY from_id) s ON s.from_id = u.id
    WHERE kept <> summed`,
  "balances do not add up to zero": "SELECT sum(value) AS sum FROM balances HAVING sum <> 0",
  "a regular user is below zero": `
    SELECT username, value FROM balances JOIN users ON users.id = user_id WHERE dept <> 'management' AND value < 0`,
  "a count of transactions is wrong": `
    SELECT * FROM balances b
    LEFT JOIN (SELECT user_id AS id, count(*) AS n FROM transactions WHERE user_id <> from_id GROUP BY 1) r ON r.id = b.user_id
    LEFT JOIN (SELECT from_id AS id, count(*) AS n FROM transactions WHERE user_id <> from_id GROUP BY 1) s ON s.id = b.user_id
    LEFT JOIN (SELECT from_id AS id, count(*) AS n FROM transactions WHERE user_id = from_id GROUP BY 1) o ON o.id = b.user_id
    WHERE received_count <> coalesce(r.n, 0) OR sent_count <> coalesce(s.n, 0) OR self_count <> coalesce(o.n, 0)`,
  "a count of a pair is wrong": `
    SELECT * FROM pairs FULL JOIN (SELECT from_id, user_id, count(*) AS n FROM transactions GROUP BY from_id, user_id)
      USING (from_id, user_id) WHERE count IS NOT n`,
  "the state of the ledger is wrong": `
    SELECT transaction_count, last_id, last_date FROM ledger_state
    WHERE transaction_count <> (SELECT count(*) FROM transactions)
       OR last_id <> (SELECT coalesce(max(id), 0) FROM transactions)
       OR last_date <> (SELECT coalesce(max(date), 0) FROM transactions)`,
  "ids have a gap": "SELECT max(id) AS last, count(*) AS counted FROM transactions HAVING last <> counted",
  "dates go backwards":
    "SELECT id FROM (SELECT id, date < lag(date) OVER (ORDER BY id) AS back FROM transactions) WHERE back",
  "the file is damaged": "SELECT * FROM pragma_integrity_check WHERE integrity_check <> 'ok'",
  "a foreign key leads nowhere": "SELECT * FROM pragma_foreign_key_check",
}

/** Reads the file, which others may have open, and checks that it is consistent. */
export function readLedger(path: string): Ledger {
  const client = new Database(path, { readonly: true })
  try {
    return client.transaction(() => ({
      transactions: client
        .query<Row, []>(
          `SELECT t.id, r.username AS receiver, s.username AS sender, t.value FROM transactions t
           JOIN users r ON r.id = t.user_id JOIN users s ON s.id = t.from_id ORDER BY t.id`,
        )
        .all(),
      balances: Object.fromEntries(
        client
          .query<{ username: string; balance: number }, []>(
            "SELECT username, coalesce(value, 0) AS balance FROM users LEFT JOIN balances ON user_id = users.id",
          )
          .all()
          .map(({ username, balance }) => [username, balance]),
      ),
      faults: Object.entries(contradictions).flatMap(([fault, sql]) =>
        client
          .query(sql)
          .all()
          .map((row) => `${fault}: ${JSON.stringify(row)}`),
      ),
    }))()
  } finally {
    client.close()
  }
}

interface Listed {
  readonly items: readonly { id: number; value: number; user: string; from_user: string }[]
  readonly total: number
}

/** The ledger as the server returns it to `admin`. */
export async function readLedgerThrough(url: string, admin: Member): Promise<Omit<Ledger, "faults">> {
  const client = createClient(url, bearer(admin))
  const users = await client.get<readonly { username: string; balance: number }[]>("/user/?show_balance=true")
  const transactions: Row[] = []
  for (let page = 1, total = 1; transactions.length < total; page += 1) {
    const { body } = await client.get<Listed>(`/transaction/?page=${page}&size=100`)
    if (body.items.length === 0) break
    total = body.total
    for (const { id, value, user, from_user } of body.items)
      transactions.push({ id, receiver: user, sender: from_user, value })
  }
  return { transactions, balances: Object.fromEntries(users.body.map(({ username, balance }) => [username, balance])) }
}
