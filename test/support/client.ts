import { connect } from "node:net"

/** What a caller sees of an answer: compared whole, so that a header too many or too few is seen too. */
export interface Answer<T = unknown> {
  readonly status: number
  /** Those of `tellingHeaders` that it has; absent when it has none. */
  readonly headers?: Readonly<Record<string, string>>
  /** Parsed when it is JSON, else the text. */
  readonly body: T
}

/** Headers that say something about the outcome. */
const tellingHeaders = ["allow", "location", "retry-after", "set-cookie", "upgrade", "www-authenticate"]

export interface Sent {
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  /** Fields, or the encoded text itself. */
  readonly form?: Readonly<Record<string, string>> | string
  /** Sent as it is, with the headers given and no other. */
  readonly body?: BodyInit
}

export type Client = ReturnType<typeof createClient>

/** Calls one server, always with the same credentials. */
export function createClient(url: string, credentials: Readonly<Record<string, string>> = {}) {
  const request = (method: string, path: string, sent: Sent = {}) =>
    fetch(url + path, { method, redirect: "manual", ...contentOf(sent, credentials) })

  const call = async <T = unknown>(method: string, path: string, sent: Sent = {}) =>
    answerOf<T>(await request(method, path, sent))

  return {
    credentials,
    /** The response as it comes. */
    request,
    call,
    get: <T = unknown>(path: string) => call<T>("GET", path),
    post: <T = unknown>(path: string, json?: unknown) => call<T>("POST", path, json === undefined ? {} : { json }),
    patch: <T = unknown>(path: string, json: unknown) => call<T>("PATCH", path, { json }),
    submit: <T = unknown>(path: string, form: Sent["form"] & {}) => call<T>("POST", path, { form }),
  }
}

function contentOf({ headers, json, form, body }: Sent, credentials: Readonly<Record<string, string>>) {
  if (json !== undefined)
    return { headers: { ...credentials, "content-type": "application/json", ...headers }, body: JSON.stringify(json) }
  if (form !== undefined)
    return {
      headers: { ...credentials, "content-type": "application/x-www-form-urlencoded", ...headers },
      body: typeof form === "string" ? form : new URLSearchParams(form).toString(),
    }
  return { headers: { ...credentials, ...headers }, ...(body !== undefined && { body }) }
}

async function answerOf<T>(response: Response): Promise<Answer<T>> {
  const text = await response.text()
  const isJson = response.headers.get("content-type")?.startsWith("application/json")
  const telling = tellingHeaders.flatMap((name) => {
    const value = response.headers.get(name)
    return value === null ? [] : [[name, value]]
  })
  return {
    status: response.status,
    ...(telling.length > 0 && { headers: Object.fromEntries(telling) }),
    body: (isJson && text !== "" ? JSON.parse(text) : text) as T,
  }
}

/** Sends these bytes over a connection of its own, and `later` when it resolves; returns all that comes back. For what
 *  no client would send. */
export function exchange(url: string, bytes: string | Uint8Array, later = Promise.resolve("")): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    let received = ""
    const socket = connect(Number(port), hostname, async () => {
      socket.write(bytes)
      socket.write(await later)
    })
    socket.setEncoding("utf8")
    socket.on("data", (chunk) => {
      received += chunk
    })
    socket.on("close", () => resolve(received))
    socket.on("error", reject)
  })
}
