import { signal } from "@preact/signals"

/** What became of a question to the server. */
export type Answer<T> =
  | { readonly kind: "done"; readonly data: T }
  /** It said no; `detail` in its own words. `waitSeconds`: too many requests came, and it says when to try again. */
  | {
      readonly kind: "refused"
      readonly status: number
      readonly detail: string
      readonly waitSeconds?: number
    }
  /** It failed, and says no more. */
  | { readonly kind: "broken"; readonly status: number }
  /** No answer came: of an act it is not known whether it arrived. */
  | { readonly kind: "unreachable" }

export type Failure = Exclude<Answer<never>, { kind: "done" }>

/** What Eden resolves to, as far as it is used here. */
type EdenResult<T> =
  | { readonly data: T; readonly error: null; readonly response: Response }
  | { readonly data: null; readonly error: { readonly value: unknown }; readonly response: Response | undefined }

/** `await ask(api.user.get())`: tells apart what the server said and what it did not. A 401 ends the session here. */
export async function request<T>(call: PromiseLike<EdenResult<T>>): Promise<Answer<T>> {
  const result = await Promise.resolve(call).catch(() => null)
  // The connection broke within the answer, or a JSON body is none.
  if (result === null) return { kind: "unreachable" }
  const { data, error, response } = result
  if (error === null) return { kind: "done", data }
  if (response === undefined) return { kind: "unreachable" }
  if (response.status === 401) sessionEnded.value = true
  return failureOf(response, error.value)
}

/** The answer to a request that is no business of the typed client: a form, or a question before anybody is known. */
export async function fetchJson<T>(request: Promise<Response>): Promise<Answer<T>> {
  const response = await request.catch(() => null)
  if (response === null) return { kind: "unreachable" }
  const body: unknown = await response.json().catch(() => null)
  return response.ok ? { kind: "done", data: body as T } : failureOf(response, body)
}

function failureOf({ status, headers }: Response, body: unknown): Failure {
  const detail = detailOf(body)
  if (detail === null) return { kind: "broken", status }
  const waitSeconds = Number(headers.get("retry-after") ?? 0)
  return { kind: "refused", status, detail, ...(status === 429 && waitSeconds > 0 && { waitSeconds }) }
}

function detailOf(body: unknown): string | null {
  return typeof body === "object" && body !== null && "detail" in body && typeof body.detail === "string"
    ? body.detail
    : null
}

/** The server no longer knows the session that this page had. */
export const sessionEnded = signal(false)
