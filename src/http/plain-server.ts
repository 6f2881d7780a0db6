import { isProbe, probeAnswer, probeHeader, probePath } from "./probe.ts"
import { bunBodyBytes, withoutBody } from "./rest.ts"

interface Options {
  readonly host: string
  readonly port: number
  /** The https address of the service, without a slash at the end. */
  readonly baseUrl: string
  /** The answer to a challenge of an authority (RFC 8555, section 8.3). */
  readonly answerTo?: ((token: string) => string | undefined) | undefined
  /** The secret with which `rewards doctor` signs. */
  readonly secret: string
  readonly now: () => number
}

const challengePath = "/.well-known/acme-challenge/"

export type PlainServer = ReturnType<typeof startPlainServer>

/**
 * Beside a server with TLS: sends everybody who asks in the clear to the https address, and answers the challenges by which an
 * authority checks who has a name.
 * @throws what Bun throws when the port is in use or not allowed
 */
export function startPlainServer({ host, port, baseUrl, answerTo, secret, now }: Options) {
  const server = Bun.serve({
    hostname: host,
    port,
    reusePort: false,
    development: false,
    idleTimeout: 10,
    maxRequestBodySize: bunBodyBytes,
    fetch: (request) => withoutBody(request, respond(request)),
  })
  return { stop: () => server.stop(true) }

  function respond(request: Request): Response {
    // Without a host, as HTTP/1.0 allows, the address is only a path; that of CONNECT is none.
    const { pathname = "", search } = URL.parse(request.url, baseUrl) ?? {}
    if (!pathname.startsWith("/")) return new Response(null, { status: 400 })
    if (pathname.startsWith(challengePath)) {
      const answer = answerTo?.(pathname.slice(challengePath.length))
      return new Response(answer ?? "", { status: answer === undefined ? 404 : 200, headers: plainText })
    }
    const probe = request.headers.get(probeHeader)
    if (pathname === probePath && probe !== null && isProbe(probe, secret, now()))
      return new Response(probeAnswer(secret, probe), { headers: plainText })
    return new Response(null, { status: 308, headers: { location: baseUrl + pathname + search } })
  }
}

const plainText = { "content-type": "text/plain", "cache-control": "no-store" }
