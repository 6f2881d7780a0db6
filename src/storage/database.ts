import type { Column } from "drizzle-orm"
import { type SQL, sql } from "./sql.ts"

/**
 * The database as stores use it: each of their statements goes through it. It is the same for SQLite and PostgreSQL. Maintenance and
 * migrations, which need a database of its own kind, stand in storage/sqlite/ and storage/postgres/.
 */
export interface Database extends SharedReads {
  /**
   * Runs `body` in one transaction; resolves when its commit is durable and readers can see it. When `body` throws,
   * nothing is changed. On SQLite one body runs at a time. On PostgreSQL several run at once, so that a decision that
   * must hold for the commit first locks what it is about, and a body is repeated after a conflict: it changes nothing
   * outside the database.
   * @throws DomainError `unwritable` when the disk is full or another process keeps the database locked, `unavailable`
   * while PostgreSQL cannot be reached; DuplicateKey, after which the transaction is over
   */
  write<T>(body: (tx: Tx) => Promise<T>, options?: WriteOptions): Promise<T>
  /**
   * Reads for a caller who may leave: a read that has not begun when the signal aborts throws its reason. Without a signal,
   * nobody leaves.
   */
  until(signal: AbortSignal | undefined): SharedReads
  /** The same for reads that may take long: other callers do not wait for them. */
  reports(signal?: AbortSignal): SharedReads
}

interface WriteOptions {
  /** How long the write may take in all, if that is longer than a request may: for a body that writes thousands of rows. */
  readonly patienceMs?: number
  /** Since when the caller waits already (`Bun.nanoseconds()`). */
  readonly since?: number | undefined
}

/** Reads the latest durable commit, each statement by itself. Callers take turns. */
export interface Reads {
  all<Row>(query: SQL<Row>): Promise<Row[]>
  /** The first row, or null. */
  first<Row>(query: SQL<Row>): Promise<Row | null>
}

/** The reads of no transaction. */
export interface SharedReads extends Reads {
  /** The rows of each query, all of one moment: nothing is written between them. Together they take as long as one read may. */
  snapshot<Rows extends readonly unknown[]>(queries: Queries<Rows>): Promise<RowLists<Rows>>
}

/** One query for each kind of row. */
export type Queries<Rows extends readonly unknown[]> = { readonly [Index in keyof Rows]: SQL<Rows[Index]> }
export type RowLists<Rows extends readonly unknown[]> = { readonly [Index in keyof Rows]: readonly Rows[Index][] }

/** A transaction. What it reads includes its own changes. */
export interface Tx extends Reads {
  /** Returns how many rows the statement changed. */
  run(query: SQL): Promise<number>
  /** Runs a statement whose answer nobody needs: PostgreSQL gets it together with the next one. A failure ends the transaction. */
  send(query: SQL): void
  /**
   * Sends a statement that must return this one value. With another one the state has changed since the body decided: nothing is
   * changed, and the body runs again.
   */
  expect(query: SQL, value: string): void
  /**
   * Records that this transaction was committed, so that PostgreSQL can be asked after a connection broke during the COMMIT. Call
   * it with the lock of the ledger, and with another text each time.
   */
  recordOutcome(revision: string): void
  /** Waits until what was sent has run. A loop that sends much awaits it now and then, and lets the event loop run. */
  flush(): Promise<void>
  /** Locks these names until the commit, always in the same order. Where one write runs at a time, it does nothing. */
  lock(...names: readonly string[]): void
}

/** The row of a query that always has one, such as an aggregate. */
export async function one<Row>(reads: Reads, query: SQL<Row>): Promise<Row> {
  const row = await reads.first(query)
  if (row === null) throw new Error(`no row for: ${query.strings.join("…")}`)
  return row
}

/** The same in a snapshot. */
export function single<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error("a query that always has a row has none")
  return row
}

/** Whether there is any of these rows: what follows FROM. */
export const exists = async (reads: Reads, rows: SQL): Promise<boolean> =>
  (await reads.first(sql`SELECT 1 AS found FROM ${rows} LIMIT 1`)) !== null

/** How many rows there are: what follows FROM. */
export async function countOf(reads: Reads, rows: SQL): Promise<number> {
  const { count } = await one(reads, sql<{ count: number }>`SELECT count(*) AS count FROM ${rows}`)
  return count
}

/** The largest value of a column in these rows, or 0. */
export async function largestOf(reads: Reads, column: Column, rows: SQL = sql`${column.table}`): Promise<number> {
  const { largest } = await one(
    reads,
    sql<{ largest: number }>`SELECT coalesce(max(${column}), 0) AS largest FROM ${rows}`,
  )
  return largest
}

/** A statement would have stored a second row with a key that must be unique. */
export class DuplicateKey extends Error {
  override readonly name = "DuplicateKey"
}
