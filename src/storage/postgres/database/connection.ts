import { type ReservedSQL, SQL } from "bun"
import { type DatabaseHost, type DatabaseUrl, isSocket, shownHost } from "../../../config/database-url.ts"
import { ConnectionLost } from "./errors.ts"

/** A value for `$1`, `$2`, …. In a list, all are of one type. */
export type Parameter = string | number | boolean | null | Uint8Array | readonly Parameter[]

/** The rows that a statement returned, with how many it touched. */
export type Rows<T> = T[] & { readonly count: number; readonly command: string }

/**
 * One connection, used by one caller at a time, except that a chain sends a transaction behind the one that commits.
 * Statements that are started together are sent together (pipelined).
 */
export interface Connection {
  /** `bigint` comes as a number, `bytea` as Uint8Array, `jsonb` parsed. @throws errors of PostgreSQL, ConnectionLost */
  run<T>(text: string, parameters?: readonly Parameter[]): Promise<Rows<T>>
  /** Several statements in one text, without parameters. */
  runScript(text: string): Promise<void>
  isOpen(): boolean
  /** Closes it at once. Running statements fail. */
  close(): void
  readonly server: ServerFacts
}

/** Facts about the server, read when the connection was opened. */
export interface ServerFacts {
  /** As `server_version_num`: 140005 for 14.5. */
  readonly version: number
  readonly encoding: string
  /** Such as "16.2 (Debian 16.2-1)". */
  readonly shownVersion: string
}

/** The `statement_timeout` of a caller that does not ask for more. */
const statementTimeoutMs = 4000

/**
 * The settings of every connection. The time limits keep a process that hangs in the middle of a transaction from
 * locking the ledger. A pooler that shares connections between transactions does not pass the settings on; `factsOf`
 * recognizes it by that.
 */
const sessionSettings = {
  statement_timeout: `${statementTimeoutMs}ms`,
  idle_in_transaction_session_timeout: `${statementTimeoutMs + 1000}ms`,
  default_transaction_isolation: "read committed",
  tcp_keepalives_idle: "60", // seconds, so that no firewall between takes a quiet connection for a dead one
  jit: "off", // compiling took up to half a second for statements of a millisecond
}

/** Connects to the first host of the URL that accepts writes. Tries the host of the last connection first. */
interface Connector {
  /** @throws the error of the last host that was tried */
  connect(): Promise<Connection>
  /** One of Bun's own clients, for `listen`. Calls `onEnd` when a connection of it has ended. */
  connectToListen(onEnd: () => void): Promise<SQL>
}

/**
 * How a connection uses the database. `shared`: others may be connected, as is normal for reading and writing. `exclusive`:
 * nobody else is.
 */
export type ConnectionMode = "shared" | "exclusive"

/** The number of the advisory lock that every connection holds. */
const lockNumber = 1920427124

export function createConnector(url: DatabaseUrl, mode: ConnectionMode = "shared"): Connector {
  let first = 0

  return {
    connect: () => firstOf((host) => connectTo(host, url, mode)),
    connectToListen: (onEnd) => firstOf((host) => listenTo(host, url, onEnd)),
  }

  async function firstOf<T>(open: (host: DatabaseHost) => Promise<T>): Promise<T> {
    let failure: unknown
    for (const host of [...url.hosts.slice(first), ...url.hosts.slice(0, first)]) {
      try {
        const opened = await open(host)
        first = url.hosts.indexOf(host)
        return opened
      } catch (error) {
        failure = error
      }
    }
    throw failure
  }
}

async function connectTo(host: DatabaseHost, url: DatabaseUrl, mode: ConnectionMode): Promise<Connection> {
  let isOpen = true
  const onclose = () => {
    isOpen = false
  }
  const sql = new SQL({ ...optionsFor(host, url), onclose })
  const close = () => {
    isOpen = false
    void sql.close({ timeout: 0 })
  }
  try {
    const reserved = await sql.reserve()
    const server = await answered(factsOf(reserved, host, mode), url)
    return {
      server,
      isOpen: () => isOpen,
      close,
      async run<T>(text: string, parameters: readonly Parameter[] = []) {
        if (!isOpen) throw new ConnectionLost("the connection was closed")
        return inNumbers<T>(await statement(reserved, text, parameters))
      },
      async runScript(text) {
        await reserved.unsafe(text)
      },
    }
  } catch (error) {
    close()
    throw error
  }
}

async function listenTo(host: DatabaseHost, url: DatabaseUrl, onclose: () => void): Promise<SQL> {
  const sql = new SQL({ ...optionsFor(host, url), onclose })
  try {
    using reserved = await sql.reserve()
    await answered(factsOf(reserved, host, "shared"), url)
    return sql
  } catch (error) {
    await sql.close({ timeout: 0 })
    throw error
  }
}

/** Limits the wait for the first answer, because Bun's own `connectionTimeout` covers only the log-in. */
async function answered<T>(answer: Promise<T>, { connectTimeoutSeconds }: DatabaseUrl): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new ConnectionLost("no answer after the log-in")),
    connectTimeoutSeconds * 1000,
  )
  try {
    return await Promise.race([answer, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

const optionsFor = ({ host, port }: DatabaseHost, url: DatabaseUrl): SQL.PostgresOrMySQLOptions => ({
  // Only for `sslmode`: Bun takes verify-ca from a URL alone. PostgreSQL offers no TLS at a Unix socket.
  url: `postgres://localhost/?sslmode=${isSocket(host) ? "disable" : url.sslMode}`,
  adapter: "postgres",
  ...(isSocket(host) ? { path: `${host.replace(/\/$/, "")}/.s.PGSQL.${port}` } : { hostname: host, port }),
  username: url.user,
  password: url.password,
  database: url.database,
  ...(url.sslRootCert !== null && { tls: { caFile: url.sslRootCert } }),
  max: 1,
  bigint: true,
  connectionTimeout: url.connectTimeoutSeconds,
  connection: {
    ...sessionSettings,
    application_name: url.applicationName,
    ...(url.options !== null && { options: url.options }),
  },
})

/** Reads the facts about the server, and takes the lock that shows other processes that the database is in use. */
async function factsOf(reserved: ReservedSQL, host: DatabaseHost, mode: ConnectionMode): Promise<ServerFacts> {
  const [facts] = await reserved<
    [{ version: string; shown: string; encoding: string; read_only: string; timeout: string; locked: boolean }]
  >`
    SELECT current_setting('server_version_num') AS version, current_setting('server_version') AS shown,
      current_setting('server_encoding') AS encoding, current_setting('transaction_read_only') AS read_only,
      current_setting('statement_timeout') AS timeout,
      CASE WHEN ${mode === "exclusive"}::boolean THEN pg_try_advisory_lock(${lockNumber}::bigint)
        ELSE pg_try_advisory_lock_shared(${lockNumber}::bigint) END AS locked`
  if (facts.read_only !== "off") throw new ReadOnlyServer(shownHost(host))
  if (facts.timeout !== `${statementTimeoutMs / 1000}s`) throw new SettingsDropped(shownHost(host))
  if (!facts.locked) throw new DatabaseLocked(shownHost(host))
  return { version: Number(facts.version), shownVersion: facts.shown, encoding: facts.encoding }
}

/** The server is a standby, or is set to refuse writes. */
class ReadOnlyServer extends Error {
  override readonly name = "ReadOnlyServer"
  readonly code = "ERR_POSTGRES_READ_ONLY"
}

/** Another process has exclusive use of the database, or this one asked for it while another is connected. */
class DatabaseLocked extends Error {
  override readonly name = "DatabaseLocked"
  readonly code = "ERR_POSTGRES_LOCKED"
}

/** A pooler between this process and the server does not pass on the settings of the session. */
class SettingsDropped extends Error {
  override readonly name = "SettingsDropped"
  readonly code = "ERR_POSTGRES_POOLER"
}

/**
 * Bun pipelines only prepared statements. It prepares a text without parameters only when it is a tagged template, so
 * such a text is passed as a template.
 */
function statement(reserved: ReservedSQL, text: string, parameters: readonly Parameter[]) {
  if (parameters.length > 0) return reserved.unsafe(text, parameters.map(storable))
  return reserved(templateOf(text))
}

const templates = new Map<string, TemplateStringsArray>()

function templateOf(text: string): TemplateStringsArray {
  let template = templates.get(text)
  if (template === undefined) {
    template = Object.defineProperty([text], "raw", { value: [text] }) as string[] & TemplateStringsArray
    templates.set(text, template)
  }
  return template
}

/** PostgreSQL's text cannot hold the character NUL. Like half of a surrogate pair, it becomes U+FFFD. */
function storable(value: Parameter): Parameter {
  if (typeof value === "string") return value.includes("\0") ? value.replaceAll("\0", "\ufffd") : value
  return Array.isArray(value) ? arrayOf(value) : value
}

/** Lists of numbers and bytes as PostgreSQL's literals: Bun's encoding of them took a fifth of the time of a batch. */
function arrayOf(values: readonly Parameter[]): Parameter {
  if (values.every((value) => value === null || typeof value === "number"))
    return `{${values.map((value) => value ?? "NULL").join()}}`
  if (values.every((value) => value === null || value instanceof Uint8Array))
    return `{${values.map((value) => (value ? `"\\\\x${value.toHex()}"` : "NULL")).join()}}`
  return values.map(storable)
}

/** A plain array of the rows. Every stored number is exact as a JavaScript number, because the columns have checks. */
function inNumbers<T>(rows: Rows<T>): Rows<T> {
  for (const row of rows as unknown as Record<string, unknown>[])
    for (const name in row) {
      const value = row[name]
      if (typeof value === "bigint") row[name] = Number(value)
      else if (Array.isArray(value)) row[name] = value.map((one) => (typeof one === "bigint" ? Number(one) : one))
    }
  const plain: T[] = Array.from(rows)
  return Object.defineProperties(plain, { count: { value: rows.count }, command: { value: rows.command } }) as Rows<T>
}
