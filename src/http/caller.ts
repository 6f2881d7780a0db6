import { BlockList, isIP } from "node:net"
import { isLoopback } from "../config/rules.ts"
import type { Credentials } from "../domain/auth/access.ts"
import { sourceOf } from "../domain/auth/sources.ts"
import { isOn } from "./schemas.ts"

export const sessionCookie = "session_id"
/** Of a television: the page at /wall keeps its key in it. */
const wallCookie = "wall_key"

/** The credentials of a request, nothing of them judged. */
export function credentialsOf(request: Request): Credentials {
  return {
    sessionId: sessionIdOf(request),
    authorization: request.headers.get("authorization"),
    fresh: queryOf(request, "fresh").some(isOn),
  }
}

/** Value of the cookie `session_id`; null when the request carries none. */
export const sessionIdOf = (request: Request): string | null => cookieOf(request, sessionCookie)

/** The key of the wall; null when the request carries none. */
export const wallKeyOf = (request: Request): string | null => cookieOf(request, wallCookie)

function cookieOf(request: Request, name: string): string | null {
  const cookies = request.headers.get("cookie")
  return cookies === null ? null : new Bun.CookieMap(cookies).get(name)
}

/** Every value of a query parameter, before anything is validated. Most requests have no query: theirs is not parsed. */
export const queryOf = ({ url }: Request, name: string): string[] =>
  url.includes("?") ? new URLSearchParams(url.slice(url.indexOf("?"))).getAll(name) : []

/**
 * Where a request comes from. Only proxies of the setting `server.trusted_proxies` are believed about it: going back
 * through X-Forwarded-For from the nearest hop, the first address that is no such proxy.
 */
export function createAddressOf(trustedProxies: readonly string[]) {
  if (trustedProxies.length === 0) return (_: Request, peer: string) => plainAddress(peer)
  const trusted = blockListOf(trustedProxies)

  return (request: Request, peer: string): string => {
    let nearest = plainAddress(peer)
    const hops = request.headers.get("x-forwarded-for")?.split(",") ?? []
    while (isTrusted(trusted, nearest)) {
      const next = addressIn(hops.pop() ?? "")
      if (next === null) break // nobody says whence it came
      nearest = next
    }
    return nearest
  }
}

/** The address of a hop, some of which add a port; null when it is none. */
function addressIn(hop: string): string | null {
  const [, inBrackets, withPort] = /^\[(.+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(hop.trim()) ?? []
  const address = inBrackets ?? withPort ?? hop.trim()
  return isIP(address) === 0 ? null : plainAddress(address)
}

/** One that listens on `::` sees IPv4 addresses as parts of IPv6. */
const plainAddress = (address: string): string =>
  address.startsWith("::ffff:") && isIP(address.slice(7)) === 4 ? address.slice(7) : address

/** What counts as one source, for limits on other machines; null for this one. */
export const sourceOfOther = (address: string): string | null =>
  address === "" || isLoopback(address) ? null : sourceOf(address)

function blockListOf(addresses: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of addresses) {
    const [address = "", prefix] = entry.split("/")
    const family = isIP(address) === 6 ? "ipv6" : "ipv4"
    if (prefix === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(prefix), family)
  }
  return list
}

function isTrusted(trusted: BlockList, address: string): boolean {
  const family = isIP(address)
  return family !== 0 && trusted.check(address, family === 6 ? "ipv6" : "ipv4")
}

/** The path as it was sent, without the query, which may hold a token. */
export function pathOf({ url }: Request): string {
  const start = url.startsWith("/") ? 0 : url.indexOf("/", url.indexOf("//") + 2)
  const end = url.indexOf("?", start)
  return url.slice(start, end < 0 ? undefined : end)
}

/** HTTP/1.0 may leave out the host, and Bun gives a bare path then, in which no router finds its way. */
export function withHost(request: Request): Request {
  const lacksHost = request.url.startsWith("/") && !request.headers.get("host")
  return lacksHost ? new Request(`http://localhost${request.url}`, request) : request
}
