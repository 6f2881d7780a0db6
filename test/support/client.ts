import { connect } from "node:net"

/** An answer as tests compare it: as a whole, so that an extra or missing header is noticed. */
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
  const headers = comparedHeaders.flatMap((name) => {
    const value = response.headers.get(name)
    return value === null ? [] : [[name, value]]
  })
  return {
    status: response.status,
    ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
    body: (isJson && text !== "" ? JSON.parse(text) : text) as T,
  }
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
      const answer = answerIn(received)
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
function answerIn(text: string): Answer | null {
  const [head = "", body] = text.split(/\r\n\r\n(.*)/s)
  if (body === undefined) return null
  const status = Number(head.split(" ", 2)[1])
  if (status === 101) return { status, body: "" }
  if (body.length < Number(/^content-length: (\d+)/im.exec(head)?.[1])) return null
  const headers = [...head.matchAll(/^(www-authenticate|retry-after): (.*)$/gim)]
  return {
    status,
    ...(headers.length > 0 && {
      headers: Object.fromEntries(headers.map(([, name = "", value = ""]) => [name.toLowerCase(), value])),
    }),
    body: JSON.parse(body),
  }
}
