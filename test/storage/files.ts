import { Database } from "bun:sqlite"
import { copyFileSync, existsSync, statSync } from "node:fs"
import { join } from "node:path"
import type { NewTransaction } from "../../src/domain/ledger/model.ts"
import { createLedgerStore } from "../../src/storage/ledger/ledger.ts"
import type { ObserveCommit } from "../../src/storage/open-store.ts"
import { createUserStore } from "../../src/storage/people/users.ts"
import { raw } from "../../src/storage/sql.ts"
import type { Connection } from "../../src/storage/sqlite/database/connection.ts"
import { openConnection } from "../../src/storage/sqlite/database/open.ts"
import { type OpenRuns, openHere, type Runs } from "../../src/storage/sqlite/database/threads.ts"
import { createLog, type Log } from "../../src/support/log.ts"
import { temporaryFolder } from "../support/executable.ts"

/** A folder for database files, removed at the end of the scope. */
export interface TestFolder extends AsyncDisposable {
  readonly path: string
  file(name: string): string
}

export async function testFolder(): Promise<TestFolder> {
  const folder = await temporaryFolder()
  return { ...folder, file: (name) => join(folder.path, name) }
}

export const silent = createLog(() => {})

interface ConnectOptions {
  /** Errors of failed commits are added here. */
  readonly failures?: unknown[]
  readonly log?: Log
  readonly lockTimeoutMs?: number
  readonly openRuns?: OpenRuns
}

/** A connection as the store opens it. */
export async function connect(path: string, options: ConnectOptions = {}): Promise<Connection & AsyncDisposable> {
  const { failures = [], log = silent, lockTimeoutMs, openRuns } = options
  const connection = await openConnection({
    path,
    now: 1,
    log,
    lockTimeoutMs,
    openRuns,
    onMigrating: () => {},
    onUnusable: (error) => void failures.push(error),
  })
  return { ...connection, [Symbol.asyncDispose]: connection.close }
}

/** Opens connections, and gathers the texts of their statements. */
export function watchedStatements() {
  const statements = new Set<string>()
  const openRuns: OpenRuns = async (opening, events) => {
    const runs = await openHere(opening, events)
    const call: Runs["call"] = (statement, parameters) => {
      statements.add(statement.text)
      return runs.call(statement, parameters)
    }
    return { ...runs, call }
  }
  return { statements, openRuns }
}

/** The stores of a connection that most tests need. */
export const storesOn = ({ database, scrub }: Connection, onCommit?: ObserveCommit) => ({
  users: createUserStore(database, scrub),
  ledger: createLedgerStore(database, { onCommit }),
})

/** Changes the database in a commit of its own. */
export const change = ({ database }: Connection, ...statements: readonly string[]) =>
  database.write(async (tx) => {
    for (const statement of statements) tx.send(raw(statement))
  })

/** Posts transactions of any senders in one commit. */
export const postAll = (connection: Connection, entries: readonly NewTransaction[]) =>
  storesOn(connection).ledger.postAll(entries, () => {})

/** Opens the file as another program would, with SQLite's own defaults. */
export function plainly(path: string, options?: { readonly: boolean }): Database & Disposable {
  const client = options ? new Database(path, options) : new Database(path)
  return Object.assign(client, { [Symbol.dispose]: () => client.close() })
}

/** Changes the file as somebody could who has it, around what keeps the data as it is. */
export function tamper(path: string, sql: string) {
  using client = plainly(path)
  client.run("PRAGMA ignore_check_constraints = ON")
  const triggers = client
    .query<{ name: string; sql: string }, []>("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
    .all()
  for (const { name } of triggers) client.run(`DROP TRIGGER ${name}`)
  client.run(sql)
  for (const trigger of triggers) client.run(trigger.sql)
  client.run("PRAGMA wal_checkpoint(TRUNCATE)")
}

export const bytesOf = (path: string): number => (existsSync(path) ? statSync(path).size : 0)

/**
 * Copies the files that a crash of the machine at this moment would leave: the database and its WAL, even if they are
 * open.
 */
export function copyAsAfterCrash(from: string, to: string) {
  copyFileSync(from, to)
  if (existsSync(`${from}-wal`)) copyFileSync(`${from}-wal`, `${to}-wal`)
}

/** SQLite's code of the error that `act` throws, or the error itself when it has no code. */
export function codeThrownBy(act: () => unknown): unknown {
  try {
    act()
  } catch (error) {
    return error instanceof Error && "code" in error ? error.code : error
  }
  return "nothing thrown"
}
