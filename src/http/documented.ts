import { details, type ErrorCode } from "../domain/errors.ts"
import { type RefusalCode, refusals, statuses } from "./errors.ts"
import type { shapes } from "./shapes.ts"

type Shape = keyof typeof shapes
type Code = ErrorCode | RefusalCode

/** What the caller must show. */
export const credentials = ["bad_credentials", "bad_session", "session_user_missing"] as const
/** What any route with a JSON body may refuse besides its own reasons. */
export const body = ["malformed_json", "foreign_origin", "invalid", "body_too_large", "unsupported_media_type"] as const
/** Why points are not sent, to one or to many. */
export const sending = [
  ...credentials,
  "user_not_found",
  "insufficient_balance",
  "balance_out_of_range",
  "key_reused",
  "too_many_transfers",
  ...body,
  "unwritable",
] as const
const form = ["malformed_form", "foreign_origin", "invalid", "body_too_large", "unsupported_media_type"] as const

const retryAfter = {
  description: "whole seconds until another attempt is worth it",
  schema: { type: "integer" as const, minimum: 1 },
}

/** `openapi.ts` shows it; a schema that Elysia knows would be checked at each request, with words of its own. */
export const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: "the sender's own name for this request, by which it may be sent again",
  schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[\\x20-\\x7e]*$" },
} as const

/** What the API page says of each route: its success, and each refusal with the words that it is told in. */
export const documented = {
  token: describe("Authentication", "Log in for a pair of tokens", 200, one("Token"), [
    "bad_login",
    "too_many_failures",
    "busy",
    ...form,
  ]),
  refreshToken: describe("Authentication", "Renew a pair of tokens", 200, one("Token"), ["bad_credentials", ...body]),
  login: describe("Authentication", "Log in for a session cookie", 200, one("Status"), [
    "bad_login",
    "too_many_failures",
    "busy",
    ...form,
    "unwritable",
  ]),
  logout: describe("Authentication", "Log out of the session", 200, one("Status"), ["unwritable"]),

  /** `access`: the setting `directory.access`. */
  listUsers: (access: "public" | "auth") =>
    describe("Users", "List the users", 200, listOf("UserResponse", "UserResponseWithBalance"), [
      ...(access === "auth" ? credentials : []),
      "invalid",
    ]),
  showUser: (access: "public" | "auth") =>
    describe("Users", "Show a user", 200, oneOf("UserResponse", "UserResponseWithBalance"), [
      ...(access === "auth" ? credentials : []),
      "user_not_found",
      "invalid",
    ]),
  createUser: describe("Users", "Create a user (superusers)", 201, one("UserResponse"), [
    ...credentials,
    "not_superuser",
    "username_taken",
    "username_lookalike",
    "busy",
    ...body,
    "integrity",
    "unwritable",
  ]),
  updateProfile: describe("Users", "Overwrite avatar and bio (oneself, superusers)", 200, one("UserResponse"), [
    ...credentials,
    "user_not_found",
    "not_own_profile",
    ...body,
    "unwritable",
  ]),
  changePassword: describe("Users", "Set a password (reset token, oneself, superusers)", 200, one("UserResponse"), [
    "user_not_found",
    "not_own_password",
    "passwords_differ",
    "busy",
    ...body,
    "unwritable",
  ]),
  requestReset: describe("Users", "Ask for a password reset by e-mail", 200, one("Message"), [...body, "unwritable"]),

  sendPoints: repeatable(describe("Transactions", "Send points", 201, one("Message"), sending)),
  history: describe("Transactions", "List transactions (superusers all, others their own)", 200, one("Page"), [
    ...credentials,
    "invalid",
  ]),
  historyOf: describe(
    "Transactions",
    "List a user's transactions with the balance (that user, superusers)",
    200,
    one("PageWithBalance"),
    [...credentials, "user_not_found", "not_own_transactions", "invalid"],
  ),
}

export function describe(tag: string, summary: string, status: number, success: object, refuses: readonly Code[]) {
  const texts: Record<number, string[]> = { 500: ["`Internal Server Error`"] }
  for (const code of [...refuses, "overloaded"] as const) {
    const [refusedWith, detail] = answerTo(code)
    texts[refusedWith] = [...(texts[refusedWith] ?? []), `\`${detail}\``]
  }
  const errors = Object.entries(texts).map(([refusedWith, told]) => [
    refusedWith,
    {
      description: told.join(" or "),
      ...(["429", "503"].includes(refusedWith) && { headers: { "Retry-After": retryAfter } }),
      content: contentOf(Number(refusedWith), told.length > 1),
    },
  ])
  const needsCredentials = refuses.includes("bad_session")
  return {
    tags: [tag],
    summary,
    security: needsCredentials ? [{ bearer: [] }, { session: [] }] : [],
    responses: {
      [status]: { description: "Done", content: { "application/json": { schema: success } } },
      ...Object.fromEntries(errors),
    },
  }
}

/** The same, and a dry run: 200, in the shape of the success. */
export function describeWithDryRun(...described: Parameters<typeof describe>) {
  const whole = describe(...described)
  const [, , , success] = described
  const description = "With `dry_run`: what would be done; nothing is changed"
  const dryRun = { description, content: { "application/json": { schema: success } } }
  return { ...whole, responses: { ...whole.responses, 200: dryRun } }
}

/** A file that is downloaded. */
export function describeCsv(tag: string, summary: string, refuses: readonly Code[]) {
  const described = describe(tag, summary, 200, {}, refuses)
  const file = {
    description: "A file: UTF-8 with BOM, commas",
    content: { "text/csv": { schema: { type: "string" } } },
  }
  return { ...described, responses: { ...described.responses, 200: file } }
}

/** The same, and it takes an idempotency key. */
export function repeatable<Described extends object>(described: Described) {
  const description =
    "With the header `Idempotency-Key` (1 to 255 printable ASCII characters), the same request is done once in 24 hours " +
    "however often it is sent, and answered the same. A request that was refused leaves its key free."
  return { ...described, description, headerParameters: [idempotencyKey] }
}

/** An unexpected failure is plain text; the 500 that a rule foresees is an error like any other. */
function contentOf(status: number, isForeseen: boolean) {
  const error = { "application/json": { schema: one("Error") } }
  const failure = { "text/plain": { schema: { type: "string" } } }
  if (status !== 500) return error
  return isForeseen ? { ...error, ...failure } : failure
}

function answerTo(code: Code): readonly [status: number, detail: string] {
  return isRule(code) ? [statuses[code], details[code]] : refusals[code]
}

function isRule(code: Code): code is ErrorCode {
  return code in statuses
}

export function one(shape: Shape) {
  return { $ref: `#/components/schemas/${shape}` }
}

function oneOf(...several: Shape[]) {
  return { oneOf: several.map(one) }
}

function listOf(...several: Shape[]) {
  return { type: "array", items: oneOf(...several) }
}
