import type { Damage, OnProgress } from "../verify/damage.ts"
import type { CopiedTable } from "./tables.ts"

export type Value = string | number | Uint8Array | null

/** The values of some columns, in their order. */
export type Row = readonly Value[]

export interface Page {
  /** Rows behind this key; null: from the first. */
  readonly after: Row | null
  /** Up to this key. */
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
  /** Rows in the order of the key. JSON has its keys in order. */
  rows(table: CopiedTable, columns: readonly string[], page: Page): Promise<readonly Row[]>
  ledgerEnd(): Promise<LedgerEnd>
  /** The last id that was given, by table. */
  sequences(): Promise<ReadonlyMap<string, number>>
  verify(onProgress: OnProgress): Promise<readonly Damage[]>
}

/** Transactions that follow those of the target, with their notes and erasures, in columns as named. */
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
   * Creates the schema, and marks the database as an unfinished copy of what has this fingerprint.
   * @throws DatabaseUnusable when it is an unfinished copy of something else
   */
  begin(fingerprint: string, now: number): Promise<void>
  /** The largest key of a table; null while it is empty. */
  lastKey(table: CopiedTable): Promise<Row | null>
  write(table: CopiedTable, columns: readonly string[], rows: readonly Row[]): Promise<void>
  append(page: LedgerPage): Promise<void>
  /** Builds what this database makes for itself, and sets the sequences. */
  complete(sequences: ReadonlyMap<string, number>): Promise<void>
  /** Makes a database that can be served of it. */
  publish(): Promise<void>
}

/** The mark, in the table of migrations, where it stops every process from serving the database. */
export const unfinishedCopy = "unfinished copy"

export const unfinished =
  "it is an unfinished copy; continue it with the same `rewards copy`, or drop it with `rewards reset-db`"
