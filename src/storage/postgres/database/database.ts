import { beginTick } from "../../../domain/ticks.ts"
import { type Database, DuplicateKey, type Reads, type SharedReads, type Tx } from "../../database.ts"
import { createCompiler, type Dialect, decoded, type SQL, sql } from "../../sql.ts"
import type { Client, OpenTransaction, Queries } from "./client.ts"
import type { Rows, Parameter as Value } from "./connection.ts"
import { sqlStateOf, stale } from "./errors.ts"

/** `Database` on PostgreSQL. */
export function createDatabase(client: Client): Database {
  return {
    ...sharedReadsOn(client),
    until: (signal) => sharedReadsOn(client.until(signal)),
    reports: (signal) => sharedReadsOn(client.until(signal)),
    write(body, options) {
      let revision: string | undefined
      return client
        .transaction(
          async (transaction) => {
            revision = undefined
            const open = txOn(transaction, (recorded) => {
              revision = recorded
            })
            const result = await body(open.tx)
            await open.expected()
            return result
          },
          { ...options, lookUp: () => (revision === undefined ? undefined : wasCommitted(revision)) },
        )
        .finally(beginTick)
        .catch(explained)
    },
  }
}

function sharedReadsOn(client: Pick<Client, "query" | "snapshot">): SharedReads {
  const snapshot: SharedReads["snapshot"] = (queries) =>
    client.snapshot((reads) => {
      if (queries.some(isPlannedForValues)) void reads.query(planForValues)
      return Promise.all(queries.map((query: SQL) => readsOn(reads).all(query))) as never
    })
  const all: Reads["all"] = async (query) =>
    isPlannedForValues(query) ? ((await snapshot([query]))[0] as never) : readsOn(client).all(query)
  return { all, first: async (query) => (await all(query))[0] ?? null, snapshot }
}

/**
 * The best plan of a page depends on how far it is from the ends. One plan for all pages would read a tenth of the history for
 * each.
 */
const isPlannedForValues = (query: SQL): boolean => compile(query).compiled.text.includes(" OFFSET ")
const planForValues = "SELECT set_config('plan_cache_mode', 'force_custom_plan', true)"

function txOn(transaction: OpenTransaction, onOutcome: (revision: string) => void) {
  /** While an expected state is being read: what follows must not run on another one. */
  let gate: Promise<void> | undefined
  const behind = <T>(run: () => Promise<T>): Promise<T> => (gate === undefined ? run() : gate.then(run))
  const reads: Queries = { query: (text, parameters) => behind(() => transaction.query(text, parameters)) }
  const send = (text: string, parameters?: readonly Value[]) => {
    if (gate === undefined) return transaction.send(text, parameters)
    gate = gate.then(() => transaction.send(text, parameters))
    gate.catch(ignored)
  }
  const tx: Tx = {
    ...readsOn(reads),
    // A statement that was only sent fails with the transaction.
    run: async (query) => (await queried(reads, query)).count,
    ...senderOn({ send }),
    expect(query, value) {
      gate = queried(reads, query).then(([row]) => {
        if (row === undefined || Object.values(row)[0] !== value) throw stale()
      })
      gate.catch(ignored) // it is awaited before the COMMIT
    },
    recordOutcome(revision) {
      onOutcome(revision)
      for (const statement of recordCommit) send(statement, [revision])
    },
    flush: async () => void (await queried(reads, sql`SELECT 1`)),
    lock(...names) {
      const sorted = names.toSorted()
      send("SELECT pg_advisory_xact_lock(hashtextextended('rewards ' || name, 0)) FROM unnest($1::text[]) AS name", [
        sorted,
      ])
    },
  }
  return { tx, expected: async () => gate }
}

const ignored = () => {}

/** How many commits are recorded: more than there are while a caller waits for the outcome of one. */
const recordedCommits = 8192

const recordCommit = [
  `INSERT INTO recent_batches (place, revision) SELECT batch_count % ${recordedCommits}, $1::uuid FROM ledger_state
   ON CONFLICT (place) DO UPDATE SET revision = excluded.revision`,
  "UPDATE ledger_state SET batch_count = batch_count + 1, revision = $1::uuid",
]

const wasCommitted =
  (revision: string) =>
  async ({ query }: Queries): Promise<boolean> => {
    await query("SELECT FROM ledger_state FOR UPDATE") // waits until the server has ended the transaction, if that has the lock
    const [found] = await query("SELECT FROM recent_batches WHERE revision = $1", [revision])
    if (found !== undefined) return true
    // The network may still deliver the transaction. The new revision then makes it fail.
    await query("UPDATE ledger_state SET revision = gen_random_uuid()")
    return false
  }

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
  return queries.query<ResultRow>(compiled.text, parameters).catch(explained)
}

/** For what a store shares with a transaction that is not one of `Database`, such as a commit of the ledger. */
export const senderOn = (transaction: Pick<OpenTransaction, "send">): Pick<Tx, "send"> => ({
  send(query) {
    const { compiled, parameters } = compile(query)
    transaction.send(compiled.text, parameters)
  },
})

type ResultRow = Record<string, unknown>

function explained(error: unknown): never {
  throw sqlStateOf(error) === "23505" ? new DuplicateKey("a key would not be unique", { cause: error }) : error
}

/** PostgreSQL reads statements as they are written, but for a plus sign before a column. */
export const postgresDialect: Dialect = {
  placeholder: (index) => `$${index}`,
  text: (piece) => piece.replace(/(?<=^|\s)\+$/, ""),
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
