import type { Damage, OnProgress } from "../verify/damage.ts"
import type { CopiedTable } from "./tables.ts"

export type Value = string | number | Uint8Array | null

/** The values of some columns, in their order. */
export type Row = readonly Value[]

export interface Page {
  /** Only rows after this key; null: from the first row on. */
  readonly after: Row | null
  /** Only rows up to this key, included. */
  readonly through?: Row
  readonly limit: number
}

export interface LedgerEnd {
  readonly count: number
  readonly lastId: number
  readonly lastDate: number
  readonly lastHash: Uint8Array
}

/** A database that is read. Nobody else changes it meanwhile. */
export interface CopySource {
  /** The columns of each table. */
  columns(): Promise<ReadonlyMap<string, readonly string[]>>
  /** Rows in the order of the key. The keys of JSON are sorted. */
  rows(table: CopiedTable, columns: readonly string[], page: Page): Promise<readonly Row[]>
  ledgerEnd(): Promise<LedgerEnd>
  /** The last id that was given, by table. */
  sequences(): Promise<ReadonlyMap<string, number>>
  verify(onProgress: OnProgress): Promise<readonly Damage[]>
}

/**
 * Transactions that follow the last one of the target, with their notes and erasures. `columns` names the values of a row.
 */
export interface LedgerPage {
  readonly transactions: readonly Row[]
  readonly notes: readonly Row[]
  readonly erasures: readonly Row[]
  readonly columns: Readonly<Record<"transactions" | "notes" | "erasures", readonly string[]>>
  readonly end: LedgerEnd
}

/** A database that is written. Each write is one commit. */
export interface CopyTarget extends CopySource {
  /** @throws DatabaseUnusable when it is neither empty nor an unfinished copy */
  refuseFilled(): Promise<void>
  /**
   * Creates the schema, and marks the database as an unfinished copy of the source with this fingerprint.
   * @throws DatabaseUnusable when it is an unfinished copy of something else
   */
  begin(fingerprint: string, now: number): Promise<void>
  /** The largest key of a table; null while it is empty. */
  lastKey(table: CopiedTable): Promise<Row | null>
  write(table: CopiedTable, columns: readonly string[], rows: readonly Row[]): Promise<void>
  append(page: LedgerPage): Promise<void>
  /** Builds the tables and columns that only this kind of database has, and sets the sequences. */
  complete(sequences: ReadonlyMap<string, number>): Promise<void>
  /** Ends the copy: from then on, the database can be served. */
  publish(): Promise<void>
}

/** The mark of an unfinished copy in the table `migrations`. It keeps every process from serving the database. */
export const unfinishedCopy = "unfinished copy"

export const unfinished =
  "it is an unfinished copy; continue it with the same `rewards copy`, or drop it with `rewards reset-db`"
