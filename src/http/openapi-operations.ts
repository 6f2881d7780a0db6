import type { Duty } from "../domain/people/model.ts"
import { details, type ErrorCode, statuses } from "./errors.ts"
import { scimStatus, scimType } from "./scim/scim-errors.ts"

const errorsOfBodies = ["foreign_origin", "invalid", "body_too_large", "unsupported_media_type"] as const
/** Errors that any route with a JSON body may answer besides its own. */
export const bodyErrors = ["malformed_json", ...errorsOfBodies] as const
/** Errors of sending points, to one receiver or to many. */
export const transferErrors = [
  "user_not_found",
  "insufficient_balance",
  "balance_out_of_range",
  "too_many_transfers",
  "most_to_one",
] as const
/** Errors that any route with a form body may answer besides its own. */
export const formErrors = ["malformed_form", ...errorsOfBodies] as const

/** Errors that any route may answer. */
const errorsOfAll = ["malformed_host", "malformed_path", "unexpected", "overloaded", "unavailable"] as const

const retryAfter = {
  description: "whole seconds to wait before the next attempt",
  schema: { type: "integer" as const, minimum: 1 },
}

/**
 * Only for the OpenAPI document (openapi.ts). As an Elysia schema, the header would be validated on each request, with
 * Elysia's own messages.
 */
const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: "a value chosen by the client, under which the request can be repeated safely",
  schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[\\x20-\\x7e]*$" },
} as const

interface Answers {
  readonly success: Success
  /** The status of an error that, like the success, is answered with a page, if the client accepts one. */
  readonly errorPageStatus?: number
  /** A second kind of success. */
  readonly alternative?: Success
  readonly errors: readonly ErrorCode[]
  /** The security scheme of openapi.ts that the operation requires, where it accepts no other. */
  readonly scheme?: string
  /** The errors have SCIM's own format. */
  readonly isScim?: true
}

interface Success {
  readonly status: number
  readonly description: string
  /** Schemas by media type. */
  readonly content: object
  readonly headers?: object
}

/**
 * Describes a route for the OpenAPI document: its success, as a schema or the name of one of the component schemas, and
 * its own errors. Those of its guard and of every protected route are added.
 */
export const operation = (
  tag: string,
  summary: string,
  status: number,
  success: object | string,
  errors: readonly ErrorCode[] = [],
) => ({
  tags: [tag],
  summary,
  answers: { success: answer(status, success), errors } satisfies Answers,
})

/** What an operation answers; `schema` may be the name of one of the component schemas. */
export const answer = (status: number, schema: object | string, description = "Done"): Success => ({
  status,
  description,
  content: json(typeof schema === "string" ? ref(schema) : schema),
})

/** Adds to what an operation answers. */
export function withAnswers<Described extends { readonly answers: Answers }>(
  more: Partial<Answers>,
  described: Described,
) {
  return { ...described, answers: { ...described.answers, ...more } }
}

/** An operation that also takes `dry_run`: status 200, with the same schema as the success. */
export function operationWithDryRun(...described: Parameters<typeof operation>) {
  const [, , , success] = described
  const alternative = answer(200, success, "With `dry_run`: what would be done; nothing is changed")
  return withAnswers({ alternative }, operation(...described))
}

interface File {
  readonly description: string
  readonly errorPageStatus?: number
  /** Its media type. */
  readonly type: string
  readonly format?: string
}

/** An operation that answers with a file. */
export function fileOperation(tag: string, summary: string, file: File, errors: readonly ErrorCode[]) {
  const { description, type, format, errorPageStatus } = file
  const content = { [type]: { schema: { type: "string", ...(format && { format }) } } }
  const success = { status: 200, description, content }
  const answers: Answers = { success, errors, ...(errorPageStatus !== undefined && { errorPageStatus }) }
  return { tags: [tag], summary, answers }
}

/** An operation that answers a click with a file. A page of another origin cannot send it. */
export const downloadOperation = (tag: string, summary: string, file: File, errors: readonly ErrorCode[] = []) =>
  fileOperation(tag, summary, file, [...errors, "foreign_origin", "not_a_download"])

/** An operation that redirects a browser. */
export function redirectOperation(tag: string, summary: string, errors: readonly ErrorCode[]) {
  const success = redirect(303, "Elsewhere")
  return { tags: [tag], summary, answers: { success, errors } satisfies Answers }
}

/** An answer that leads elsewhere. */
export function redirect(status: number, description: string) {
  const headers = { Location: { description: "where to go", schema: { type: "string" } } }
  return { status, description, headers, content: {} }
}

/** An operation of SCIM. `component` is the schema of its answer; null when the answer is empty. */
export function scimOperation(summary: string, status: number, component: string | null, errors: readonly ErrorCode[]) {
  const content = component === null ? {} : { [scimType]: { schema: ref(component) } }
  const success = { status, description: "Done", content }
  const answers: Answers = { success, errors, scheme: "bearer", isScim: true }
  return { tags: ["Provisioning"], summary, answers }
}

/** Describes the body of a route that Elysia has no schema of, because something else validates it. */
export function withBody<Described extends object>(type: string, schema: object, described: Described) {
  return { ...described, requestBody: { required: true, content: { [type]: { schema } } } }
}

/** An operation for everybody that shows more to superusers, and to people with one of these duties: `more` says what. */
export const showingMore = <Described extends object>(duties: readonly Duty[], more: string, described: Described) => ({
  ...described,
  "x-duties": duties,
  description: `Superusers and people with the duty ${inWords(duties)} ${more}.`,
})

/** Says which duties open an operation, as the row of its guard has it; empty where none does. */
export function openedBy(duties: readonly Duty[], description: string | undefined) {
  if (duties.length === 0) return {}
  const sentence = `For superusers, and for people with the duty ${inWords(duties)}.`
  return { "x-duties": duties, description: description === undefined ? sentence : `${sentence} ${description}` }
}

const inWords = (duties: readonly Duty[]): string => duties.map((duty) => `\`${duty}\``).join(" or ")

/** Adds the header `Idempotency-Key` to an operation, and the refusals of its key. */
export function idempotent<Described extends { readonly answers: Answers }>(described: Described) {
  const description =
    "With the header `Idempotency-Key` (1 to 255 printable ASCII characters), the same request takes effect once in 24 hours, " +
    "however often it is sent, with the same answer. A refused request leaves its key free."
  const errors = [...described.answers.errors, "key_reused", "answer_lost"] as const
  return { ...withAnswers({ errors }, described), description, headerParameters: [idempotencyKey] }
}

export const idempotentOperation = (...described: Parameters<typeof operation>) => idempotent(operation(...described))

const json = (schema: object) => ({ "application/json": { schema } })

/** Refers to one of the component schemas of openapi.ts. */
export const ref = (component: string) => ({ $ref: `#/components/schemas/${component}` })

/** `anyOf` and not `oneOf`, because an answer with more fields may also match the schema with fewer. */
export const anyOfRefs = (...components: string[]) => ({ anyOf: components.map(ref) })

/** Keeps a route out of the OpenAPI document. */
export const hidden = { detail: { hide: true } } as const

/** An operation as the OpenAPI document has it, before its answers are written. */
export interface Operation {
  readonly answers: Answers
  readonly parameters?: readonly { readonly name: string }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> }
}

/**
 * The part of the document that `answers` describes. Built when the document is requested, because all operations together
 * would take memory at every start.
 */
export function answersOf(
  method: string,
  operation: Operation,
  guard: { readonly refusals: readonly ErrorCode[]; readonly mayBeAnonymous: boolean },
  errorComponent: "Error" | "CodedError",
) {
  const { success, alternative, errorPageStatus, isScim = false, scheme } = operation.answers
  const errors = [...guard.refusals, ...expectedErrors(method, operation)]
  const error = isScim ? { [scimType]: { schema: ref("ScimError") } } : json(ref(errorComponent))
  // Whatever stores something may end without anybody knowing whether it did.
  const unknown = errors.includes("unwritable") ? (["outcome_unknown"] as const) : []
  const codes = [...new Set([...errors, ...unknown, ...errorsOfAll])]
  const byStatus = Map.groupBy(codes, (code) => (isScim ? scimStatus(statuses[code]) : statuses[code]))
  const errorResponses = [...byStatus].map(([errorStatus, ofStatus]) => [
    errorStatus,
    {
      description: ofStatus.map((code) => `\`${details[code]}\``).join(" or "),
      headers: {
        "Error-Code": codeHeaderOf(ofStatus),
        ...([429, 503, 504].includes(errorStatus) && { "Retry-After": retryAfter }),
      },
      content: {
        // A 500 is plain text, except for the one that is expected.
        ...(ofStatus.every((code) => code === "unexpected") ? {} : error),
        ...(ofStatus.includes("unexpected") && plainText),
        ...(errorStatus === errorPageStatus && success.content),
      },
    },
  ])
  const successes = [success, ...(alternative ? [alternative] : [])]
  return {
    security: securityOf(errors, guard.mayBeAnonymous, scheme),
    responses: {
      ...Object.fromEntries(successes.map(({ status, ...response }) => [status, response])),
      ...Object.fromEntries(errorResponses),
    },
  }
}

/**
 * The errors that an operation names, and those that every protected route has: it takes `fresh`, unsafe methods store
 * something, and a JSON body is parsed.
 */
function expectedErrors(method: string, { answers, parameters = [], requestBody }: Operation): readonly ErrorCode[] {
  const { errors } = answers
  if (!parameters.some(({ name }) => name === "fresh")) return errors
  const isUnsafe = method !== "get"
  return [
    ...errors,
    ...(requestBody?.content["application/json"] ? bodyErrors : []),
    ...(isUnsafe ? (["foreign_origin"] as const) : []),
    "invalid",
    ...(isUnsafe ? (["unwritable"] as const) : []),
  ]
}

function securityOf(errors: readonly ErrorCode[], mayBeAnonymous: boolean, scheme?: string): object[] {
  if (scheme !== undefined) return [{ [scheme]: [] }]
  if (!errors.includes("bad_session")) return []
  return [...(mayBeAnonymous ? [{}] : []), { bearer: [] }, { session: [] }]
}

const plainText = { "text/plain": { schema: { type: "string" } } }

const codeHeaderOf = (codes: readonly ErrorCode[]) => ({
  description: "which error it is",
  required: true,
  schema: { type: "string", enum: codes },
})
