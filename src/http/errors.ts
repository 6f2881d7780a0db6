import type { ValueError } from "@sinclair/typebox/errors"
import { type ErrorHandler, NotFoundError, ParseError, ValidationError } from "elysia"
import { DomainError, type ErrorCode } from "../domain/errors.ts"
import type { Log } from "../log.ts"
import { shapeOf, streamPath } from "./paths.ts"

/** The only place where a code becomes a status (contract, Errors). */
export const statuses = {
  passwords_differ: 400,
  insufficient_balance: 400,
  bad_login: 401,
  bad_credentials: 401,
  bad_session: 401,
  session_user_missing: 401,
  not_superuser: 403,
  not_own_profile: 403,
  not_own_password: 403,
  user_not_found: 404,
  username_taken: 409,
  integrity: 500,

  session_not_found: 404,
  not_own_transactions: 403,
  balance_out_of_range: 422,
  too_many_failures: 429,
  username_lookalike: 409,
  name_lookalike: 409,
  too_many_transfers: 429,
  key_reused: 409,
  busy: 503,
  unwritable: 503,
  foreign_origin: 403,
  invalid: 422,
} as const satisfies Record<ErrorCode, number>

/** Refusals that only HTTP knows, with their words. */
export const refusals = {
  malformed_json: [400, "The body is not valid JSON"],
  malformed_form: [400, "The body is not a valid form"],
  unfinished_body: [400, "The body did not come whole"],
  malformed_host: [400, "The request names no valid host"],
  malformed_path: [400, "The address is not validly percent-encoded"],
  not_a_download: [403, "This file is for download only"],
  not_found: [404, "Not Found"],
  malformed_upgrade: [400, "The WebSocket handshake is not valid"],
  method_not_allowed: [405, "Method Not Allowed"],
  body_too_large: [413, "The body is larger than this server takes"],
  unsupported_media_type: [415, "The body must be of another Content-Type"],
  too_many_exports: [429, "Your other downloads are still running; try again when one of them is done"],
  overloaded: [503, "The server has too much to do; try again in a moment"],
  too_many_streams: [503, "Too many streams are open from where you are; try again when some are closed"],
} as const

export type RefusalCode = keyof typeof refusals

/** A request that HTTP itself refuses, before any rule is asked. */
export class HttpRefusal extends Error {
  override readonly name = "HttpRefusal"

  constructor(
    readonly refusal: RefusalCode,
    readonly headers: Record<string, string> = {},
  ) {
    super(refusals[refusal][1])
  }
}

/** What the stream says to all but a WebSocket: no method by itself will do. */
export const upgradeOnly = () => new HttpRefusal("method_not_allowed", { allow: "", upgrade: "websocket" })

interface Answer {
  readonly status: number
  readonly detail: string
  readonly headers: Record<string, string>
}

interface ErrorOptions {
  readonly log: Log
  readonly allowedMethods: (path: string) => string[]
  /** The page for a person who goes to an unknown address; null for everybody else. */
  readonly missingPage: (request: Request) => Promise<Response> | null
}

/** Turns everything thrown below into an answer; what nobody foresaw is logged and told as a plain 500. */
export const errorHandler =
  ({ log, allowedMethods, missingPage }: ErrorOptions): ErrorHandler =>
  ({ error: thrown, set, path, route, request }) => {
    const error = thrown instanceof NotFoundError ? missing(path, allowedMethods(path)) : unwrapped(thrown)
    const page = thrown instanceof NotFoundError && isNotFound(error) ? missingPage(request) : null
    if (page !== null) return page
    const answer = answerTo(error, route)
    if (answer) {
      set.status = answer.status
      Object.assign(set.headers, answer.headers)
      return { detail: answer.detail }
    }
    log.error("unexpected failure", {
      method: request.method,
      route,
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    })
    set.status = 500
    set.headers["content-type"] = "text/plain; charset=utf-8"
    return "Internal Server Error"
  }

/** Elysia wraps what a body parser throws. */
const unwrapped = (thrown: unknown): unknown =>
  thrown instanceof ParseError && thrown.cause instanceof Error ? thrown.cause : thrown

function missing(path: string, allowed: string[]): HttpRefusal {
  if (isStreamPath(path)) return upgradeOnly()
  return allowed.length === 0
    ? new HttpRefusal("not_found")
    : new HttpRefusal("method_not_allowed", { allow: allowed.join(", ") })
}

const isNotFound = (error: unknown) => error instanceof HttpRefusal && error.refusal === "not_found"

const isStreamPath = (path: string): boolean => shapeOf(streamPath).test(path)

function answerTo(error: unknown, route: string): Answer | null {
  if (error instanceof DomainError) {
    const { code, message: detail } = error
    return { status: statuses[code], detail, headers: headersOf(error, route) }
  }
  if (error instanceof HttpRefusal) {
    const [status, detail] = refusals[error.refusal]
    return { status, detail, headers: error.headers }
  }
  if (error instanceof ValidationError) return { status: statuses.invalid, detail: faultsOf(error), headers: {} }
  return null
}

function headersOf({ code, retryAfterSeconds }: DomainError, route: string): Record<string, string> {
  if (retryAfterSeconds !== undefined) return { "retry-after": String(retryAfterSeconds) }
  // /login is for people: a challenge would open the browser's own dialog.
  const challenges = code === "bad_credentials" || (code === "bad_login" && route === "/token")
  return challenges ? { "www-authenticate": "Bearer" } : {}
}

/** Where and what was expected; never what was sent, which may be a password. */
function faultsOf({ all, type }: ValidationError): string {
  const faults = all.map((fault) => {
    const { path = "", message = "does not fit", schema } = fault as Partial<ValueError>
    // A pattern says less than the words that describe it.
    const expected = (type === "query" && schema?.description) || message
    return `${path.slice(1).replaceAll("/", ".") || type}: ${expected}`
  })
  return [...new Set(faults)].slice(0, 5).join("; ")
}
