import type { Database } from "bun:sqlite"
import { existsSync } from "node:fs"
import { parseArgs } from "node:util"
import { createLog } from "../src/log.ts"
import { openConnection } from "../src/storage/sqlite/database/open.ts"
import { createSave } from "../src/storage/sqlite/ledger/accounts.ts"
import { createAppend, emptyAccount, emptyLedger } from "../src/storage/sqlite/ledger/append.ts"
import { createHistory } from "./history.ts"
import { peopleOf } from "./people.ts"

/*
 * bun bench/generate.ts --rows 10000000 [--people 10000] FILE
 *
 * Fills a new database, as this version would have written it, with a company and its history (see history.ts).
 */

/** Of everybody in a generated database. */
export const password = "the password of everybody"

const rowsAtOnce = 50_000

export interface Generated {
  /** Must not exist. */
  readonly path: string
  /** Transactions, from 1,000: `quiet` takes part in 100 of them. */
  readonly rows: number
  /** Users, from 100, with `admin`, `busy` and `quiet` among them. */
  readonly people: number
  /** Told now and then how many transactions there are. */
  readonly progress?: (written: number) => void
}

/** Same arguments, same transactions: nothing is left to chance but the salt of the password's hash. */
export async function generate({ path, rows, people: count, progress = () => {} }: Generated): Promise<void> {
  if (rows < 1000 || count < 100) throw new Error("at least 1,000 transactions among 100 people are wanted")
  if (existsSync(path)) throw new Error(`${path} exists`)

  const people = peopleOf(count, await Bun.password.hash(password, { algorithm: "bcrypt", cost: 10 }))
  const { client, close } = await openDatabase(path)
  // Nobody reads meanwhile, and what a crash leaves behind is thrown away.
  for (const pragma of ["locking_mode = EXCLUSIVE", "journal_mode = OFF", "synchronous = OFF", "foreign_keys = OFF"])
    client.run(`PRAGMA ${pragma}`)
  client.transaction(() => insertPeople(client, people))()
  insertHistory(client, rows, people, progress)
  close()
  ;(await openDatabase(path)).close()
}

const openDatabase = (path: string) =>
  openConnection({ path, now: Date.now(), log: createLog(), onMigrating: () => {}, onUnusable: () => {} })

function insertPeople(client: Database, people: ReturnType<typeof peopleOf>) {
  const insert = client.prepare(
    `INSERT INTO users (email, email_key, username, username_key, password, name, dept, currency)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  for (const { email, username, password, name, dept, currency } of people)
    insert.run(email, email, username, username, password, name, dept, currency)
}

function insertHistory(
  client: Database,
  rows: number,
  people: ReturnType<typeof peopleOf>,
  progress: (written: number) => void,
) {
  const accounts = people.map((_, index) => emptyAccount(index + 1))
  const next = createHistory({ rows, accounts, people })
  const end = emptyLedger()
  const append = createAppend(client)
  const appendUpTo = client.transaction((last: number) => {
    while (end.lastId < last) {
      const { sender, receiver, value, date } = next(end.lastId + 1)
      const ids = { id: end.lastId + 1, senderId: sender.userId, receiverId: receiver.userId }
      append(end, { ...ids, value, date }, sender, receiver)
    }
    client.run("UPDATE ledger_state SET last_id = ?", [end.lastId])
  })

  while (end.lastId < rows) {
    appendUpTo(Math.min(rows, end.lastId + rowsAtOnce))
    progress(end.lastId)
  }
  const save = createSave(client)
  client.transaction(() => {
    for (const account of accounts) if (account.received.count + account.sent.count > 0) save(account)
    client.run("UPDATE ledger_state SET transaction_count = ?, last_id = ?, last_date = ?, last_hash = ?", [
      ...[end.lastId, end.lastId, end.lastDate],
      end.lastHash,
    ])
  })()
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    options: { rows: { type: "string", default: "1000000" }, people: { type: "string", default: "10000" } },
    allowPositionals: true,
  })
  const [path] = positionals
  if (path === undefined) throw new Error("bun bench/generate.ts --rows 10000000 FILE")
  const started = performance.now()
  await generate({
    path,
    rows: Number(values.rows),
    people: Number(values.people),
    progress: (written) => {
      if (written % 1_000_000 === 0) console.error(`${written} transactions`)
    },
  })
  console.error(`${values.rows} transactions in ${((performance.now() - started) / 1000).toFixed(1)} s`)
}
