import { DomainError } from "../domain/errors.ts"
import { pathOf, sessionIdOf } from "./caller.ts"
import { HttpRefusal } from "./errors.ts"

interface Site {
  /** This server's own address when the setting names one: then no other is its own. */
  readonly baseUrl: string | null
  readonly origins: readonly string[]
}

/** What `Sec-Fetch-Dest` says of a link and of a script's own request. */
const downloads = new Set(["document", "empty"])
const safeMethods = new Set(["GET", "HEAD", "OPTIONS"])
const loginPaths = new Set(["/login", "/login/"])
/** Log-out always answers 200 (contract, POST /logout). */
const exemptPaths = new Set(["/logout", "/logout/"])

/**
 * Keeps other sites from acting through somebody's browser. An unsafe request that carries a session cookie, every
 * log-in and every upgrade must come from this server's own origin or a configured one. A log-in is checked without a
 * cookie too: a page could log its visitor in to an account of its choice. So is an upgrade: no CORS rule applies to
 * WebSockets, so any page could read a public stream that only the employee's browser can reach.
 * A client that sends no `Origin` is not a browser and passes.
 * @throws DomainError `foreign_origin`, HttpRefusal `not_a_download`
 */
export function createOriginRule({ baseUrl, origins }: Site) {
  const known = new Set(baseUrl === null ? origins : [...origins, new URL(baseUrl).origin])

  return {
    demandForUpgrade: demandHome,
    /** Of a file that is downloaded with whatever session the browser has: nothing but a page of this site, its address
     *  bar or a configured origin asks for it, and no picture, frame or script does. Otherwise a face or a foreign link
     *  could run an export in the name of whoever sees it. */
    demandForDownload(request: Request) {
      const { headers } = request
      const destination = headers.get("sec-fetch-dest")
      if (destination !== null && !downloads.has(destination)) throw new HttpRefusal("not_a_download")
      if (headers.get("sec-fetch-site") === "cross-site" && !known.has(headers.get("origin") ?? ""))
        throw new DomainError("foreign_origin")
    },
    demandIfUnsafe(request: Request) {
      if (safeMethods.has(request.method)) return
      const path = pathOf(request)
      if (exemptPaths.has(path)) return
      if (sessionIdOf(request) !== null || loginPaths.has(path)) demandHome(request)
    },
  }

  function demandHome(request: Request) {
    if (!isFromHere(request)) throw new DomainError("foreign_origin")
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
