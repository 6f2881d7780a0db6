import type { TSchema } from "@sinclair/typebox"
import { type ValueError, ValueErrorType } from "@sinclair/typebox/errors"
import { type ErrorHandler, NotFoundError, ParseError, ValidationError } from "elysia"
import { DomainError, type ErrorCode as DomainErrorCode, details as domainDetails } from "../domain/errors.ts"
import type { Log } from "../support/log.ts"
import { isV1, pathPattern, streamPath } from "./paths.ts"
import { isScim, ScimError, scimAnswer, scimType, withReason } from "./scim/scim-errors.ts"

/** Details of the errors that only HTTP has. */
const httpDetails = {
  malformed_json: "The body is not valid JSON",
  malformed_form: "The body is not a valid form",
  unfinished_body: "The body is incomplete",
  malformed_host: "The request names no valid host",
  malformed_path: "The address is not validly percent-encoded",
  malformed_upgrade: "The WebSocket handshake is not valid",
  other_websocket_version: "Only version 13 of the WebSocket protocol is supported",
  not_a_download: "This file is for download only",
  bad_signature: "The signature is not valid, or too old",
  bad_logout_token: "The logout token is not valid",
  bad_command_token: "The token of this command is not known here",
  not_found: "Not Found",
  method_not_allowed: "Method Not Allowed",
  body_too_large: "The body is too large",
  unsupported_media_type: "This Content-Type is not accepted here",
  too_many_at_once: "Your other large requests are still running; try again in a moment",
  too_many_exports: "Your other downloads are still running; try again when one of them is done",
  overloaded: "The server is overloaded; try again in a moment",
  too_many_streams: "Too many open streams from your address; try again when some are closed",
  not_ready: "not ready",
  unexpected: "Internal Server Error",
} as const

type HttpErrorCode = keyof typeof httpDetails
export type ErrorCode = DomainErrorCode | HttpErrorCode

/** The header of every error answer. It holds the code by which programs tell errors apart. */
export const codeHeader = "error-code"

/** The `detail` of every error, by code. */
export const details: Readonly<Record<ErrorCode, string>> = { ...domainDetails, ...httpDetails }

/** The status of every error (docs/interface/errors.md). No other place maps a code to a status. */
export const statuses: Readonly<Record<ErrorCode, number>> = {
  passwords_differ: 400,
  wrong_password: 400,
  insufficient_balance: 400,
  not_redeemable: 400,
  malformed_json: 400,
  malformed_form: 400,
  unfinished_body: 400,
  malformed_host: 400,
  malformed_path: 400,
  malformed_upgrade: 400,
  bad_logout_token: 400,
  bad_login: 401,
  bad_credentials: 401,
  second_factor_required: 401,
  bad_second_factor: 401,
  challenge_ended: 401,
  bad_session: 401,
  bad_signature: 401,
  bad_command_token: 401,
  session_user_missing: 401,
  second_factor_missing: 403,
  login_not_recent: 403,
  not_superuser: 403,
  address_fixed: 403,
  beyond_scope: 403,
  not_own_profile: 403,
  not_own_data: 403,
  not_own_password: 403,
  not_own_transactions: 403,
  not_own_redemptions: 403,
  not_own_reply: 403,
  foreign_origin: 403,
  not_a_download: 403,
  user_not_found: 404,
  dept_not_found: 404,
  session_not_found: 404,
  token_not_found: 404,
  factor_not_found: 404,
  device_not_found: 404,
  transaction_not_found: 404,
  reward_not_found: 404,
  redemption_not_found: 404,
  allowance_not_found: 404,
  recognition_not_found: 404,
  no_leaderboard: 404,
  reply_not_found: 404,
  mail_not_found: 404,
  webhook_not_found: 404,
  delivery_not_found: 404,
  not_found: 404,
  method_not_allowed: 405,
  username_taken: 409,
  username_lookalike: 409,
  name_lookalike: 409,
  dept_exists: 409,
  manager_cycle: 422,
  dept_being_paid: 409,
  external_id_taken: 409,
  email_taken: 409,
  factor_needed: 409,
  no_factor: 409,
  no_setup: 409,
  too_many_factors: 409,
  passkey_known: 409,
  passkeys_unusable: 409,
  no_email: 409,
  has_logged_in: 409,
  still_active: 409,
  erased: 409,
  key_reused: 409,
  reference_reused: 409,
  answer_lost: 409,
  too_many_tokens: 409,
  too_many_devices: 409,
  nothing_to_reverse: 409,
  beyond_what_is_left: 409,
  not_reversible: 409,
  out_of_stock: 409,
  limit_reached: 409,
  most_to_one: 409,
  too_many_kinds: 409,
  not_requested: 409,
  own_request: 409,
  not_replayable: 409,
  not_waiting: 409,
  taken_back: 409,
  period_paid: 409,
  no_period: 409,
  programme_changed: 412,
  body_too_large: 413,
  unsupported_media_type: 415,
  balance_out_of_range: 422,
  invalid: 422,
  private: 422,
  own_recognition: 422,
  other_websocket_version: 426,
  too_many_failures: 429,
  too_many_transfers: 429,
  too_many_writes: 429,
  too_many_replies: 429,
  too_many_reactions: 429,
  too_many_at_once: 429,
  too_many_exports: 429,
  integrity: 500,
  unexpected: 500,
  not_ready: 503,
  busy: 503,
  unwritable: 503,
  unavailable: 503,
  overloaded: 503,
  too_many_streams: 503,
  outcome_unknown: 504,
}

/** The status of a request whose client left before the answer, in the log and the metrics: nobody receives it. */
const clientGone = 499

/** The errors of a server that cannot take the request now. They share a status, so a metric counts them by code. */
const rejections = Object.keys(statuses).filter((code) => statuses[code as ErrorCode] === 503 && code !== "not_ready")

/** A request that HTTP itself refuses. The rules of the domain throw DomainError, which knows no headers. */
export class HttpError extends Error {
  override readonly name = "HttpError"

  constructor(
    readonly code: HttpErrorCode,
    readonly headers: Record<string, string> = {},
  ) {
    super(httpDetails[code])
  }
}

/** The error for a plain request to a WebSocket path, whatever its method. */
export const upgradeRequired = () => new HttpError("method_not_allowed", { allow: "", upgrade: "websocket" })

interface Answer {
  readonly code: ErrorCode
  readonly detail: string
  /** The field of the request that is wrong; absent where it is not one field. */
  readonly field?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
}

interface ErrorOptions {
  readonly log: Log
  readonly allowedMethods: (path: string) => string[]
  /** The app's page "not found" for a browser that opens an unknown address; null for every other request. */
  readonly missingPage: (request: Request) => Promise<Response> | null
  /** Counts an answer with status 503; absent while metrics are off. */
  readonly onRejected: ((reason: string, count?: number) => void) | undefined
}

/**
 * Turns whatever a route throws into an answer. Anything but an expected error is logged and answered with a plain 500. A
 * read that ended because its client had gone throws the reason of the request's signal.
 */
export function errorHandler({ log, allowedMethods, missingPage, onRejected }: ErrorOptions): ErrorHandler {
  for (const code of rejections) onRejected?.(code, 0) // so that the first one is an increase
  return ({ error: thrown, set, path, route, request }) => {
    if (request.signal.aborted && thrown === request.signal.reason) return new Response(null, { status: clientGone })
    const error = thrown instanceof NotFoundError ? unroutable(path, allowedMethods(path)) : unwrapped(thrown)
    const page = thrown instanceof NotFoundError && isNotFound(error) ? missingPage(request) : null
    if (page !== null) return page
    if ((error instanceof DomainError || error instanceof HttpError) && rejections.includes(error.code))
      onRejected?.(error.code)
    const answer = answerTo(isScim(path) ? withReason(error) : error, route)
    const { code, detail, field } = answer ?? { code: "unexpected", detail: details.unexpected }
    Object.assign(set.headers, answer?.headers, { [codeHeader]: code })
    set.status = statuses[code]
    if (answer === null) {
      log.error("unexpected failure", {
        method: request.method,
        route,
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      })
      set.headers["content-type"] = "text/plain; charset=utf-8"
      return detail
    }
    if (isScim(path)) {
      const { status, body } = scimAnswer(error, statuses[code], detail)
      return new Response(body, { status, headers: { ...answer.headers, "content-type": scimType } })
    }
    return isV1(path) ? codedError({ code, detail, field }) : { detail }
  }
}

/** An error as bodies under `/api/v1` have it. */
export const codedError = ({ detail, code, field }: Omit<Answer, "headers">) => ({
  detail,
  code,
  ...(field !== undefined && { field }),
})

/** Elysia wraps what a body parser throws. */
const unwrapped = (thrown: unknown): unknown =>
  thrown instanceof ParseError && thrown.cause instanceof Error ? thrown.cause : thrown

function unroutable(path: string, allowed: string[]): HttpError {
  if (pathPattern(streamPath).test(path)) return upgradeRequired()
  return allowed.length === 0
    ? new HttpError("not_found")
    : new HttpError("method_not_allowed", { allow: allowed.join(", ") })
}

const isNotFound = (error: unknown) => error instanceof HttpError && error.code === "not_found"

function answerTo(error: unknown, route: string): Answer | null {
  if (error instanceof ValidationError) return { code: "invalid", ...faultsOf(error) }
  if (error instanceof DomainError)
    return { code: error.code, detail: error.message, field: error.field, headers: headersOf(error, route) }
  if (error instanceof ScimError) return { code: "invalid", detail: error.message }
  if (error instanceof HttpError) return { code: error.code, detail: error.message, headers: error.headers }
  return null
}

function headersOf({ code, retryAfterSeconds }: DomainError, route: string): Record<string, string> {
  if (retryAfterSeconds !== undefined) return { "retry-after": String(retryAfterSeconds) }
  // The contract asks for the challenge at /token and excludes it at /login.
  const challenges = code === "bad_credentials" || (code === "bad_login" && route === "/token")
  return challenges ? { "www-authenticate": "Bearer" } : {}
}

/** Says where a value does not fit and what was expected, never the value itself, which may be a password. */
function faultsOf({ all, type }: ValidationError): Pick<Answer, "detail" | "field"> {
  const faults = new Map<string, string>()
  for (const fault of all) {
    const { path = "", schema, type: kind } = fault as Partial<ValueError>
    const field = path.slice(1).replaceAll("/", ".")
    if (faults.has(field)) continue // a missing field is reported a second time, as one that does not fit
    // Query parameters are checked by patterns; their description says more.
    const expected = (type === "query" && schema?.description) || expectedBy(schema)
    faults.set(field, kind === ValueErrorType.ObjectRequiredProperty ? "missing" : expected)
  }
  const [first = "", ...others] = faults.keys()
  const detail = [...faults].slice(0, 5).map(([field, expected]) => `${field || type}: ${expected}`)
  return { detail: detail.join("; "), field: others.length === 0 && first !== "" ? first : undefined }
}

/** What a schema takes, in words. */
function expectedBy(schema: TSchema | undefined): string {
  if (!schema) return "does not fit"
  const { type, minimum, maximum, anyOf, const: literal } = schema
  if (Array.isArray(anyOf)) return anyOf.map(expectedBy).join(" or ")
  if (literal !== undefined) return String(literal)
  if (minimum !== undefined && maximum !== undefined) return `an integer from ${minimum} to ${maximum}`
  return typeNames[type] ?? "does not fit"
}

const typeNames: Readonly<Record<string, string>> = {
  array: "a list",
  boolean: "true or false",
  integer: "an integer",
  null: "null",
  number: "a number",
  object: "an object",
  string: "a text",
}
