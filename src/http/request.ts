import type { Server } from "bun"
import type { Caller, Credentials } from "../domain/auth/access.ts"
import { sourceOf } from "../domain/auth/sources.ts"
import { invalid } from "../domain/errors.ts"
import type { KeyedRequest } from "../domain/idempotency/idempotency.ts"
import { sha256 } from "../domain/text.ts"
import { isLoopback, net, rangesOf } from "../net/addresses.ts"
import type { StreamClient } from "../stream/socket.ts"
import type { Receive } from "./concurrency-limit.ts"
import { isOn } from "./schemas.ts"
import type { Holder } from "./turns.ts"

export const sessionCookie = "session_id"
/** The page at /wall sets this cookie, so that a television keeps its key. */
const wallCookie = "wall_key"

/** What took the connection of a request. */
export type Listener = Pick<Server<StreamClient>, "requestIP" | "upgrade">

/** What the server reads from every request before routing, once. */
export interface Arrival extends Holder {
  /** For X-Request-Id. */
  readonly id: string
  /** The client's IP address. */
  readonly address: string
  /** The path as it was sent, without the query, which may hold a token. */
  readonly path: string
  /** Not checked yet. */
  readonly credentials: Credentials
  readonly receive: Receive
  /** The listener that took the connection. Nothing else can make a WebSocket of the request. */
  readonly listener: Listener
  /** Whether the connection ends after the answer, because its listener has been replaced. */
  readonly isLast: boolean
  /** Whether the request is within the concurrency limit. */
  readonly isAdmitted: boolean
}

/** Credentials from the headers `Authorization` and `Cookie` and from the query. */
export const credentialsOf = (
  url: string,
  authorization: string | null,
  cookies: string | null,
  address: string,
): Credentials => ({
  sessionId: cookies === null ? null : cookieOf(cookies, sessionCookie),
  authorization,
  fresh: queryOf(url, "fresh").some(isOn),
  address,
})

/** The key of the wall; null when the request carries none. */
export function wallKeyOf({ headers }: Request): string | null {
  const cookies = headers.get("cookie")
  return cookies === null ? null : cookieOf(cookies, wallCookie)
}

/** The value of a cookie, percent-decoded; empty when there is none. */
export function cookieNamed({ headers }: Request, name: string): string {
  const cookies = headers.get("cookie")
  return (cookies === null ? null : cookieOf(cookies, name)) ?? ""
}

const cookieOf = (cookies: string, name: string): string | null => new Bun.CookieMap(cookies).get(name)

/** Every value of a query parameter, before validation. Skips parsing when the query cannot hold the parameter. */
export function queryOf(url: string, name: string): string[] {
  const start = url.indexOf("?")
  if (start < 0) return []
  const query = url.slice(start)
  // A percent sign may encode a letter of the name.
  return query.includes(name) || query.includes("%") ? new URLSearchParams(query).getAll(name) : []
}

/**
 * The header `Idempotency-Key` of a request that sends points. With a service token it is required, because programs repeat
 * requests that got no answer. @throws DomainError `invalid`
 */
export function idempotencyKeyOf({ headers }: Request, { apiToken }: Caller): string | null {
  const key = headers.get("idempotency-key")
  if (key === null && apiToken?.kind === "service")
    throw invalid("Idempotency-Key", "required with a service token, a new one for each sending")
  return key
}

/**
 * A request under the header `Idempotency-Key`, which is the same request if it has the same address and the same body;
 * null when it has no key.
 */
export function keyedRequestOf({ headers, url }: Request, { user }: Caller, body: unknown = null): KeyedRequest | null {
  const key = headers.get("idempotency-key")
  if (key === null) return null
  const { pathname, search } = new URL(url)
  const content = body instanceof Uint8Array ? sha256(body) : body
  return { ownerId: user.id, key, request: [`${pathname}${search}`, content] }
}

/**
 * Which accounts a list shows: active ones (true), inactive ones (false), or both (null). The parameter has an effect only
 * for callers who may see inactive ones. @throws DomainError `invalid`
 */
export function activeFor(seesInactive: boolean, active: string | undefined): boolean | null {
  if (active !== undefined && !["true", "false", "all"].includes(active)) throw invalid("active", "true, false or all")
  if (active === undefined || !seesInactive) return true
  return active === "all" ? null : active === "true"
}

/** The path of the request's URL, which may have no host. */
export function pathOf({ url }: Request): string {
  const start = url.startsWith("/") ? 0 : url.indexOf("/", url.indexOf("//") + 2)
  const end = url.indexOf("?", start)
  return url.slice(start, end < 0 ? undefined : end)
}

/** Whether the client accepts a page instead of JSON, as browsers do. */
export const takesPages = ({ headers }: Request): boolean => headers.get("accept")?.includes("text/html") ?? false

/** Adds a host to an HTTP/1.0 request without one: Bun gives a bare path as its URL, which no router understands. */
export function withHost(request: Request): Request {
  const lacksHost = request.url.startsWith("/") && !request.headers.get("host")
  return lacksHost ? new Request(`http://localhost${request.url}`, request) : request
}

/**
 * Finds the client's IP address. X-Forwarded-For counts only behind the proxies of the setting `server.trusted_proxies`:
 * going back from the nearest hop, the client is the first address that is not such a proxy.
 */
export function createAddressOf(trustedProxies: readonly string[]) {
  if (trustedProxies.length === 0) return (_: Request, peer: string) => plainAddress(peer)
  const isTrusted = rangesOf(trustedProxies)

  return (request: Request, peer: string): string => {
    let nearest = plainAddress(peer)
    const hops = request.headers.get("x-forwarded-for")?.split(",") ?? []
    while (isTrusted(nearest)) {
      const next = addressIn(hops.pop() ?? "")
      if (next === null) break
      nearest = next
    }
    return nearest
  }
}

/** The network that counts as one client for limits; null for this machine, which counts for none. */
export const sourceOfOther = (address: string): string | null =>
  address === "" || isLoopback(address) ? null : sourceOf(address)

/** The address of a hop, with or without a port; null when it is not an address. */
function addressIn(hop: string): string | null {
  const [, inBrackets, withPort] = /^\[(.+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(hop.trim()) ?? []
  const address = inBrackets ?? withPort ?? hop.trim()
  return net().isIP(address) === 0 ? null : plainAddress(address)
}

/** A server that listens on `::` sees IPv4 addresses mapped into IPv6. */
const plainAddress = (address: string): string =>
  address.startsWith("::ffff:") && net().isIP(address.slice(7)) === 4 ? address.slice(7) : address
