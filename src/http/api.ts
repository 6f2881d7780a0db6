import { cors } from "@elysiajs/cors"
import { type AnyElysia, Elysia } from "elysia"
import type { ServerApp } from "../server-app.ts"
import { pathOf } from "./caller.ts"
import { retryAfterSeconds } from "./concurrency-limit.ts"
import { errorHandler, HttpRefusal } from "./errors.ts"
import { doors } from "./guards.ts"
import { commonHeaders } from "./headers.ts"
import { createAllowedMethods } from "./methods.ts"
import type { createOriginRule } from "./origin.ts"
import { authRoutes } from "./routes/auth.ts"
import { docsRoutes } from "./routes/docs.ts"
import { healthRoutes } from "./routes/health.ts"
import { probeRoutes } from "./routes/probe.ts"
import { streamRoutes } from "./routes/stream.ts"
import { transactionRoutes } from "./routes/transactions.ts"
import { isNavigation, missingPage, uiRoutes } from "./routes/ui.ts"
import { userRoutes } from "./routes/users.ts"
import { accountRoutes } from "./routes/v1/accounts.ts"
import { exportRoutes } from "./routes/v1/exports.ts"
import { feedRoutes } from "./routes/v1/feed.ts"
import { figureRoutes } from "./routes/v1/figures.ts"
import { grantRoutes } from "./routes/v1/grants.ts"
import { accountOfHealthRoutes } from "./routes/v1/health.ts"
import { importRoutes } from "./routes/v1/imports.ts"
import { meRoutes } from "./routes/v1/me.ts"
import { peopleRoutes } from "./routes/v1/people.ts"
import { sessionRoutes } from "./routes/v1/sessions.ts"
import { feedStreamRoutes } from "./routes/v1/stream.ts"
import { v1TransactionRoutes } from "./routes/v1/transactions.ts"
import { createUpgrade } from "./upgrade.ts"

/** What is known of a request before it is looked into. */
export interface Arrival {
  /** Where it comes from: an IP address. */
  readonly address: string
  /** For X-Request-Id. */
  readonly id: string
  /** False when too much is under way already. */
  readonly hasPlace: boolean
  /** False when the connection shall be closed: so many are refused that they cannot even be slowed down. */
  readonly mayStay: boolean
}

interface Dependencies {
  readonly app: ServerApp
  readonly origin: ReturnType<typeof createOriginRule>
  readonly arrivalOf: (request: Request) => Arrival
}

/** Every route of the interface. */
export function createApi({ app, origin, arrivalOf }: Dependencies) {
  const { config, access, log } = app
  const allowedMethods = createAllowedMethods(() => api.routes)
  // Elysia looks for the path from the 12th character of the URL, or else from the 8th. From there a plain one shows it
  // behind hosts of any length, and one with https:// not at all.
  const isTls = config.server.tls_cert !== null
  const addressOf = (request: Request) => arrivalOf(request).address
  const upgrade = createUpgrade({ addressOf, maxOfSource: config.limits.streams })
  const pageOfNowhere = missingPage({ app })
  const door = doors({
    access,
    maxBodyBytes: config.limits.body_bytes,
    directoryAccess: config.directory.access,
  })

  // The router of Bun.serve would take /transaction/ws for a user name; normalize would refuse unknown fields.
  const api = new Elysia({ systemRouter: false, normalize: false, handler: { standardHostname: isTls } })
    .headers(commonHeaders(config))
    .onError(
      errorHandler({
        log,
        allowedMethods,
        missingPage: (request) => (isNavigation(request) ? (pageOfNowhere?.(request) ?? null) : null),
      }),
    )
    .use(crossOrigin(config.cors.origins))
    .onRequest(({ request, set }) => {
      const { id, hasPlace, mayStay } = arrivalOf(request)
      set.headers["x-request-id"] = id // on a finished response it would cost 3 µs
      if (!hasPlace)
        throw new HttpRefusal("overloaded", {
          "retry-after": `${retryAfterSeconds}`,
          ...(!mayStay && { connection: "close" }),
        })
      refuseUnread(request, origin)
    })
    .use(authRoutes({ app, door, addressOf }))
    .use(userRoutes({ app, door, addressOf }))
    .use(transactionRoutes({ app, door }))
    .use(streamRoutes({ app, origin, upgrade }))
    .use(feedRoutes({ app, door }))
    .use(feedStreamRoutes({ app, origin, upgrade }))
    .use(grantRoutes({ app, door }))
    .use(v1TransactionRoutes({ app, door }))
    .use(sessionRoutes({ app, door, addressOf }))
    .use(meRoutes({ app, door, addressOf }))
    .use(peopleRoutes({ app, door }))
    .use(exportRoutes({ app, door, origin, addressOf }))
    .use(importRoutes({ app, door, addressOf }))
    .use(figureRoutes({ app, door }))
    .use(accountRoutes({ app, door, addressOf }))
    .use(accountOfHealthRoutes({ app, door }))
    .use(docsRoutes((): AnyElysia => api))
    .use(healthRoutes({ app }))
    .use(uiRoutes({ app }))
    .use(probeRoutes({ secret: config.security.secret_key, clock: app.clock }))
  return api
}

/** What is refused whatever the route.
 *  @throws HttpRefusal `malformed_host`, `malformed_path`, DomainError `foreign_origin` */
function refuseUnread(request: Request, origin: Dependencies["origin"]) {
  if (request.url.startsWith("/")) throw new HttpRefusal("malformed_host") // Bun made no URL of it
  const path = pathOf(request)
  if (path.includes("%")) decodeOrRefuse(path)
  origin.demandIfUnsafe(request)
}

function decodeOrRefuse(path: string) {
  try {
    decodeURIComponent(path)
  } catch {
    throw new HttpRefusal("malformed_path")
  }
}

/** Browser apps of the listed origins may call with credentials (contract, Authentication 7). */
function crossOrigin(origins: readonly string[]) {
  if (origins.length === 0) return new Elysia()
  return cors({ origin: [...origins], credentials: true, exposeHeaders: ["x-request-id", "retry-after"], maxAge: 600 })
}
