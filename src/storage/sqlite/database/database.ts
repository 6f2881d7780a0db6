import type { Database as Client, Statement } from "bun:sqlite"
import { createBudget } from "../../budget.ts"
import { type Database, DuplicateKey, type Reads, type RowLists, type SharedReads, type Tx } from "../../database.ts"
import { type Bound, type Compiled, createCompiler, type Dialect, type SQL } from "../../sql.ts"
import { sqliteCodeOf } from "./errors.ts"
import type { Reader } from "./reader.ts"

interface Dependencies {
  readonly reader: Pick<Reader, "client" | "budget" | "read">
  readonly writer: Client
  /** Runs `work` in a transaction of the writer; see `createWrites`. */
  readonly write: <T>(work: () => Promise<T>) => Promise<T>
  /** Called in a transaction after a statement that changes users, because users are cached. */
  readonly changesUsers: () => void
}

/** The door on SQLite. */
export function createDatabase({ reader, writer, write, changesUsers }: Dependencies): Database {
  const tx: Tx = {
    ...readsOn(writer, reader.budget.spend, changesUsers),
    run: (query) => reader.budget.spend(() => run(writer, query, changesUsers)),
    send: (query) => void reader.budget.charge(() => run(writer, query, changesUsers)),
    flush: () => reader.budget.spend(() => {}),
    lock() {}, // the transaction has the only write lock
  }

  return {
    ...sharedReadsOn(reader.client, reader.read),
    until: (signal) => sharedReadsOn(reader.client, (work) => reader.read(work, signal)),
    write: (body) => write(() => body(tx)),
  }
}

function readsOn(client: Client, runIn: Run, changesUsers?: () => void): Reads {
  const { all, first } = readerOn(client, changesUsers)
  return { all: (query) => runIn(() => all(query)), first: (query) => runIn(() => first(query)) }
}

/** The client is in a read transaction, which stays where it is while this runs. */
function sharedReadsOn(client: Client, runIn: Run): SharedReads {
  const { all } = readerOn(client)
  return {
    ...readsOn(client, runIn),
    snapshot: <Rows extends readonly unknown[]>(queries: readonly SQL<Rows[number]>[]) =>
      runIn(() => queries.map((query) => all(query)) as unknown as RowLists<Rows>),
  }
}

/** `Reads` at once, for what does not pass the door. */
export const readerOn = (client: Client, changesUsers?: () => void) => ({
  all<ResultRow>(query: SQL<ResultRow>): ResultRow[] {
    const act: Act<AnyRow[]> = (statement, parameters) => statement.all(...parameters)
    return prepared(client, query, act, changesUsers).map((row) => decoded(query, row))
  },
  first<ResultRow>(query: SQL<ResultRow>): ResultRow | null {
    const act: Act<AnyRow | null> = (statement, parameters) => statement.get(...parameters)
    const row = prepared(client, query, act, changesUsers)
    return row === null ? null : decoded(query, row)
  },
})

/** For what a store shares with a transaction that does not pass the door, such as a commit of the ledger. */
export const senderOn = (client: Client, changesUsers?: () => void): Pick<Tx, "send"> => ({
  send: (query) => void run(client, query, changesUsers),
})

const run = (client: Client, query: SQL, changesUsers?: () => void): number =>
  prepared(client, query, (statement, parameters) => statement.run(...parameters).changes, changesUsers)

function prepared<T>(client: Client, query: SQL, act: Act<T>, changesUsers?: () => void): T {
  const { compiled, parameters } = compile(query)
  const { statement, writesUsers } = statementOf(client, compiled)
  if (writesUsers) changesUsers?.()
  try {
    return act(statement, parameters.map(storable))
  } catch (error) {
    throw /^SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY)$/.test(sqliteCodeOf(error))
      ? new DuplicateKey("a key would not be unique", { cause: error })
      : error
  }
}

function statementOf(client: Client, compiled: Compiled): Known {
  const known = statements.get(client) ?? new Map<Compiled, Known>()
  statements.set(client, known)
  const { text } = compiled
  const found = known.get(compiled) ?? {
    statement: client.prepare<AnyRow, Value[]>(text),
    writesUsers: /\b(INTO|UPDATE) "users"/.test(text),
  }
  known.set(compiled, found)
  return found
}

interface Known {
  readonly statement: AnyStatement
  readonly writesUsers: boolean
}

const statements = new WeakMap<Client, Map<Compiled, Known>>()

/** The reads of a connection outside a store. */
export function createReads(client: Client): Reads {
  return readsOn(client, createBudget().spend)
}

/** Runs a piece of work on the event loop when it is its turn. */
type Run = <T>(work: () => T) => Promise<T>

type AnyRow = Record<string, unknown>
type Value = string | number | null | Uint8Array
type AnyStatement = Statement<AnyRow, Value[]>
type Act<T> = (statement: AnyStatement, parameters: Value[]) => T

const decoded = <T>({ decode }: SQL<T>, row: AnyRow): T => (decode === undefined ? (row as T) : decode(row))

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
