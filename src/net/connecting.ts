import { isIpAddress } from "./addresses.ts"
import { type Resolve, resolveName } from "./resolver.ts"

/** Codes of errors without a connection: the system's, and those of `fetch`. */
const unreachable = [
  "ECONNREFUSED",
  "ENETUNREACH",
  "EHOSTUNREACH",
  "EADDRNOTAVAIL",
  "ConnectionRefused",
  "FailedToOpenSocket",
]

/** The addresses of a host, which may be an address itself. */
export const addressesOf = async (host: string, resolve: Resolve = resolveName): Promise<readonly string[]> =>
  isIpAddress(host) ? [host] : (await resolve(host)).map(({ address }) => address)

/** Tries the next address only if there was no connection, so that nothing is sent twice. */
export async function atFirstReachable<T>(
  [first = "", ...others]: readonly string[],
  act: (address: string) => Promise<T>,
): Promise<T> {
  try {
    return await act(first)
  } catch (error) {
    if (others.length === 0 || !isUnreachable(error)) throw error
    return atFirstReachable(others, act)
  }
}

/** The library for mail puts the system's code beside its own. */
const isUnreachable = (error: unknown): boolean => {
  const { code, originalCode = code } = Object(error)
  return unreachable.includes(String(originalCode))
}

/** The host of a URL, without the brackets of an IPv6 address. The URL parser has converted octal, hexadecimal and
 *  short IPv4 addresses to the normal form. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "")

export type Fetch = ReturnType<typeof createFetch>

/**
 * `fetch` for addresses that the operator chose. It looks the name up itself, because `fetch` does so on the thread pool, and
 * connects to the address under the name. It follows no redirects, which would lead to other names.
 */
export const createFetch =
  (resolve?: Resolve) =>
  async (address: string, init: BunFetchRequestInit = {}): Promise<Response> => {
    const url = new URL(address)
    const name = hostOf(url)
    if (isIpAddress(name)) return fetch(url, { ...init, redirect: "manual" })
    const headers = new Headers(init.headers)
    headers.set("host", url.host)
    return atFirstReachable(await addressesOf(name, resolve), (found) => {
      const to = new URL(url)
      to.hostname = found.includes(":") ? `[${found}]` : found
      return fetch(to, { ...init, headers, redirect: "manual", tls: { ...init.tls, serverName: name } })
    })
  }
