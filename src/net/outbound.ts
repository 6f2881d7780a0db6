import { problemOf } from "../support/system-errors.ts"
import { isIpAddress, net, rangesOf } from "./addresses.ts"
import { addressesOf, atFirstReachable, certifiedName, hostOf, noConnection, portOf } from "./connecting.ts"
import type { Resolve } from "./resolver.ts"

/** How many bytes of an answer's body are read. After that the connection is closed. */
const maxBodyBytes = 4096
/** How many answers of status 1xx may come before the answer itself. */
const maxInterim = 10
/** Time limit of a whole exchange, from the DNS lookup to the end of the answer. */
const defaultTimeoutMs = 10_000

export interface OutboundOptions {
  /** Networks that may be reached although they are private, and without TLS. */
  readonly allowPrivate: readonly string[]
  /** The setting that lists them. */
  readonly allowPrivateSetting?: "webhooks.allow_private" | "push.allow_private"
  /** Ports besides 443 and 80. */
  readonly ports: readonly number[]
  /** Certificate authorities in PEM form to trust besides the system's. */
  readonly ca?: () => string
  readonly resolve?: Resolve
  readonly timeoutMs?: number
}

interface OutboundRequest {
  readonly method: "GET" | "POST"
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  readonly signal?: AbortSignal | undefined
  /** How many bytes of the body are read, for answers that may be longer than a webhook's. */
  readonly maxBytes?: number
}

interface OutboundAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The beginning of the body, as text. */
  readonly body: string
}

/**
 * This server does not connect to the destination. The message says why, and what an operator can do; `rule` says the
 * same without any part of the URL, for an answer that must not repeat what it refuses.
 */
export class RefusedDestination extends Error {
  override readonly name = "RefusedDestination"

  constructor(
    readonly rule: string,
    message = rule,
  ) {
    super(message)
  }
}

const listPort = "to use it, list it in webhooks.ports"

export type Outbound = ReturnType<typeof createOutbound>

/**
 * Sends HTTP requests to URLs that users enter. A name is resolved once, all its addresses must be public or in
 * `allowPrivate`, and the connection goes to one of exactly these addresses, so that a DNS answer that changes later
 * (DNS rebinding) gains nothing. It follows no redirects, ignores proxy variables in the environment, and reads only
 * the beginning of the answer, within a time limit.
 */
export function createOutbound(options: OutboundOptions) {
  const {
    allowPrivate,
    allowPrivateSetting = "webhooks.allow_private",
    ports,
    ca,
    resolve,
    timeoutMs = defaultTimeoutMs,
  } = options
  const isAllowed = rangesOf(allowPrivate)
  const listNetwork = `to allow it, list its network in ${allowPrivateSetting}`
  // Loaded on first use, because no start needs these modules.
  const http = () => process.getBuiltinModule("node:http")
  const https = () => process.getBuiltinModule("node:https")
  let agents: { readonly plain: import("node:http").Agent; readonly tls: import("node:https").Agent } | undefined

  return {
    /** @throws RefusedDestination; any other error, with problem and cure, when the exchange fails */
    async send(request: OutboundRequest): Promise<OutboundAnswer> {
      const { signal } = request
      const limit = AbortSignal.timeout(timeoutMs)
      const end = signal ? AbortSignal.any([signal, limit]) : limit
      try {
        const url = checkedUrl(request.url)
        const addresses = await untilAborted(checkedAddresses(url), end)
        return await atFirstReachable(addresses, (address, withinMs) =>
          exchange(address, url, request, { signal: end, withinMs }),
        )
      } catch (error) {
        if (limit.aborted) throw new Error(`no complete answer within ${timeoutMs / 1000} seconds`, { cause: error })
        throw inWords(error)
      }
    },

    /** The addresses to which a request to this URL would connect. @throws RefusedDestination */
    check: async (url: string): Promise<readonly string[]> => checkedAddresses(checkedUrl(url)),

    /** Closes idle connections. */
    close() {
      agents?.plain.destroy()
      agents?.tls.destroy()
    },
  }

  function checkedUrl(given: string): URL {
    const url = URL.parse(given)
    if (!url || !["https:", "http:"].includes(url.protocol)) throw new RefusedDestination("it is not an https URL")
    if (url.username !== "" || url.password !== "")
      throw new RefusedDestination("its URL holds a user name or password")
    const port = portOf(url)
    if (![443, 80, ...ports].includes(port))
      throw new RefusedDestination(`its port is not allowed; ${listPort}`, `port ${port} is not allowed; ${listPort}`)
    return url
  }

  async function checkedAddresses(url: URL): Promise<readonly string[]> {
    const name = hostOf(url)
    const found = await addressesOf(name, resolve)
    if (found.length === 0) throw new Error(`${name} has no address`)
    for (const address of found) {
      if (isAllowed(address)) continue
      if (!isPublic(address))
        throw new RefusedDestination(
          `it has an address that is not public; ${listNetwork}`,
          `${name} has the address ${address}, which is not public; ${listNetwork}`,
        )
      if (url.protocol !== "https:")
        throw new RefusedDestination("a public address needs https, since anybody on the way could read it")
    }
    return found
  }

  /** Always ends: with an answer, or with an error. */
  function exchange(
    address: string,
    url: URL,
    request: OutboundRequest,
    { signal, withinMs, mayReuse = true }: { signal: AbortSignal; withinMs: number | undefined; mayReuse?: boolean },
  ): Promise<OutboundAnswer> {
    const { method, headers = {}, body, maxBytes = maxBodyBytes } = request
    agents ??= {
      plain: new (http().Agent)({ keepAlive: true, maxFreeSockets: 4 }),
      tls: new (https().Agent)({ keepAlive: true, maxFreeSockets: 4 }),
    }
    const { promise, resolve: done, reject } = Promise.withResolvers<OutboundAnswer>()
    const isTls = url.protocol === "https:"
    const options = {
      method,
      host: address,
      port: portOf(url),
      path: url.pathname + url.search,
      agent: mayReuse && (isTls ? agents.tls : agents.plain),
      headers: {
        ...headers,
        host: url.host,
        "user-agent": "rewards",
        ...(body !== undefined && { "content-length": `${Buffer.byteLength(body)}` }),
      },
      setDefaultHeaders: false,
    }
    // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED in the environment cannot turn the check off.
    const trust = { rejectUnauthorized: true, minVersion: "TLSv1.2" as const, ...(ca && { ca: trusted(ca()) }) }
    const sent = isTls
      ? https().request({ ...options, ...trust, ...(!isIpAddress(hostOf(url)) && { servername: certifiedName(url) }) })
      : http().request(options)
    const abort = () => {
      reject(new Error("the exchange was ended")) // first, because not every state of a connection reports its end
      sent.destroy()
    }
    signal.addEventListener("abort", abort, { once: true })
    const tooLate = withinMs === undefined ? undefined : setTimeout(() => sent.destroy(noConnection()), withinMs)
    sent.on("socket", (socket) => {
      if (socket.connecting) socket.once("connect", () => clearTimeout(tooLate))
      else clearTimeout(tooLate)
    })
    let hasAnswer = false
    sent.on("error", (error) => {
      // A receiver may close an idle connection at any moment, also while a request is on its way to it.
      const wasIdle = sent.reusedSocket && !hasAnswer && isClosed(error) && !signal.aborted
      if (wasIdle) done(exchange(address, url, request, { signal, withinMs, mayReuse: false }))
      else reject(error)
    })
    const closed = () => reject(new Error("the connection was closed before the answer was complete"))
    sent.on("close", closed)
    // 101 hands the connection over to another protocol, which nobody here speaks.
    sent.on("upgrade", ({ statusCode = 0, headers }, socket) => {
      socket.destroy()
      done({ status: statusCode, headers: textHeaders(headers), body: "" })
    })
    let interim = 0
    sent.on("information", () => {
      interim += 1
      if (interim > maxInterim) sent.destroy(new Error("the receiver sent too many interim answers (1xx)"))
    })
    sent.on("response", (answer) => {
      hasAnswer = true
      sent.off("close", closed) // which may come before the end of an answer that is complete
      const parts: Buffer[] = []
      let length = 0
      const finish = () =>
        done({
          status: answer.statusCode ?? 0,
          headers: textHeaders(answer.headers),
          body: new TextDecoder().decode(Buffer.concat(parts).subarray(0, maxBytes)),
        })
      answer.on("data", (part: Buffer) => {
        parts.push(part)
        length += part.length
        if (length < maxBytes) return
        finish()
        sent.destroy()
      })
      answer.on("end", finish)
      answer.on("error", reject)
      answer.on("close", closed)
    })
    if (signal.aborted) abort()
    else sent.end(body)
    return promise.finally(() => {
      clearTimeout(tooLate)
      signal.removeEventListener("abort", abort)
    })
  }
}

/** Adds to the system's authorities, so that receivers inside and outside the company work. */
const trusted = (pem: string): string[] => [...process.getBuiltinModule("node:tls").rootCertificates, pem]

function textHeaders(headers: Readonly<Record<string, string | string[] | undefined>>) {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value?.toString()]))
}

const isClosed = (error: unknown): boolean => ["ECONNRESET", "EPIPE"].includes(codeOf(error))

const codeOf = (error: unknown): string => (error instanceof Error && "code" in error ? String(error.code) : "")

/** An error of the system or of TLS as a sentence for the operator; any other error unchanged. */
function inWords(error: unknown): unknown {
  const words = problemOf(error)
  return error instanceof Error && words === error.message ? error : new Error(words, { cause: error })
}

/** Stops waiting when `signal` aborts, because a lookup cannot be cancelled. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  signal.addEventListener("abort", abort, { once: true })
  if (signal.aborted) abort()
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener("abort", abort)
  }
}

/** Addresses for special purposes (IANA's registries for IPv4 and IPv6), which no receiver on the internet has. */
const special = [
  ..."0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24".split(" "),
  ..."192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4".split(" "),
  // Special ranges within 2000::/3: protocol assignments such as Teredo, documentation, and 6to4, which contains an
  // IPv4 address.
  ..."2001::/23 2001:db8::/32 2002::/16 3fff::/20".split(" "),
]
const isSpecial = rangesOf(special)
/** All other IPv6 addresses are local, multicast, or contain an IPv4 address (mapped, NAT64). */
const isGlobalUnicast = rangesOf(["2000::/3"])

function isPublic(address: string): boolean {
  if (isSpecial(address)) return false
  return net().isIPv4(address) || (net().isIPv6(address) && isGlobalUnicast(address))
}

/** The fields of a JSON object that another server answered; null for anything else, such as the page of a portal in between. */
export function fieldsIn(body: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : null
  } catch {
    return null
  }
}
