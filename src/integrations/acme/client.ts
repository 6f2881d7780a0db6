import { createHash, createHmac, createPrivateKey, createPublicKey, sign } from "node:crypto"
import { version } from "../../../package.json"
import type { Fetch } from "../../net/connecting.ts"
import { isUntrusted, problemOf } from "../../support/system-errors.ts"
import { AcmeFailure, failureOf, type Problem } from "./failure.ts"

/** An account that the authority made outside of ACME, and to which ours is bound. */
export interface ExternalAccount {
  readonly kid: string
  /** In base64url. */
  readonly key: string
}

interface AuthorityOptions {
  /** The URL of the authority's directory. */
  readonly directory: string
  /** PEM of a key on P-256. */
  readonly accountKey: string
  readonly email: string | null
  readonly externalAccount: ExternalAccount | null
  /** Publishes the answer to a challenge at `/.well-known/acme-challenge/TOKEN`; the function that it returns withdraws it. */
  readonly publish: (token: string, answer: string) => () => void
  readonly fetch: Fetch
  readonly signal: AbortSignal
}

interface Wanted {
  readonly domains: readonly string[]
  /** The request for the certificate, in DER. */
  readonly request: Buffer
}

const answerTimeoutMs = 30_000
/** How long the authority may take to look at a name, or to make a certificate. */
const patienceMs = 180_000
const maxBadNonces = 5

/** Parts of the objects of RFC 8555, section 7.1. */
interface Directory {
  readonly newNonce: string
  readonly newAccount: string
  readonly newOrder: string
}

interface Order {
  readonly status: string
  readonly authorizations: readonly string[]
  readonly finalize: string
  readonly certificate?: string
  readonly error?: unknown
}

interface Authorization {
  readonly status: string
  readonly identifier: { readonly value: string }
  readonly challenges: readonly Challenge[]
}

interface Challenge {
  readonly type: string
  readonly url: string
  readonly token: string
  readonly error?: unknown
}

interface Answer {
  readonly headers: Headers
  /** The parsed body of JSON, or else its text. */
  readonly body: unknown
}

/**
 * Proves to the authority, over HTTP, that this server answers for the names in `request`, and returns the certificate with
 * its chain in PEM (RFC 8555). Written on `fetch`, because the library acme-client hides the type of a refusal and how long to
 * wait, which is what an operator needs, and waits for hours by itself.
 * @throws AcmeFailure, and the reason of `signal`
 */
export async function certify(wanted: Wanted, options: AuthorityOptions): Promise<string> {
  try {
    return await order(wanted, options)
  } catch (error) {
    options.signal.throwIfAborted()
    throw error instanceof Refused ? failureOf(error.problem, { cause: error }) : error
  }
}

async function order(
  { domains, request }: Wanted,
  { directory: directoryUrl, accountKey, email, externalAccount, publish, fetch, signal }: AuthorityOptions,
): Promise<string> {
  const key = createPrivateKey(accountKey)
  const { crv, kty, x, y } = createPublicKey(key).export({ format: "jwk" })
  const jwk = { crv, kty, x, y } // in the order of their names, which the thumbprint needs (RFC 7638)
  const thumbprint = createHash("sha256").update(JSON.stringify(jwk)).digest("base64url")
  let nonce: string | null = null
  let account: string | null = null

  const directory = await readDirectory()
  const registered = await post(directory.newAccount, {
    termsOfServiceAgreed: true,
    ...(email !== null && { contact: [`mailto:${email}`] }),
    ...(externalAccount && { externalAccountBinding: binding(externalAccount) }),
  })
  account = registered.headers.get("location")

  const identifiers = domains.map((value) => ({ type: "dns", value }))
  const ordered = await post(directory.newOrder, { identifiers })
  const orderUrl = ordered.headers.get("location") ?? ""
  const { authorizations } = ordered.body as Order
  for (const url of authorizations) await prove(url)

  const ready = await settled<Order>(orderUrl, ["pending"])
  if (ready.status === "ready") await post(ready.finalize, { csr: request.toString("base64url") })
  const done = await settled<Order>(orderUrl, ["pending", "ready", "processing"])
  if (done.status !== "valid" || done.certificate === undefined) throw failureOf(problemIn(done.error, null))
  const { body } = await post(done.certificate, null)
  return String(body)

  async function readDirectory(): Promise<Directory> {
    const { body } = await exchange(directoryUrl).catch((error) => {
      throw error instanceof Refused && error.problem.type === "none" ? notOne : error
    })
    if (typeof body !== "object" || body === null || !("newOrder" in body)) throw notOne
    return body as Directory
  }

  async function prove(url: string) {
    const authorization = (await post(url, null)).body as Authorization
    if (authorization.status === "valid") return
    const challenge = authorization.challenges.find(({ type }) => type === "http-01")
    const domain = authorization.identifier.value
    if (challenge === undefined)
      throw new AcmeFailure(
        `${domain}: the authority does not check this name over http`,
        "name another authority in server.acme_directory",
      )
    const withdraw = publish(challenge.token, `${challenge.token}.${thumbprint}`)
    try {
      await post(challenge.url, {})
      const { status, challenges } = await settled<Authorization>(url, ["pending"])
      if (status === "valid") return
      throw failureOf(problemIn(challenges.find(({ error }) => error !== undefined)?.error, domain))
    } finally {
      withdraw()
    }
  }

  /** The object at this URL, once it has another status than these. */
  async function settled<T extends { readonly status: string }>(url: string, waiting: readonly string[]): Promise<T> {
    const deadline = performance.now() + patienceMs
    for (let pauseMs = 250; ; pauseMs = Math.min(pauseMs * 2, 5000)) {
      const { headers, body } = await post(url, null)
      const object = body as T
      if (!waiting.includes(object.status)) return object
      if (performance.now() > deadline)
        throw new AcmeFailure("the authority did not finish in time", "wait, the server tries again by itself")
      await pause(Math.min(retryAfterMs(headers) ?? pauseMs, deadline - performance.now() + 1), signal)
    }
  }

  /** A signed request; null asks for what is at the URL. */
  async function post(url: string, payload: object | null): Promise<Answer> {
    for (let attempt = 1; ; attempt += 1) {
      nonce ??= (await exchange(directory.newNonce, { method: "HEAD" })).headers.get("replay-nonce")
      const header = { alg: "ES256", nonce, url, ...(account === null ? { jwk } : { kid: account }) }
      nonce = null // each is good for one request
      try {
        return await exchange(url, {
          method: "POST",
          headers: { "content-type": "application/jose+json" },
          body: JSON.stringify(jws(header, payload, (text) => signature(text))),
        })
      } catch (error) {
        const isBadNonce = error instanceof Refused && error.problem.type === "badNonce"
        if (!isBadNonce || attempt === maxBadNonces) throw error
      }
    }
  }

  function signature(text: string): Buffer {
    return sign("sha256", Buffer.from(text), { key, dsaEncoding: "ieee-p1363" })
  }

  function binding({ kid, key }: ExternalAccount) {
    const header = { alg: "HS256", kid, url: directory.newAccount }
    return jws(header, jwk, (text) => createHmac("sha256", Buffer.from(key, "base64url")).update(text).digest())
  }

  /** @throws Refused, AcmeFailure when there is no answer */
  async function exchange(url: string, init: BunFetchRequestInit = {}): Promise<Answer> {
    const headers = { "user-agent": `rewards/${version}`, ...init.headers }
    try {
      const response = await fetch(url, {
        ...init,
        headers,
        signal: AbortSignal.any([signal, AbortSignal.timeout(answerTimeoutMs)]),
      })
      nonce = response.headers.get("replay-nonce") ?? nonce
      const text = await response.text()
      const isJson = /^application\/(\w+\+)?json\b/.test(response.headers.get("content-type") ?? "")
      const body: unknown = isJson ? JSON.parse(text) : text
      if (!response.ok) throw new Refused(problemIn(body, null, retryAfterMs(response.headers)))
      return { headers: response.headers, body }
    } catch (error) {
      if (signal.aborted || error instanceof Refused) throw error
      throw unreachable(directoryUrl, error)
    }
  }
}

const notOne = new AcmeFailure("server.acme_directory is not the directory of an ACME authority", "correct it", {
  isCounted: false,
})

/** The authority answered with an error. */
class Refused extends Error {
  constructor(readonly problem: Problem) {
    super(problem.type)
  }
}

function unreachable(directory: string, error: unknown): AcmeFailure {
  const cure = isUntrusted(error)
    ? "if this authority is your own, name the file of its certificate in the variable NODE_EXTRA_CA_CERTS of the server"
    : "check the network of this machine and server.acme_directory; the server tries again by itself"
  const why = error instanceof Error && error.name === "TimeoutError" ? "it does not answer" : problemOf(error)
  return new AcmeFailure(`the authority at ${new URL(directory).host} cannot be used: ${why}`, cure, {
    isCounted: false,
    cause: error,
  })
}

/** A JSON Web Signature in its flattened form (RFC 7515, section 7.2.2). */
function jws(header: object, payload: object | null, signatureOf: (text: string) => Buffer) {
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")
  const parts = { protected: encoded(header), payload: payload === null ? "" : encoded(payload) }
  return { ...parts, signature: signatureOf(`${parts.protected}.${parts.payload}`).toString("base64url") }
}

/** A problem document (RFC 9457), or its part that names what is wrong with one of several names. */
function problemIn(body: unknown, domain: string | null, retryAfter: number | null = null): Problem {
  const read = (value: unknown, key: string): unknown =>
    typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined
  const parts = read(body, "subproblems")
  const part: unknown = Array.isArray(parts) ? parts[0] : undefined
  const type = read(part, "type") ?? read(body, "type") ?? "none" // such as the answer of a proxy
  const named = read(read(part, "identifier"), "value")
  return {
    type: String(type).replace("urn:ietf:params:acme:error:", ""),
    detail: shortened(String(read(part, "detail") ?? read(body, "detail") ?? "")),
    domain: typeof named === "string" ? named : domain,
    retryAfterMs: retryAfter,
  }
}

/** One line for the log, which an authority could not fill. */
const shortened = (text: string): string =>
  text
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim()
    .slice(0, 300)

/** Seconds or a date; null when absent. */
function retryAfterMs(headers: Headers): number | null {
  const given = headers.get("retry-after")
  if (given === null) return null
  const ms = /^\d+$/.test(given) ? Number(given) * 1000 : Date.parse(given) - Date.now()
  return Number.isNaN(ms) ? null : Math.max(ms, 0)
}

async function pause(ms: number, signal: AbortSignal) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  signal.addEventListener("abort", () => resolve(), { once: true })
  await promise
  clearTimeout(timer)
  signal.throwIfAborted()
}
