import { treaty } from "@elysiajs/eden"
import { signal } from "@preact/signals"
import type { Api } from "../../http/api.ts"
import type { ErrorCode } from "../../http/errors.ts"
import { loadDetails } from "../texts/texts.ts"
import { encodePathParameters } from "./path-parameters.ts"

/**
 * The typed client of the server's routes. `parseDate` is off because the server's dates have no zone and Eden would
 * take them for local time.
 */
export const api = encodePathParameters(treaty<Api>(location.origin, { parseDate: false }))

/** The outcome of a request. */
export type Answer<T> =
  | { readonly kind: "done"; readonly data: T }
  /** The server refused. */
  | Refused
  /** The server failed without a `detail`. */
  | { readonly kind: "broken"; readonly status: number }
  /** No response. Whether the server has processed the request is unknown. */
  | { readonly kind: "unreachable" }

/** A refusal of the server. The app decides by `code`; `detail` is for people. */
export interface Refused {
  readonly kind: "refused"
  readonly status: number
  /** Null when something between, such as a proxy, refused. */
  readonly code: ErrorCode | null
  readonly detail: string
  /** The field of the request that is wrong, if it is one. */
  readonly field?: string
  /** For status 429: when another attempt makes sense. */
  readonly waitSeconds?: number
}

export type Failure = Exclude<Answer<never>, { kind: "done" }>

/** Whether the server answered 404. After a request to remove something: somebody else has already removed it. */
export const isNotFound = (answer: Answer<unknown>): boolean => answer.kind === "refused" && answer.status === 404

/** The part of Eden's result that is used here. */
type EdenResult<T> =
  | { readonly data: T; readonly error: null; readonly response: Response }
  | { readonly data: null; readonly error: { readonly value: unknown }; readonly response: Response | undefined }

/**
 * Sends a request of the typed client, as in `await request(api.user.get())`. Never throws. A 401 marks the session as
 * ended.
 */
export async function request<T>(call: PromiseLike<EdenResult<T>>): Promise<Answer<T>> {
  const result = await Promise.resolve(call).catch(() => null)
  // The connection broke while the response was arriving, or the body is not valid JSON.
  if (result === null) return { kind: "unreachable" }
  const { data, error, response } = result
  if (error === null) return { kind: "done", data }
  if (response === undefined) return { kind: "unreachable" }
  if (response.status === 401) sessionEnded.value = true
  return failureOf(response, error.value)
}

/**
 * The outcome of a request outside of the typed client: forms, files, and the session request. A 401 does not end the
 * session. A successful response without valid JSON counts as unreachable: it was cut off, or a proxy sent it.
 */
export async function fetchJson<T>(request: Promise<Response>): Promise<Answer<T>> {
  const response = await request.catch(() => null)
  if (response === null) return { kind: "unreachable" }
  const body: unknown = await response.json().catch(() => undefined)
  if (!response.ok) return failureOf(response, body)
  return body === undefined ? { kind: "unreachable" } : { kind: "done", data: body as T }
}

/** Sends a file as it is; the typed client would send a form. A 401 marks the session as ended. */
export async function upload<T>(path: string, init: RequestInit): Promise<Answer<T>> {
  const answer = await fetchJson<T>(fetch(path, init))
  if (answer.kind === "refused" && answer.status === 401) sessionEnded.value = true
  return answer
}

async function failureOf({ status, headers }: Response, body: unknown): Promise<Failure> {
  if (!isError(body)) return { kind: "broken", status }
  await loadDetails() // the message is translated when it is shown
  const code = headers.get("error-code") as ErrorCode | null
  const field = "code" in body ? body.field : fieldOf(code, body.detail)
  const waitSeconds = Number(headers.get("retry-after") ?? 0)
  return {
    kind: "refused",
    status,
    code,
    detail: body.detail,
    ...(field !== undefined && { field }),
    ...(status === 429 && waitSeconds > 0 && { waitSeconds }),
  }
}

const isError = (body: unknown): body is { readonly detail: string; readonly code?: string; readonly field?: string } =>
  typeof body === "object" && body !== null && "detail" in body && typeof body.detail === "string"

/** The bodies of the contract name no field. What they say of a value begins with it. */
function fieldOf(code: ErrorCode | null, detail: string): string | undefined {
  if (code === "invalid") return detail.split(": ", 1)[0]
  return code === null ? undefined : contractFields[code]
}

const contractFields: Partial<Record<ErrorCode, string>> = {
  username_taken: "username",
  username_lookalike: "username",
  integrity: "email",
}

/** Set when the server answers 401: the session of this page no longer exists. */
export const sessionEnded = signal(false)
