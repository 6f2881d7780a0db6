import { isIpAddress, net } from "./addresses.ts"
import { proxyFor } from "./proxies.ts"
import { type Resolve, resolveName } from "./resolver.ts"

/** Codes of errors without a connection: the system's, and those of `fetch`. */
const unreachable = [
  "ECONNREFUSED",
  "ENETUNREACH",
  "EHOSTUNREACH",
  "EADDRNOTAVAIL",
  "EAFNOSUPPORT",
  "ConnectionRefused",
  "FailedToOpenSocket",
]

/** How long a connection may take while there are other addresses to try. */
const connectMs = 1000

/** As the library for mail says it. A timeout of the system may also come after something was sent. */
const connectTimeout = "CONNECT_TIMEOUT"

export const noConnection = (): Error =>
  Object.assign(new Error("no connection in time"), { code: "ETIMEDOUT", timeoutType: connectTimeout })

/** The addresses of a host, which may be an address itself. */
export const addressesOf = async (host: string, resolve: Resolve = resolveName): Promise<readonly string[]> =>
  isIpAddress(host) ? [host] : (await resolve(host)).map(({ address }) => address)

/**
 * Tries the next address only if there was no connection, so that nothing is sent twice. `act` must give up an address to which
 * it does not connect within `withinMs`.
 */
export async function atFirstReachable<T>(
  [first = "", ...others]: readonly string[],
  act: (address: string, withinMs: number | undefined) => Promise<T>,
): Promise<T> {
  try {
    return await act(first, others.length > 0 ? connectMs : undefined)
  } catch (error) {
    if (others.length === 0 || !isUnreachable(error)) throw error
    return atFirstReachable(others, act)
  }
}

/** The library for mail puts the system's code beside its own. */
const isUnreachable = (error: unknown): boolean => {
  const { code, originalCode = code, timeoutType } = Object(error)
  return unreachable.includes(String(originalCode)) || timeoutType === connectTimeout
}

/** The host of a URL, without the brackets of an IPv6 address. The URL parser has converted octal, hexadecimal and
 *  short IPv4 addresses to the normal form. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, "")

/** The name for which the certificate must be: without the dot that ends a whole name. */
export const certifiedName = (url: URL): string => hostOf(url).replace(/\.$/, "")

export const portOf = ({ port, protocol }: URL): number => Number(port || (protocol === "https:" ? 443 : 80))

export type Fetch = ReturnType<typeof createFetch>

/**
 * `fetch` for addresses that the operator chose. It looks the name up itself, because `fetch` does so on the thread pool, and
 * connects to the address under the name. A proxy of the environment gets the name. It follows no redirects, which would lead to
 * other names.
 */
export const createFetch =
  (resolve?: Resolve) =>
  async (address: string, given: BunFetchRequestInit = {}): Promise<Response> => {
    const url = new URL(address)
    const init = { ...given, redirect: "manual" } as const
    if (isIpAddress(hostOf(url)) || proxyFor(url) !== null) return fetch(url, init)
    const headers = new Headers(init.headers)
    headers.set("host", url.host)
    const tls = { ...init.tls, serverName: certifiedName(url) }
    // Without it, `fetch` compares the address with NO_PROXY, which has the name. The types do not know it.
    const direct: object = { proxy: false }
    return atFirstReachable(await addressesOf(hostOf(url), resolve), async (found, withinMs) => {
      // `fetch` does not say whether it is connected, and may have sent the request already.
      if (withinMs !== undefined) await connect(found, portOf(url), withinMs)
      const to = new URL(url)
      to.hostname = found.includes(":") ? `[${found}]` : found
      return fetch(to, { ...init, ...direct, headers, tls })
    })
  }

/** Connects, and ends the connection at once. @throws when there is none in time */
async function connect(host: string, port: number, withinMs: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const socket = net().connect({ host, port }, resolve)
  socket.on("error", reject)
  const timer = setTimeout(() => reject(noConnection()), withinMs)
  await promise.finally(() => {
    clearTimeout(timer)
    socket.destroy()
  })
}
