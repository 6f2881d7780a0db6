import { Elysia } from "elysia"
import type { ServerApp } from "../app/server-app.ts"
import type { Base } from "./base.ts"
import type { Guards } from "./guards.ts"
import type { OriginRule } from "./origin.ts"
import { scimRoutes } from "./routes/scim.ts"
import { accountRoutes } from "./routes/v1/accounts.ts"
import { allowanceRoutes } from "./routes/v1/allowances.ts"
import { auditRoutes } from "./routes/v1/audit.ts"
import { departmentRoutes } from "./routes/v1/departments.ts"
import { eventRoutes } from "./routes/v1/events.ts"
import { exportRoutes } from "./routes/v1/exports.ts"
import { feedRoutes } from "./routes/v1/feed.ts"
import { grantRoutes } from "./routes/v1/grants.ts"
import { serverHealthRoutes } from "./routes/v1/health.ts"
import { importRoutes } from "./routes/v1/imports.ts"
import { insightRoutes } from "./routes/v1/insights.ts"
import { mailRoutes } from "./routes/v1/mail.ts"
import { meRoutes } from "./routes/v1/me.ts"
import { notificationRoutes } from "./routes/v1/notifications.ts"
import { occasionRoutes } from "./routes/v1/occasions.ts"
import { outstandingRoutes } from "./routes/v1/outstanding.ts"
import { peopleRoutes } from "./routes/v1/people.ts"
import { programmeRoutes } from "./routes/v1/programme.ts"
import { pushRoutes } from "./routes/v1/push.ts"
import { recapPictureRoutes } from "./routes/v1/recap-pictures.ts"
import { recapRoutes } from "./routes/v1/recaps.ts"
import { recognitionRoutes } from "./routes/v1/recognitions.ts"
import { rewardRoutes } from "./routes/v1/rewards.ts"
import { secondFactorRoutes } from "./routes/v1/second-factors.ts"
import { sessionRoutes } from "./routes/v1/sessions.ts"
import { statisticsRoutes } from "./routes/v1/statistics.ts"
import { suggestionRoutes } from "./routes/v1/suggestions.ts"
import { teamRoutes } from "./routes/v1/team.ts"
import { tokenRoutes } from "./routes/v1/tokens.ts"
import { v1TransactionRoutes } from "./routes/v1/transactions.ts"
import { wallRoutes } from "./routes/v1/wall.ts"
import { webhookRoutes } from "./routes/v1/webhooks.ts"
import type { Upgrade } from "./upgrade.ts"

interface Dependencies {
  readonly base: Base
  readonly app: ServerApp
  readonly guards: Guards
  readonly origin: OriginRule
  readonly upgrade: Upgrade
  /** When the server started, in milliseconds since the epoch. */
  readonly startedAt: number
}

export type V1Api = ReturnType<typeof v1Routes>

/** The routes of `/api/v1`, and SCIM. */
export function v1Routes({ base, app, guards, origin, upgrade, startedAt }: Dependencies) {
  return base
    .use(feedRoutes({ app, guards, origin, upgrade }))
    .use(recognitionRoutes({ app, guards }))
    .use(notificationRoutes({ app, guards }))
    .use(occasionRoutes({ app, guards }))
    .use(grantRoutes({ app, guards }))
    .use(v1TransactionRoutes({ app, guards }))
    .use(administrationRoutes({ app, guards }))
    .use(meRoutes({ app, guards }))
    .use(peopleRoutes({ app, guards }))
    .use(exportRoutes({ app, guards, origin }))
    .use(suggestionRoutes({ app, guards }))
    .use(importRoutes({ app, guards }))
    .use(statisticsRoutes({ app, guards }))
    .use(wallRoutes({ app, guards }))
    .use(insightRoutes({ app, guards, origin }))
    .use(auditRoutes({ app, guards, origin }))
    .use(outstandingRoutes({ app, guards, origin }))
    .use(recapPictureRoutes({ app, guards, origin }))
    .use(accountRoutes({ app, guards }))
    .use(serverHealthRoutes({ app, guards, startedAt }))
    .use(scimRoutes({ app, guards }))
}

/** A separate chain, mostly of routes for superusers, because the compiler gives up on the type of a longer one. */
const administrationRoutes = ({ app, guards }: { readonly app: ServerApp; readonly guards: Guards }) =>
  new Elysia()
    .use(departmentRoutes({ app, guards }))
    .use(allowanceRoutes({ app, guards }))
    .use(rewardRoutes({ app, guards }))
    .use(programmeRoutes({ app, guards }))
    .use(teamRoutes({ app, guards }))
    .use(recapRoutes({ app, guards }))
    .use(mailRoutes({ app, guards }))
    .use(webhookRoutes({ app, guards }))
    .use(eventRoutes({ app, guards }))
    .use(sessionRoutes({ app, guards }))
    .use(tokenRoutes({ app, guards }))
    .use(pushRoutes({ app, guards }))
    .use(secondFactorRoutes({ app, guards }))
