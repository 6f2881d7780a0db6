import { treaty } from "@elysiajs/eden"
import { signal } from "@preact/signals"
import type { Api } from "../../http/api.ts"
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
  /** The server refused. `detail` is its own message; `waitSeconds` may be set for status 429. */
  | {
      readonly kind: "refused"
      readonly status: number
      readonly detail: string
      readonly waitSeconds?: number
    }
  /** The server failed without a `detail`. */
  | { readonly kind: "broken"; readonly status: number }
  /** No response. Whether the server has processed the request is unknown. */
  | { readonly kind: "unreachable" }

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
  const detail = detailOf(body)
  if (detail === null) return { kind: "broken", status }
  await loadDetails() // the message is translated when it is shown
  const waitSeconds = Number(headers.get("retry-after") ?? 0)
  return { kind: "refused", status, detail, ...(status === 429 && waitSeconds > 0 && { waitSeconds }) }
}

function detailOf(body: unknown): string | null {
  return typeof body === "object" && body !== null && "detail" in body && typeof body.detail === "string"
    ? body.detail
    : null
}

/** Set when the server answers 401: the session of this page no longer exists. */
export const sessionEnded = signal(false)
