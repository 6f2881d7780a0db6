import { DomainError, details } from "../domain/errors.ts"
import { HttpError } from "./errors.ts"
import type { Arrival } from "./request.ts"

interface Options {
  /** The setting `server.base_url`, an origin: the only address of this server. Null when it is not set. */
  readonly baseUrl: string | null
  readonly origins: readonly string[]
}

/** `Sec-Fetch-Dest` of a link, and of a script's request. */
const downloads = new Set(["document", "empty"])
const safeMethods = new Set(["GET", "HEAD", "OPTIONS"])
const loginPaths = new Set(["/login", "/login/", "/login/second-factor", "/login/second-factor/"])
/** Log-out always answers 200 (docs/interface/authentication.md). */
const exemptPaths = new Set(["/logout", "/logout/"])

/** The origins whose pages may log people in. Without `baseUrl`, also the address of each request. */
export const ownOrigins = ({ baseUrl, origins }: Options): string[] =>
  baseUrl === null ? [...origins] : [baseUrl, ...origins]

export type OriginRule = ReturnType<typeof createOriginRule>

/**
 * Protects against cross-site request forgery. An unsafe request with a session cookie, every log-in and every WebSocket
 * handshake must come from this server's own origin or a configured one. A log-in is checked even without a cookie, because
 * a page could log its visitor in to an account of its choice. So is a handshake: CORS does not cover WebSockets, and any
 * page could read a public stream that only an employee's browser can reach.
 * A client that sends neither `Origin` nor `Sec-Fetch-Site` is not a browser and passes.
 * @throws DomainError `foreign_origin`, HttpError `not_a_download`
 */
export function createOriginRule({ baseUrl, origins }: Options) {
  const known = new Set(ownOrigins({ baseUrl, origins }))
  // Whoever uses a second name or the IP address of this server learns where to go.
  const refusal = baseUrl === null ? {} : { detail: `${details.foreign_origin}; this server is used at ${baseUrl}` }

  return {
    /** Whether a request comes from this server's own origin or a configured one, the address bar or no browser. */
    isOwn,
    demandForUpgrade: demandOwnOrigin,
    /** For downloads. Allows links, the address bar and scripts of this site or a configured origin. Refuses pictures,
     *  frames and other sites: an avatar or a foreign link could start an export for everyone who sees it. */
    demandForDownload(request: Request) {
      const { headers } = request
      const destination = headers.get("sec-fetch-dest")
      if (destination !== null && !downloads.has(destination)) throw new HttpError("not_a_download")
      if (headers.get("sec-fetch-site") === "cross-site" && !known.has(headers.get("origin") ?? ""))
        throw new DomainError("foreign_origin")
    },
    demandIfUnsafe(request: Request, { path, credentials }: Pick<Arrival, "path" | "credentials">) {
      if (safeMethods.has(request.method)) return
      if (exemptPaths.has(path)) return
      if (credentials.sessionId !== null || loginPaths.has(path)) demandOwnOrigin(request)
    },
  }

  function demandOwnOrigin(request: Request) {
    if (!isOwn(request)) throw new DomainError("foreign_origin", refusal)
  }

  function isOwn(request: Request): boolean {
    const origin = request.headers.get("origin")
    if (origin !== null) return known.has(origin) || (baseUrl === null && isOriginOf(origin, request))
    const fetchSite = request.headers.get("sec-fetch-site")
    return fetchSite === null || fetchSite === "same-origin" || fetchSite === "none"
  }
}

/** Without a base_url, the own origin is the host of the request, since the browser binds its cookie to that host. */
function isOriginOf(origin: string, request: Request): boolean {
  const host = request.headers.get("host")
  return origin === `http://${host}` || origin === `https://${host}`
}
