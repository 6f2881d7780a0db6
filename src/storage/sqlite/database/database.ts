import type { Database as Client, Statement } from "bun:sqlite"
import type { Abortable } from "../../../domain/paging.ts"
import { nextTick } from "../../../domain/ticks.ts"
import type { Database, Queries, Reads, RowLists, SharedReads, Tx } from "../../database.ts"
import { createCompiler, type Dialect, decoded, type SQL } from "../../sql.ts"
import { createReads } from "./reads.ts"
import type { Call, Value } from "./runner.ts"
import type { Runs } from "./threads.ts"
import type { Transaction } from "./write.ts"

interface Dependencies {
  readonly writer: Runs
  readonly reader: Runs
  /** For reads that may take long. */
  readonly reports: Runs
  /** See `createWrites`. */
  readonly write: <T>(body: (transaction: Transaction) => Promise<T>, since: number | undefined) => Promise<T>
}

/** Reads in one message: a short one waits for no more than these, and a long one for no other. */
const together = { short: 16, long: 1 }

/** `Database` on SQLite. */
export function createDatabase({ writer, reader, reports, write }: Dependencies): Database {
  const ordinary = sharedReadsOn(reader, together.short)
  const long = sharedReadsOn(reports, together.long)

  return {
    ...ordinary({}),
    until: (signal) => ordinary({ signal }),
    reports: (signal) => long({ signal }),
    write: (body, { since } = {}) => write((transaction) => body(txOn(writer, transaction)), since),
  }
}

function sharedReadsOn(runs: Runs, maxTogether: number): (caller: Abortable) => SharedReads {
  const read = createReads(runs, maxTogether)
  return (caller) => {
    const rowsOf = async <Row>(query: SQL<Row>): Promise<Row[]> => {
      const [rows = []] = await read([callOf(runs, query)], caller)
      return rows.map((row) => decoded(query, row))
    }
    return {
      all: rowsOf,
      first: async (query) => (await rowsOf(query))[0] ?? null,
      async snapshot<Rows extends readonly unknown[]>(queries: Queries<Rows>) {
        const found = await read(
          queries.map((query: SQL) => callOf(runs, query)),
          caller,
        )
        return found.map((rows, index) => rows.map((row) => decoded(queries[index] as SQL, row))) as RowLists<Rows>
      },
    }
  }
}

function txOn(runs: Runs, { run, send, flush }: Transaction): Tx {
  const rowsOf = async <Row>(query: SQL<Row>): Promise<Row[]> =>
    ((await run(callOf(runs, query))) as AnyRow[]).map((row) => decoded(query, row))
  return {
    all: rowsOf,
    first: async (query) => (await rowsOf(query))[0] ?? null,
    run: async (query) => (await run({ ...callOf(runs, query), counts: true })) as number,
    send: (query) => send(callOf(runs, query)),
    recordOutcome() {}, // a commit in this process has no unknown outcome
    expect: (query, value) => send({ ...callOf(runs, query), expects: value }),
    flush,
    lock() {}, // the transaction has the only write lock
  }
}

function callOf(runs: Runs, query: SQL): Call {
  const { compiled, parameters } = compile(query)
  return runs.call(compiled, parameters as readonly Value[])
}

/** `Reads` at once, for maintenance, which has a connection of its own. */
export const readerOn = (client: Client) => ({
  all: <ResultRow>(query: SQL<ResultRow>): ResultRow[] =>
    prepared(client, query, (statement, parameters) => statement.all(...parameters)).map((row) => decoded(query, row)),
  first<ResultRow>(query: SQL<ResultRow>): ResultRow | null {
    const row = prepared(client, query, (statement, parameters) => statement.get(...parameters))
    return row === null ? null : decoded(query, row)
  },
})

/** `Reads` of maintenance. */
export function readsOn(client: Client): Reads {
  const { all, first } = readerOn(client)
  // Long loops over reads let timers and signals run.
  return {
    all: async (query) => nextTick().then(() => all(query)),
    first: async (query) => nextTick().then(() => first(query)),
  }
}

/** For what maintenance shares with a store. */
export const senderOn = (client: Client): Pick<Tx, "send"> => ({
  send: (query) => void prepared(client, query, (statement, parameters) => statement.run(...parameters)),
})

function prepared<T>(client: Client, query: SQL, act: Act<T>): T {
  const { compiled, parameters } = compile(query)
  return act(client.query(compiled.text), parameters as Value[])
}

type AnyRow = Record<string, unknown>
type AnyStatement = Statement<AnyRow, Value[]>
type Act<T> = (statement: AnyStatement, parameters: Value[]) => T

export const sqliteDialect: Dialect = {
  placeholder: (index) => `?${index}`,
  text: (piece) => piece.replace(onlyForPostgres, (found) => (found.startsWith("'") ? found : "")),
  list({ name, columns, isOrdered }, placeholder) {
    if (isOrdered) return `json_each(${placeholder()}) AS "${name}"`
    const named = columns.map(
      ([column, type], index) =>
        `${type === "bytea" ? `unhex(value ->> ${index})` : `value ->> ${index}`} AS "${column}"`,
    )
    return `(SELECT ${named.join(", ")} FROM json_each(${placeholder()})) AS "${name}"`
  },
  listed: ({ isOrdered, rows, columns }) => [
    JSON.stringify(
      isOrdered
        ? rows.map(([value]) => value)
        : columns.some(([, type]) => type === "bytea")
          ? rows.map((row) => row.map((value) => (value instanceof Uint8Array ? value.toHex() : value)))
          : rows,
    ),
  ],
}

const compile = createCompiler(sqliteDialect)

/** Casts, locks, and literals, which are left as they are. */
const onlyForPostgres =
  /'(?:[^']|'')*'|::\w+(?:\[\])?|\s+FOR (?:NO KEY UPDATE|UPDATE|KEY SHARE|SHARE)(?: OF \w+)?(?: SKIP LOCKED| NOWAIT)?/g
