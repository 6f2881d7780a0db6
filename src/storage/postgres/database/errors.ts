import { SQL } from "bun"
import type { DatabaseUrl } from "../../../config/database-url.ts"
import { DomainError, type ErrorCode } from "../../../domain/errors.ts"
import { rootCodeOf } from "../../../support/system-errors.ts"
import { retryAfterSeconds } from "../../open-store.ts"

/** The SQLSTATE of an error of PostgreSQL or of its cause, such as `23505`; else empty. */
export function sqlStateOf(error: unknown): string {
  if (error instanceof ServerTrouble) return error.state
  if (error instanceof SQL.PostgresError) return error.errno ?? ""
  return error instanceof Error ? sqlStateOf(error.cause) : ""
}

/** The message of an error that has a SQLSTATE; else empty. */
function serverMessage(error: unknown): string {
  if (error instanceof ServerTrouble) return error.said
  if (error instanceof SQL.PostgresError) return error.message
  return error instanceof Error ? serverMessage(error.cause) : ""
}

/**
 * An error of the server with its SQLSTATE as the code: Bun gives all of them the same code, which says nothing in a log.
 */
class ServerTrouble extends Error {
  override readonly name = "ServerTrouble"
  readonly code: string

  constructor(
    readonly state: string,
    readonly said: string,
  ) {
    super(`SQLSTATE ${state}: ${said}`)
    this.code = `SQLSTATE_${state}`
  }
}

/** A transaction expected another state than it found. A second try reads it. */
export const stale = (): Error => new ServerTrouble("40001", "the expected state has changed")

/**
 * Errors that a second try may not meet: a serialization failure, a deadlock, or (0A000) a statement that was prepared
 * before a migration changed its table. Bun prepares such a statement anew, but only outside transactions.
 */
export const isConflict = (error: unknown): boolean => ["40001", "40P01", "0A000"].includes(sqlStateOf(error))

/** Whether the connection is gone, or the server is closing it. */
export const isLost = (error: unknown): boolean =>
  error instanceof ConnectionLost ||
  (error instanceof SQL.PostgresError &&
    (error.code.startsWith("ERR_POSTGRES_CONNECTION") ||
      /_TIMEOUT$/.test(error.code) ||
      lostStates.test(sqlStateOf(error))))

/** A statement or a connection took too long, and the connection was closed. */
export class ConnectionLost extends Error {
  override readonly name = "ConnectionLost"
  readonly code = "ERR_POSTGRES_STALLED"
}

/** All connections of the pool were in use for too long. */
export class PoolExhausted extends Error {
  override readonly name = "PoolExhausted"
  readonly code = "ERR_POSTGRES_POOL_EXHAUSTED"
}

/** Whether the same work may succeed later, without an operator. */
export const isTemporary = (error: unknown): boolean =>
  isLost(error) || isConflict(error) || passingStates.test(sqlStateOf(error))

/** `unwritable` for a full disk, on which reads go on; `unavailable` for everything else. */
export const outage = (error: unknown): DomainError =>
  refusal(sqlStateOf(error) === diskFull ? "unwritable" : "unavailable", error)

/** For the case that nobody can say whether a transaction was committed. */
export const outcomeUnknown = (error: unknown): DomainError => refusal("outcome_unknown", error)

const refusal = (code: ErrorCode, error: unknown): DomainError =>
  new DomainError(code, { retryAfterSeconds, cause: withState(error) })

function withState(error: unknown): unknown {
  const state = sqlStateOf(error)
  return state === "" || error instanceof ServerTrouble ? error : new ServerTrouble(state, serverMessage(error))
}

/**
 * Class 08: connection exception; 57P01 to 57P05: the server or an administrator ends the connection; 25P03: it was
 * idle in a transaction for too long; 25P04: the transaction took too long; 25006: the server became a standby.
 */
const lostStates = /^(08...|57P0[1-5]|25P03|25P04|25006)$/

const diskFull = "53100"

/** Class 53: out of disk, memory or connections; 57014: the statement took too long; 55P03: a lock was not free. */
const passingStates = /^(53...|57014|55P03)$/

/** Why the database cannot be used, and what the operator can do about it; undefined for an unknown error. */
export function cureOf(error: unknown, url: DatabaseUrl): string | undefined {
  const all = cures(error, url)
  return all[sqlStateOf(error)] ?? all[rootCodeOf(error)]
}

/** Grants the rights that a user needs who is not the owner of the database. */
export const grantSchema = (user: string): string => `GRANT CREATE, USAGE ON SCHEMA public TO "${user}"`

/** By SQLSTATE of the server, or by code of the client. */
function cures(error: unknown, { user, database, sslMode }: DatabaseUrl): Readonly<Record<string, string>> {
  const unreachable = "no PostgreSQL server answers; check that it runs, host and port in db.url, and firewalls"
  const restarting = "the server is starting or stopping; try again in a moment"
  const wrongPassword = `the server refuses the password of ${user}; check user and password in db.url`
  const busy = "the server has no connection left; raise its max_connections, or lower db.pool_size of each process"
  const pooler =
    "a pooler such as PgBouncer stands before the server and shares its connections; name the server itself in db.url: " +
    "every process keeps a bounded pool of its own (db.pool_size)"
  return {
    ERR_POSTGRES_CONNECTION_REFUSED: unreachable,
    ERR_POSTGRES_CONNECTION_TIMEOUT: unreachable,
    ERR_POSTGRES_CONNECTION_CLOSED: unreachable,
    ERR_POSTGRES_CONNECTION_FAILED: unreachable,
    ERR_POSTGRES_STALLED: unreachable,
    ERR_POSTGRES_POOL_EXHAUSTED:
      "all connections of this process are in use; raise db.pool_size, or look for statements that take long",
    ERR_POSTGRES_READ_ONLY: "no server of db.url accepts writes; name the primary there",
    ERR_POSTGRES_POOLER: pooler,
    ERR_POSTGRES_TLS_NOT_AVAILABLE: `the server offers no TLS; turn it on there, or write sslmode=disable in db.url instead of ${sslMode}`,
    "08P01": pooler,
    "28P01": wrongPassword,
    "28000": `the server does not let ${user} in from this address: ${serverMessage(error)}; allow it in pg_hba.conf, or check user (it needs LOGIN) and sslmode in db.url`,
    "3D000": `the server has no database ${database}; create it: CREATE DATABASE "${database}" OWNER "${user}", or correct its name in db.url`,
    "42501":
      `the user ${user} in db.url lacks a right: ${serverMessage(error)}; make it the owner of the database, or run: ` +
      `GRANT CONNECT ON DATABASE "${database}" TO "${user}"; ${grantSchema(user)}`,
    "53100": "the disk of the server is full; free space on it",
    "53300": busy,
    "57014": "the server took too long; look for its load, and for transactions that hold locks",
    "57P01": restarting,
    "57P02": restarting,
    "57P03": restarting,
  }
}
