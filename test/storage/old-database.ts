import { Database } from "bun:sqlite"
import type { NewTransaction } from "../../src/domain/store.ts"
import { migrate } from "../../src/storage/sqlite/migrate.ts"
import { migrations } from "../../src/storage/sqlite/migrations.ts"
import { person } from "./contract/people.ts"

/** Makes a database as the first version (migration 0000) left it, with these people and their transactions. */
export function writeOldDatabase(path: string, names: readonly string[], entries: readonly NewTransaction[]) {
  const client = new Database(path, { strict: true })
  client.run("PRAGMA journal_mode = WAL")
  migrate(client, 1, migrations.slice(0, 1))
  client.transaction(() => {
    for (const { email, username, password, name, dept, currency } of names.map((name) => person(name)))
      client.run(
        "INSERT INTO users (email, email_key, username, password, name, dept, currency) VALUES (?, ?, ?, ?, ?, ?, ?)",
        [email, email, username, password, name, dept, currency],
      )
    for (const [index, entry] of entries.entries()) post(client, index + 1, entry)
  })()
  client.close()
}

function post(client: Database, id: number, { receiverId, senderId, value, date }: NewTransaction) {
  client.run("INSERT INTO transactions VALUES (?, ?, ?, ?, ?)", [id, receiverId, senderId, value, date])
  client.run("INSERT INTO pair_counts VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET count = count + 1", [
    senderId,
    receiverId,
  ])
  const move = `INSERT INTO balances VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO UPDATE SET value = value + ?2,
    updated_at = ?3, received_count = received_count + ?4, sent_count = sent_count + ?5`
  client.run(move, [receiverId, value, date, 1, 0])
  client.run(move, [senderId, -value, date, 0, 1])
  client.run("UPDATE ledger_state SET transaction_count = ?1, last_id = ?1, last_date = ?2", [id, date])
}
