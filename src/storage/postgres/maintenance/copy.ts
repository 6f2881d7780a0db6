import {
  type CopySource,
  type CopyTarget,
  type LedgerEnd,
  type LedgerPage,
  orderedJson,
  type Page,
  type Row,
  unfinishedCopy,
  type Value,
} from "../../copy/copy.ts"
import { type CopiedTable, jsonColumns, tablesWithSequence } from "../../copy/tables.ts"
import { isUnfinishedCopyOf } from "../../migrations.ts"
import { DatabaseUnusable, ledgerStateMissing, notUpToDate } from "../../open-store.ts"
import type { Client, Queries, Transaction } from "../database/client.ts"
import { appliedTo, migrate, migrations, missingFrom } from "../database/migrations.ts"
import { faults } from "./verify.ts"

const patienceMs = 24 * 3_600_000

/** Reads the database as of one moment. @throws DatabaseUnusable when it is not up to date */
export async function usingSource<T>(client: Client, work: (source: CopySource) => Promise<T>): Promise<T> {
  if ((await missingFrom(client)).length > 0) throw notUpToDate("copy")
  return client.snapshot((queries) => work(readerOf((read) => read(queries))), patienceMs)
}

/** Runs `read` without the usual time limit of a statement. */
type Reading = <T>(read: (queries: Queries) => Promise<T>) => Promise<T>

function readerOf(reading: Reading): CopySource {
  return {
    columns: () => reading(columnsIn),
    rows: (table, columns, page) => reading((queries) => rowsOf(queries, table, columns, page)),
    ledgerEnd: () => reading(endOf),
    sequences: () => reading(sequencesIn),
    verify: (onProgress) => reading((queries) => Array.fromAsync(faults(queries, { onProgress }))),
  }
}

async function columnsIn({ query }: Queries): Promise<ReadonlyMap<string, readonly string[]>> {
  const types = await typesIn({ query })
  return new Map([...types].map(([table, columns]) => [table, [...columns.keys()]]))
}

/** The types of all columns, by table and column. */
async function typesIn({ query }: Queries): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
  const rows = await query<{ table: string; column: string; type: string }>(`
    SELECT relname AS table, attname AS column, format_type(atttypid, atttypmod) AS type
    FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
    WHERE relnamespace = to_regnamespace(current_schema()) AND relkind = 'r' AND attnum > 0 AND NOT attisdropped
    ORDER BY relname, attnum`)
  const tables = new Map<string, Map<string, string>>()
  for (const { table, column, type } of rows)
    tables.set(table, (tables.get(table) ?? new Map<string, string>()).set(column, type))
  return tables
}

async function rowsOf(
  { query }: Queries,
  { name, key }: CopiedTable,
  columns: readonly string[],
  { after, through, limit }: Page,
): Promise<readonly Row[]> {
  const parameters: Value[] = []
  const list = (values: Row) => values.map((value) => `$${parameters.push(value)}`).join(", ")
  const bounds = [
    ...(after === null ? [] : [`(${key.join(", ")}) > (${list(after)})`]),
    ...(through === undefined ? [] : [`(${key.join(", ")}) <= (${list(through)})`]),
  ]
  const where = bounds.length === 0 ? "" : `WHERE ${bounds.join(" AND ")}`
  const json = new Set(jsonColumns[name])
  const selected = columns.map((column) => (json.has(column) ? `${column}::text AS ${column}` : column))
  const rows = await query<Record<string, Value>>(
    `SELECT ${selected.join(", ")} FROM ${name} ${where} ORDER BY ${key.join(", ")} LIMIT ${limit}`,
    parameters,
  )
  return rows.map((row) =>
    columns.map((column) => {
      const value = row[column] ?? null
      return json.has(column) && typeof value === "string" ? orderedJson(value) : value
    }),
  )
}

async function endOf({ query }: Queries): Promise<LedgerEnd> {
  const [end] = await query<LedgerEnd>(
    `SELECT transaction_count AS count, last_id AS "lastId", last_date AS "lastDate", last_hash AS "lastHash"
     FROM ledger_state`,
  )
  if (end === undefined) throw ledgerStateMissing()
  return end
}

async function sequencesIn({ query }: Queries): Promise<ReadonlyMap<string, number>> {
  const sequences = new Map<string, number>()
  for (const table of tablesWithSequence) {
    const [row] = await query<{ last: number }>(
      `SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS last FROM ${table}_id_seq`,
    )
    sequences.set(table, row?.last ?? 0)
  }
  return sequences
}

export function targetOf(client: Client): CopyTarget {
  const within = <T>(work: (transaction: Transaction) => Promise<T>) => client.transaction(work, { patienceMs })
  let types: Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> | undefined

  return {
    ...readerOf((read) => client.snapshot(read, patienceMs)),

    async refuseFilled() {
      const applied = await appliedTo(client)
      const isUnfinished = applied.some(({ tag }) => tag === unfinishedCopy)
      if (applied.length === 0 || isUnfinished) return
      if ((await client.query("SELECT FROM users LIMIT 1")).length > 0)
        throw new DatabaseUnusable("it is not empty; name an empty database, or empty it with `rewards reset-db`")
    },

    async begin(fingerprint, now) {
      const ofAnother =
        "it is an unfinished copy of another database, or of an earlier state; drop it with `rewards reset-db`"
      if (isUnfinishedCopyOf(fingerprint, await appliedTo(client), migrations, ofAnother)) return
      await migrate(client, { now })
      await client.change("DELETE FROM event_state") // so that copying rows records no events
      await client.change("INSERT INTO migrations (tag, sha256, applied_at) VALUES ($1, $2, $3)", [
        unfinishedCopy,
        fingerprint,
        now,
      ])
    },

    async lastKey({ name, key }) {
      const [row] = await client.query<Record<string, Value>>(
        `SELECT ${key.join(", ")} FROM ${name} ORDER BY ${key.map((column) => `${column} DESC`).join(", ")} LIMIT 1`,
      )
      return row === undefined ? null : key.map((column) => row[column] ?? null)
    },

    write: (table, columns, rows) => within(async (transaction) => insert(transaction, table, columns, rows)),

    append: ({ transactions, notes, erasures, columns, end }) =>
      within(async (transaction) => {
        await insert(transaction, { name: "transactions", key: ["id"] }, columns.transactions, transactions)
        await insert(transaction, { name: "notes", key: ["transaction_id"] }, columns.notes, notes)
        await insertErasures(transaction, erasures, columns.erasures)
        transaction.send(
          "UPDATE ledger_state SET transaction_count = $1, last_id = $2, last_date = $3, last_hash = $4",
          [end.count, end.lastId, end.lastDate, end.lastHash],
        )
      }),

    complete: (sequences) =>
      within(async ({ send }) => {
        send(
          `INSERT INTO pairs (from_id, user_id, count)
           SELECT from_id, user_id, count(*) FROM transactions GROUP BY from_id, user_id ON CONFLICT DO NOTHING`,
        )
        for (const [table, last] of sequences)
          send("SELECT setval(pg_get_serial_sequence($1, 'id'), greatest($2, 1), $2 > 0)", [table, last])
        send("ANALYZE")
      }),

    async publish() {
      await client.change("DELETE FROM migrations WHERE tag = $1", [unfinishedCopy])
    },
  }

  async function insert(
    transaction: Transaction,
    { name, key, hasOneRow }: CopiedTable,
    columns: readonly string[],
    rows: readonly Row[],
  ) {
    if (rows.length === 0) return
    types ??= typesIn(transaction)
    const typeOf = (await types).get(name)
    const arrays = columns.map((column, index) => {
      const type = typeOf?.get(column) ?? "text"
      return `$${index + 1}::${type === "jsonb" ? "text" : type}[]`
    })
    const selected = columns.map((column) => (typeOf?.get(column) === "jsonb" ? `${column}::jsonb` : column))
    const update = columns.map((column) => `${column} = excluded.${column}`).join(", ")
    transaction.send(
      `INSERT INTO ${name} (${columns.join(", ")})
       SELECT ${selected.join(", ")} FROM unnest(${arrays.join(", ")}) AS copied (${columns.join(", ")})
       ${hasOneRow ? `ON CONFLICT (${key.join(", ")}) DO UPDATE SET ${update}` : ""}`,
      columns.map((_, index) => rows.map((row) => row[index] ?? null)),
    )
  }

  /**
   * A trigger deletes the note of a transaction when its erasure is inserted, and refuses an erasure without a note. So
   * each gets a note first.
   */
  async function insertErasures(
    transaction: Transaction,
    rows: readonly Row[],
    columns: LedgerPage["columns"]["erasures"],
  ) {
    const notes = rows.map(
      (row): Row => [row[columns.indexOf("transaction_id")] ?? null, new Uint8Array(16), "-", "", 0],
    )
    const noteColumns = ["transaction_id", "salt", "reason", "tags", "private"]
    await insert(transaction, { name: "notes", key: ["transaction_id"] }, noteColumns, notes)
    await insert(transaction, { name: "erasures", key: ["transaction_id"] }, columns, rows)
  }
}
