import { type Database, DuplicateKey, type Reads, type RowLists, type SharedReads, type Tx } from "../../database.ts"
import { type Bound, createCompiler, type Dialect, type SQL, sql } from "../../sql.ts"
import type { Client, OpenTransaction, Queries, Snapshots } from "./client.ts"
import type { Rows, Parameter as Value } from "./connection.ts"
import { sqlStateOf } from "./errors.ts"

/** The door on PostgreSQL. */
export function createDatabase(client: Client): Database {
  return {
    ...sharedReadsOn(client),
    until: (signal) => sharedReadsOn(client.until(signal)),
    // A statement that was only sent fails with the transaction.
    write: (body, options) =>
      client
        .transaction(async (transaction) => {
          const result = await body({
            ...readsOn(transaction),
            run: async (query) => (await queried(transaction, query)).count,
            ...senderOn(transaction),
            flush: async () => void (await queried(transaction, sql`SELECT 1`)),
            lock(...names) {
              const sorted = names.toSorted()
              transaction.send(
                "SELECT pg_advisory_xact_lock(hashtextextended('rewards ' || name, 0)) FROM unnest($1::text[]) AS name",
                [sorted],
              )
            },
          })
          return result
        }, options)
        .catch(explained),
  }
}

/** The statements of a snapshot are sent together. */
const sharedReadsOn = (client: Snapshots): SharedReads => ({
  ...readsOn(client),
  snapshot: <Rows extends readonly unknown[]>(queries: readonly SQL<Rows[number]>[]) =>
    client.snapshot(async (tx) => {
      const { all } = readsOn(tx)
      return (await Promise.all(queries.map((query) => all(query)))) as unknown as RowLists<Rows>
    }),
})

/** The reads of one snapshot, or of a transaction. */
export function readsOn(queries: Queries): Reads {
  return {
    async all(query) {
      const rows = await queried(queries, query)
      return rows.map((row) => decoded(query, row))
    },
    async first(query) {
      const [row] = await queried(queries, query)
      return row === undefined ? null : decoded(query, row)
    },
  }
}

function queried(queries: Queries, query: SQL): Promise<Rows<ResultRow>> {
  const { compiled, parameters } = compile(query)
  return queries.query<ResultRow>(compiled.text, parameters.map(storable)).catch(explained)
}

/** For what a store shares with a transaction that does not pass the door, such as a commit of the ledger. */
export const senderOn = (transaction: OpenTransaction): Pick<Tx, "send"> => ({
  send(query) {
    const { compiled, parameters } = compile(query)
    transaction.send(compiled.text, parameters.map(storable))
  },
})

type ResultRow = Record<string, unknown>

const decoded = <T>({ decode }: SQL<T>, row: ResultRow): T => (decode === undefined ? (row as T) : decode(row))

const storable = (value: Bound): Value => (typeof value === "boolean" ? Number(value) : value)

function explained(error: unknown): never {
  throw sqlStateOf(error) === "23505" ? new DuplicateKey("a key would not be unique", { cause: error }) : error
}

/** PostgreSQL reads statements as they are written. */
export const postgresDialect: Dialect = {
  placeholder: (index) => `$${index}`,
  text: (piece) => piece,
  list({ name, columns, isOrdered }, placeholder) {
    const arrays = columns.map(([, type]) => `${placeholder()}::${type}[]`).join(", ")
    const named = columns.map(([column]) => `"${column}"`).join(", ")
    return isOrdered
      ? `unnest(${arrays}) WITH ORDINALITY AS "${name}" (${named}, "key")`
      : `unnest(${arrays}) AS "${name}" (${named})`
  },
  listed: ({ columns, rows }) => columns.map((_, index) => rows.map((row) => row[index] ?? null)),
}

const compile = createCompiler(postgresDialect)
