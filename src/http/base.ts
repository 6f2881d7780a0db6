import { cors } from "@elysiajs/cors"
import { Elysia } from "elysia"
import type { ServerApp } from "../app/server-app.ts"
import { isHttps, usesTls } from "../config/rules.ts"
import type { SecretlessConfig } from "../config/settings.ts"
import { retryAfterSeconds } from "./concurrency-limit.ts"
import { codeHeader, errorHandler, HttpError } from "./errors.ts"
import type { Guards } from "./guards.ts"
import type { OriginRule } from "./origin.ts"
import { createAllowedMethods } from "./paths.ts"
import type { Arrival } from "./request.ts"
import { hideBody } from "./rest.ts"
import { isNavigation, missingPage } from "./routes/ui.ts"

interface Dependencies {
  readonly app: Pick<ServerApp, "config" | "log" | "logo" | "metrics">
  readonly guards: Guards
  readonly origin: OriginRule
  /** The arrival of the request that was just passed to `fetch`. Elysia asks for it before `fetch` returns. */
  readonly arrival: () => Arrival
}

export type Base = ReturnType<typeof createBase>

/** The steps that every request passes before its route, whichever part of the interface has the route. */
export function createBase({ app, guards, origin, arrival }: Dependencies) {
  const { config, log, metrics } = app
  const allowedMethods = createAllowedMethods(() => base.routes)
  // With `standardHostname`, Elysia looks for the path from the 12th character of the URL on, otherwise from the 8th.
  // From the 8th it finds the path after a host of any length if the URL begins with http://, but never if it begins
  // with https://.
  const isTls = usesTls(config.server)
  const notFoundPage = missingPage({ app })

  // Bun.serve's own router would take /transaction/ws for a user name. `normalize` would only drop unknown fields, and
  // the schemas here ignore them.
  const base = new Elysia({ systemRouter: false, normalize: false, handler: { standardHostname: isTls } })
    .headers(commonHeaders(config))
    .onError(
      errorHandler({
        log,
        allowedMethods,
        missingPage: (request) => (isNavigation(request) ? (notFoundPage?.(request) ?? null) : null),
        onRejected: metrics?.countRejected,
      }),
    )
    .use(crossOrigin(config.cors.origins))
    .use(guards)
    .onRequest((context) => {
      const arrived = arrival()
      context.set.headers["x-request-id"] = arrived.id // setting it on a finished response would cost 3 µs
      context.clientAddress = arrived.address
      context.credentials = arrived.credentials
      context.receive = arrived.receive
      context.holder = arrived
      context.listener = arrived.listener
      if (arrived.isLast) context.set.headers.connection = "close"
      if (!arrived.isAdmitted) throw new HttpError("overloaded", { "retry-after": `${retryAfterSeconds}` })
      refuseBeforeRouting(context.request, arrived, origin)
      hideBody(context.request)
    })
  return base
}

/**
 * Refuses requests that no route accepts. @throws HttpError `malformed_host`, `malformed_path`, DomainError
 * `foreign_origin`
 */
function refuseBeforeRouting(request: Request, arrived: Arrival, origin: OriginRule) {
  if (request.url.startsWith("/")) throw new HttpError("malformed_host") // Bun could not make a URL of it
  if (request.url.includes("%")) demandDecodable(request.url) // the query too
  origin.demandIfUnsafe(request, arrived)
}

function demandDecodable(url: string) {
  try {
    decodeURIComponent(url)
  } catch {
    throw new HttpError("malformed_path")
  }
}

/** Lets browser apps of the configured origins call with credentials (docs/interface/authentication.md). */
function crossOrigin(origins: readonly string[]) {
  if (origins.length === 0) return new Elysia()
  return cors({
    origin: [...origins],
    credentials: true,
    exposeHeaders: ["x-request-id", "retry-after", codeHeader],
    maxAge: 600,
  })
}

/** How long a browser that has used https here refuses plain http: a year. */
const hstsSeconds = 31_536_000

/** Browser features that no page here uses. The app does use fullscreen, the wake lock (the wall) and the clipboard. */
const unusedFeatures = [
  "accelerometer",
  "camera",
  "display-capture",
  "geolocation",
  "gyroscope",
  "hid",
  "idle-detection",
  "local-fonts",
  "magnetometer",
  "microphone",
  "midi",
  "payment",
  "serial",
  "usb",
  "xr-spatial-tracking",
]

/**
 * Headers of every answer, unless its route sets another value. Browsers must not sniff, frame, embed or cache the
 * answer, nor send its address to other sites. Search engines must not list it. Pages set their own `content-security-policy`, public files their own
 * `cache-control`. `cross-origin-resource-policy` does not affect configured origins, which read answers by CORS.
 */
export const commonHeaders = ({ server }: Pick<SecretlessConfig, "server">): Readonly<Record<string, string>> =>
  Object.freeze({
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "cross-origin-resource-policy": "same-origin",
    "x-robots-tag": "noindex",
    "permissions-policy": unusedFeatures.map((feature) => `${feature}=()`).join(", "),
    "cache-control": "no-store",
    ...(isHttps(server) && { "strict-transport-security": `max-age=${hstsSeconds}` }),
  })
