import { cors } from "@elysiajs/cors"
import type { Server } from "bun"
import { type AnyElysia, Elysia } from "elysia"
import type { ServerApp } from "../server-app.ts"
import type { StreamClient } from "../stream/dashboard.ts"
import { retryAfterSeconds } from "./concurrency-limit.ts"
import { errorHandler, HttpError } from "./errors.ts"
import { createExportLimit } from "./export-limit.ts"
import { createGuards, type Guards } from "./guards.ts"
import { commonHeaders } from "./headers.ts"
import { createOriginRule, type OriginRule } from "./origin.ts"
import { createAllowedMethods } from "./paths.ts"
import type { Arrival } from "./request.ts"
import { authRoutes } from "./routes/auth.ts"
import { docsRoutes } from "./routes/docs.ts"
import { healthRoutes } from "./routes/health.ts"
import { scimRoutes } from "./routes/scim.ts"
import { singleSignOnRoutes } from "./routes/single-sign-on.ts"
import { slackRoutes } from "./routes/slack.ts"
import { streamRoutes } from "./routes/stream.ts"
import { transactionRoutes } from "./routes/transactions.ts"
import { isNavigation, missingPage, uiRoutes } from "./routes/ui.ts"
import { unsubscribeRoutes } from "./routes/unsubscribe.ts"
import { userRoutes } from "./routes/users.ts"
import { accountRoutes } from "./routes/v1/accounts.ts"
import { allowanceRoutes } from "./routes/v1/allowances.ts"
import { departmentRoutes } from "./routes/v1/departments.ts"
import { eventRoutes } from "./routes/v1/events.ts"
import { exportRoutes } from "./routes/v1/exports.ts"
import { feedRoutes } from "./routes/v1/feed.ts"
import { grantRoutes } from "./routes/v1/grants.ts"
import { serverHealthRoutes } from "./routes/v1/health.ts"
import { importRoutes } from "./routes/v1/imports.ts"
import { insightRoutes } from "./routes/v1/insights.ts"
import { meRoutes } from "./routes/v1/me.ts"
import { notificationRoutes } from "./routes/v1/notifications.ts"
import { peopleRoutes } from "./routes/v1/people.ts"
import { recognitionRoutes } from "./routes/v1/recognitions.ts"
import { rewardRoutes } from "./routes/v1/rewards.ts"
import { secondFactorRoutes } from "./routes/v1/second-factors.ts"
import { sessionRoutes } from "./routes/v1/sessions.ts"
import { statisticsRoutes } from "./routes/v1/statistics.ts"
import { suggestionRoutes } from "./routes/v1/suggestions.ts"
import { tokenRoutes } from "./routes/v1/tokens.ts"
import { v1TransactionRoutes } from "./routes/v1/transactions.ts"
import { wallRoutes } from "./routes/v1/wall.ts"
import { webhookRoutes } from "./routes/v1/webhooks.ts"
import { createUpgrade } from "./upgrade.ts"

interface Dependencies {
  readonly app: ServerApp
  /** The arrival of the request that was just passed to `fetch`. Elysia asks for it before `fetch` returns. */
  readonly arrival: () => Arrival
  /** The listening server. Elysia's own property `server` is not used, because it makes every request slower. */
  readonly server: () => Server<StreamClient>
}

/** Every route of the HTTP interface. */
export function createApi({ app, arrival, server }: Dependencies) {
  const { config, access, log } = app
  const allowedMethods = createAllowedMethods(() => api.routes)
  // Elysia looks for the path from the 12th character of the URL on, or else from the 8th. From the 8th it finds the path
  // after a host of any length if the URL begins with http://, but never if it begins with https://.
  const isTls = config.server.tls_cert !== null
  const origin = createOriginRule({ baseUrl: config.server.base_url, origins: config.cors.origins })
  const upgrade = createUpgrade(config.limits.streams, server)
  const exportLimit = createExportLimit()
  const notFoundPage = missingPage({ app })
  const guards = createGuards({
    access,
    responses: app.responses,
    maxBodyBytes: config.limits.body_bytes,
    directoryAccess: config.directory.access,
    streamAccess: config.stream.access,
  })

  // The router of Bun.serve would take /transaction/ws for a user name; normalize would refuse unknown fields.
  const api = new Elysia({ systemRouter: false, normalize: false, handler: { standardHostname: isTls } })
    .headers(commonHeaders(config))
    .onError(
      errorHandler({
        log,
        allowedMethods,
        missingPage: (request) => (isNavigation(request) ? (notFoundPage?.(request) ?? null) : null),
      }),
    )
    .use(crossOrigin(config.cors.origins))
    .use(guards)
    .onRequest((context) => {
      const arrived = arrival()
      const { admission } = arrived
      context.set.headers["x-request-id"] = arrived.id // on a finished response it would cost 3 µs
      context.clientAddress = arrived.address
      context.credentials = arrived.credentials
      if (admission !== "admitted")
        throw new HttpError("overloaded", {
          "retry-after": `${retryAfterSeconds}`,
          ...(admission === "close" && { connection: "close" }),
        })
      refuseBeforeRouting(context.request, arrived, origin)
    })
    .use(authRoutes({ app, guards }))
    .use(singleSignOnRoutes({ app, guards }))
    .use(userRoutes({ app, guards }))
    .use(transactionRoutes({ app, guards }))
    .use(streamRoutes({ app, guards, origin, upgrade }))
    .use(feedRoutes({ app, guards, origin, upgrade }))
    .use(recognitionRoutes({ app, guards }))
    .use(notificationRoutes({ app, guards }))
    .use(grantRoutes({ app, guards }))
    .use(v1TransactionRoutes({ app, guards }))
    .use(administrationRoutes({ app, guards }))
    .use(meRoutes({ app, guards }))
    .use(peopleRoutes({ app, guards }))
    .use(exportRoutes({ app, guards, origin, exportLimit }))
    .use(suggestionRoutes({ app, guards }))
    .use(importRoutes({ app, guards }))
    .use(statisticsRoutes({ app, guards }))
    .use(wallRoutes({ app, guards }))
    .use(insightRoutes({ app, guards, origin, exportLimit }))
    .use(accountRoutes({ app, guards, exportLimit }))
    .use(serverHealthRoutes({ app, guards }))
    .use(scimRoutes({ app, guards }))
    .use(docsRoutes((): AnyElysia => api))
    .use(healthRoutes({ app, guards, server }))
    .use(unsubscribeRoutes({ app }))
    .use(slackRoutes({ app }))
    .use(uiRoutes({ app }))
  return api
}

/** Routes mostly for superusers. They are separate because the compiler gives up on the type of a longer chain. */
const administrationRoutes = ({ app, guards }: { readonly app: ServerApp; readonly guards: Guards }) =>
  new Elysia()
    .use(departmentRoutes({ app, guards }))
    .use(allowanceRoutes({ app, guards }))
    .use(rewardRoutes({ app, guards }))
    .use(webhookRoutes({ app, guards }))
    .use(eventRoutes({ app, guards }))
    .use(sessionRoutes({ app, guards }))
    .use(tokenRoutes({ app, guards }))
    .use(secondFactorRoutes({ app, guards }))

/** Refuses what no route accepts. @throws HttpError `malformed_host`, `malformed_path`, DomainError `foreign_origin` */
function refuseBeforeRouting(request: Request, arrived: Arrival, origin: OriginRule) {
  if (request.url.startsWith("/")) throw new HttpError("malformed_host") // Bun could not make a URL of it
  if (arrived.path.includes("%")) demandDecodable(arrived.path)
  origin.demandIfUnsafe(request, arrived)
}

function demandDecodable(path: string) {
  try {
    decodeURIComponent(path)
  } catch {
    throw new HttpError("malformed_path")
  }
}

/** Lets browser apps of the configured origins call with credentials (docs/interface.md, "Authentication"). */
function crossOrigin(origins: readonly string[]) {
  if (origins.length === 0) return new Elysia()
  return cors({ origin: [...origins], credentials: true, exposeHeaders: ["x-request-id", "retry-after"], maxAge: 600 })
}
