import { connect } from "node:net"
import { statuses } from "../../src/http/errors.ts"

/**
 * An answer as tests compare it: as a whole, so that an extra or missing header is noticed. Only the code of an error is left
 * out, because the client checks that every error has one (`withoutCode`).
 */
export interface Answer<T = unknown> {
  readonly status: number
  /** Those of its headers that are in `comparedHeaders`; absent when there are none. */
  readonly headers?: Readonly<Record<string, string>>
  /** Parsed if it is JSON, otherwise the text. */
  readonly body: T
}

/** The headers that depend on the outcome. */
const comparedHeaders = ["allow", "location", "retry-after", "set-cookie", "upgrade", "www-authenticate"]

export interface Sent {
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  /** The fields, or the encoded text. */
  readonly form?: Readonly<Record<string, string>> | string
  /** The body, sent unchanged and with only the given headers. */
  readonly body?: BodyInit
}

export type Client = ReturnType<typeof createClient>

/** Off when a server consists of several processes, so that each request goes to another process. */
const keepalive = process.env.REWARDS_TEST_PROCESSES === undefined

/** Calls one server, always with the same credentials. */
export function createClient(url: string, credentials: Readonly<Record<string, string>> = {}) {
  const request = (method: string, path: string, sent: Sent = {}) =>
    fetch(url + path, { method, redirect: "manual", keepalive, ...contentOf(sent, credentials) })

  const call = async <T = unknown>(method: string, path: string, sent: Sent = {}) =>
    answerOf<T>(await request(method, path, sent))

  return {
    credentials,
    /** The unparsed response. */
    request,
    call,
    get: <T = unknown>(path: string) => call<T>("GET", path),
    post: <T = unknown>(path: string, json?: unknown) => call<T>("POST", path, json === undefined ? {} : { json }),
    patch: <T = unknown>(path: string, json: unknown) => call<T>("PATCH", path, { json }),
    put: <T = unknown>(path: string) => call<T>("PUT", path),
    delete: <T = unknown>(path: string) => call<T>("DELETE", path),
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
  const body: unknown = isJson && text !== "" ? JSON.parse(text) : text
  const headers = comparedHeaders.flatMap((name) => {
    const value = response.headers.get(name)
    return value === null ? [] : [[name, value]]
  })
  return {
    status: response.status,
    ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
    body: (response.ok ? body : withoutCode(new URL(response.url).pathname, response, body)) as T,
  }
}

/**
 * The body of an error without `code` and `field`, which bodies under `/api/v1` have. The error must have a code that goes with
 * its status, and in the body the same one.
 */
function withoutCode(path: string, { status, headers }: Pick<Response, "status" | "headers">, body: unknown): unknown {
  if (status < 400) return body
  const code = headers.get("error-code")
  const statusOf = Object.entries(statuses).find(([known]) => known === code)?.[1]
  if (statusOf !== status && !path.startsWith("/scim/v2/")) throw new Error(`${status} ${path} has the code ${code}`)
  if (!path.startsWith("/api/v1/") || typeof body !== "object" || body === null) return body
  const { code: inBody, field: _, ...rest } = body as Record<string, unknown>
  if (inBody !== code) throw new Error(`${status} ${path} has the code ${code}, and in its body ${inBody}`)
  return rest
}

/** Sends these bytes over a new connection, then `later` when it resolves; returns everything received. For requests that
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

/** Requests a WebSocket at an http address and returns the answer. A stream that opens (101) is dropped at once. */
export function handshake(address: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const { hostname, port, pathname, search, host } = new URL(address)
  const all = { host, connection: "Upgrade", upgrade: "websocket", ...handshakeHeaders, ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return new Promise((resolve, reject) => {
    let received = ""
    const socket = connect(Number(port), hostname, () => {
      socket.write(`GET ${pathname}${search} HTTP/1.1\r\n${lines.join("")}\r\n`)
    })
    socket.setEncoding("utf8")
    socket.on("data", (chunk) => {
      received += chunk
      const answer = answerIn(pathname, received)
      if (answer === null) return
      resolve(answer)
      socket.destroy()
    })
    socket.on("close", () => reject(new Error(`no answer to a handshake: ${JSON.stringify(received)}`)))
    socket.on("error", reject)
  })
}

const handshakeHeaders = { "sec-websocket-version": "13", "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==" }

/** The answer; null while it is incomplete. */
function answerIn(path: string, text: string): Answer | null {
  const [head = "", body] = text.split(/\r\n\r\n(.*)/s)
  if (body === undefined) return null
  const status = Number(head.split(" ", 2)[1])
  if (status === 101) return { status, body: "" }
  if (body.length < Number(/^content-length: (\d+)/im.exec(head)?.[1])) return null
  const headers = fieldsOf(head).filter(([name]) => name === "www-authenticate" || name === "retry-after")
  return {
    status,
    ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
    body: withoutCode(path, { status, headers: new Headers(fieldsOf(head)) }, JSON.parse(body)),
  }
}

const fieldsOf = (head: string): [name: string, value: string][] =>
  [...head.matchAll(/^([\w-]+): (.*)$/gm)].map(([, name = "", value = ""]) => [name.toLowerCase(), value.trim()])
