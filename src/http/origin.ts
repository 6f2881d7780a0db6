import { DomainError } from "../domain/errors.ts"
import { sessionIdOf } from "./caller.ts"

interface Site {
  /** This server's own address when the setting names one: then no other is its own. */
  readonly baseUrl: string | null
  readonly origins: readonly string[]
}

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"])

/**
 * Browsers send a session cookie along with requests that other sites make up. An unsafe request, or an upgrade, that
 * carries the cookie must come from this server's own origin or a configured one; a client that names no origin at
 * all is no browser.
 * @throws DomainError `foreign_origin`
 */
export function createOriginRule({ baseUrl, origins }: Site) {
  const known = new Set(baseUrl === null ? origins : [...origins, new URL(baseUrl).origin])

  return {
    demand,
    demandIfUnsafe(request: Request) {
      if (!safeMethods.has(request.method)) demand(request)
    },
  }

  function demand(request: Request) {
    if (sessionIdOf(request) !== null && !isFromHere(request)) throw new DomainError("foreign_origin")
  }

  function isFromHere(request: Request): boolean {
    const origin = request.headers.get("origin")
    if (origin !== null) return known.has(origin) || (baseUrl === null && isOriginOf(origin, request))
    const fetchSite = request.headers.get("sec-fetch-site")
    return fetchSite === null || fetchSite === "same-origin" || fetchSite === "none"
  }
}

/** Without a base_url the server does not know its names, but a browser's cookie is bound to the one it used. */
function isOriginOf(origin: string, request: Request): boolean {
  const host = request.headers.get("host")
  return origin === `http://${host}` || origin === `https://${host}`
}
