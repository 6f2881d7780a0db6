import type { Database as Client, Statement } from "bun:sqlite"
import { type Database, DuplicateKey, type Reads, type Tx } from "../../database.ts"
import { type Bound, type Compiled, createCompiler, type Dialect, type SQL } from "../../sql.ts"
import { createBudget } from "./budget.ts"
import { sqliteCodeOf } from "./errors.ts"

interface Dependencies {
  readonly reader: Client
  /** Runs `work` in a transaction on a connection of its own; see `createWrites`. */
  readonly write: <T>(work: (writer: Client) => Promise<T>, isLong: boolean) => Promise<T>
}

/** The door on SQLite. */
export function createDatabase({ reader, write }: Dependencies): Database {
  const budget = createBudget()

  return {
    ...readsOn(reader),
    until: (signal) => readsOn(reader, signal),
    write: (body, { patienceMs } = {}) => write((writer) => body(txOn(writer)), patienceMs !== undefined),
  }

  function readsOn(client: Client, signal?: AbortSignal): Reads {
    return {
      all: (query) =>
        budget.spend(() => {
          const rows = prepared(client, query, (statement, parameters) => statement.all(...parameters))
          return rows.map((row) => decoded(query, row))
        }, signal),
      first: (query) =>
        budget.spend(() => {
          const row = prepared(client, query, (statement, parameters) => statement.get(...parameters))
          return row === null ? null : decoded(query, row)
        }, signal),
    }
  }

  function txOn(writer: Client): Tx {
    return {
      ...readsOn(writer),
      run: (query) => budget.spend(() => run(writer, query)),
      send: (query) => void budget.charge(() => run(writer, query)),
      flush: () => budget.spend(() => {}),
      lock() {}, // the transaction has the only write lock
    }
  }
}

/** For what a store shares with a transaction that does not pass the door, such as a commit of the ledger. */
export const senderOn = (client: Client): Pick<Tx, "send"> => ({ send: (query) => void run(client, query) })

const run = (client: Client, query: SQL): number =>
  prepared(client, query, (statement, parameters) => statement.run(...parameters).changes)

function prepared<T>(client: Client, query: SQL, act: (statement: AnyStatement, parameters: Value[]) => T): T {
  const { compiled, parameters } = compile(query)
  try {
    return act(statementOf(client, compiled), parameters.map(storable))
  } catch (error) {
    throw /^SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY)$/.test(sqliteCodeOf(error))
      ? new DuplicateKey("a key would not be unique", { cause: error })
      : error
  }
}

function statementOf(client: Client, compiled: Compiled): AnyStatement {
  const known = statements.get(client) ?? new Map<Compiled, AnyStatement>()
  statements.set(client, known)
  const statement = known.get(compiled) ?? client.prepare<Row, Value[]>(compiled.text)
  known.set(compiled, statement)
  return statement
}

const statements = new WeakMap<Client, Map<Compiled, AnyStatement>>()

/** The reads of a connection outside a store. */
export const createReads = (reader: Client): Reads =>
  createDatabase({ reader, write: () => Promise.reject(new Error("a connection for reading")) })

type Row = Record<string, unknown>
type Value = string | number | null | Uint8Array
type AnyStatement = Statement<Row, Value[]>

const decoded = <T>({ decode }: SQL<T>, row: Row): T => (decode === undefined ? (row as T) : decode(row))

const storable = (value: Bound): Value => (typeof value === "boolean" ? Number(value) : (value as Value))

export const sqliteDialect: Dialect = {
  placeholder: (index) => `?${index}`,
  text: (piece) => piece.replace(onlyForPostgres, (found) => (found.startsWith("'") ? found : "")),
  list({ name, columns, isOrdered }, placeholder) {
    if (isOrdered) return `json_each(${placeholder()}) AS "${name}"`
    const named = columns.map(([column], index) => `value ->> ${index} AS "${column}"`)
    return `(SELECT ${named.join(", ")} FROM json_each(${placeholder()})) AS "${name}"`
  },
  listed: ({ isOrdered, rows }) => [JSON.stringify(isOrdered ? rows.map(([value]) => value) : rows)],
}

const compile = createCompiler(sqliteDialect)

/** Casts, locks, and literals, which are left as they are. */
const onlyForPostgres =
  /'(?:[^']|'')*'|::\w+(?:\[\])?|\s+FOR (?:NO KEY UPDATE|UPDATE|KEY SHARE|SHARE)(?: OF \w+)?(?: SKIP LOCKED| NOWAIT)?/g
