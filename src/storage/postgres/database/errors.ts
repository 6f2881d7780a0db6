import { SQL } from "bun"
import { DomainError, type ErrorCode } from "../../../domain/errors.ts"

/** When a client should retry. */
const retryAfterSeconds = 5

/** The SQLSTATE of an error of PostgreSQL or of its cause, such as `23505`; else empty. */
export function sqlStateOf(error: unknown): string {
  if (error instanceof ServerTrouble) return error.state
  if (error instanceof SQL.PostgresError) return error.errno ?? ""
  return error instanceof Error ? sqlStateOf(error.cause) : ""
}

/**
 * An error of the server with its SQLSTATE as the code: Bun gives all of them the same code, which says nothing in a log.
 */
class ServerTrouble extends Error {
  override readonly name = "ServerTrouble"
  readonly code: string

  constructor(
    readonly state: string,
    cause: unknown,
  ) {
    super(`SQLSTATE ${state}: ${cause instanceof Error ? cause.message : String(cause)}`)
    this.code = `SQLSTATE_${state}`
  }
}

/** The name of the constraint that a statement broke; null for any other error. */
export function brokenConstraint(error: unknown): string | null {
  if (!(error instanceof SQL.PostgresError)) return null
  return error.errno?.startsWith("23") ? (error.constraint ?? null) : null
}

/**
 * Errors that a second try may not meet: a serialization failure, a deadlock, or (0A000) a statement that was prepared
 * before a migration changed its table. Bun prepares such a statement anew, but only outside transactions.
 */
export const isConflict = (error: unknown): boolean => ["40001", "40P01", "0A000"].includes(sqlStateOf(error))

/** The connection is gone, or the server is closing it. */
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
export const passes = (error: unknown): boolean =>
  isLost(error) || isConflict(error) || passingStates.test(sqlStateOf(error))

/** `unwritable` for a full disk, on which reads go on; `unavailable` for everything else. */
export const outage = (error: unknown): DomainError =>
  refusal(sqlStateOf(error) === diskFull ? "unwritable" : "unavailable", error)

/** Nobody can say whether a transaction was committed. */
export const outcomeUnknown = (): DomainError => refusal("outcome_unknown", new ConnectionLost("no answer to COMMIT"))

const refusal = (code: ErrorCode, error: unknown): DomainError =>
  new DomainError(code, undefined, retryAfterSeconds, { cause: stated(error) })

function stated(error: unknown): unknown {
  const state = sqlStateOf(error)
  return state === "" || error instanceof ServerTrouble ? error : new ServerTrouble(state, error)
}

/** Class 08: connection exception; 57P01 to 57P05: the server or an administrator ends the connection; 25P03: it was idle
 *  in a transaction for too long; 25006: the server became a standby. */
const lostStates = /^(08...|57P0[1-5]|25P03|25P04|25006)$/

const diskFull = "53100"

/** Class 53: out of disk, memory or connections; 57014: the statement took too long; 55P03: a lock was not free. */
const passingStates = /^(53...|57014|55P03)$/
