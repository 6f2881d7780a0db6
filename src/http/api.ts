import type { AnyElysia } from "elysia"
import type { ServerApp } from "../app/server-app.ts"
import type { V1Api } from "./api-v1.ts"
import { type Base, createBase } from "./base.ts"
import { costOf, isWrite } from "./costs.ts"
import { createGuards, type Guards, type NamedGuard } from "./guards.ts"
import { createOriginRule, type OriginRule } from "./origin.ts"
import { createRouteOf, isV1 } from "./paths.ts"
import type { Arrival } from "./request.ts"
import { authRoutes } from "./routes/auth.ts"
import { docsRoutes } from "./routes/docs.ts"
import { healthRoutes } from "./routes/health.ts"
import { logoRoutes } from "./routes/logo.ts"
import { mattermostRoutes } from "./routes/mattermost.ts"
import { singleSignOnRoutes } from "./routes/single-sign-on.ts"
import { slackRoutes } from "./routes/slack.ts"
import { streamRoutes } from "./routes/stream.ts"
import { transactionRoutes } from "./routes/transactions.ts"
import { uiRoutes } from "./routes/ui.ts"
import { unsubscribeRoutes } from "./routes/unsubscribe.ts"
import { userRoutes } from "./routes/users.ts"
import { wellKnownRoutes } from "./routes/well-known.ts"
import { isScim } from "./scim/scim-errors.ts"
import { createTurns, type Turns } from "./turns.ts"
import { createUpgrade, type Upgrade } from "./upgrade.ts"

interface Dependencies {
  readonly app: ServerApp
  /** The arrival of the request that was just passed to `fetch`. Elysia asks for it before `fetch` returns. */
  readonly arrival: () => Arrival
}

/** The type of all routes, for Eden. */
export type Api = ReturnType<typeof firstRoutes> & V1Api

/**
 * The HTTP interface, in two parts. Registering routes takes time, so the routes of `/api/v1` and SCIM, which are most
 * of them, are registered by the first request to one of them instead of at the start.
 */
export function createApi({ app, arrival }: Dependencies) {
  const { config, access } = app
  const startedAt = app.clock()
  const origin = createOriginRule({ baseUrl: config.server.base_url, origins: config.cors.origins })
  const upgrade = createUpgrade(config.limits.streams)
  const turns = createTurns()
  const guards = createGuards({
    access,
    countWrite: app.countWrite,
    apiTokens: app.apiTokens,
    responses: app.responses,
    store: app.store,
    maxBodyBytes: config.limits.body_bytes,
    turns,
    directoryAccess: config.directory.access,
  })
  const newBase = () => createBase({ app, guards, origin, arrival })

  let v1: Part | Promise<Part> | undefined
  const loadV1 = async () => {
    const { v1Routes } = await import("./api-v1.ts")
    v1 = partWith(v1Routes({ base: newBase(), app, guards, origin, upgrade, startedAt }))
    return v1
  }
  const partForV1 = () => {
    v1 ??= loadV1()
    return v1
  }
  const parts = async () => [first.elysia, (await partForV1()).elysia]
  const first: Part = partWith(firstRoutes({ base: newBase(), app, guards, origin, upgrade, parts, turns }))

  return {
    /** The routes of both parts. */
    parts,
    /** The part that answers this path. */
    partFor: (path: string) => (isOfV1(path) ? partForV1() : first),
  }
}

type Part = ReturnType<typeof partWith>

function partWith(elysia: AnyElysia) {
  for (const { method, path, hooks } of elysia.routes)
    if ("guard" in hooks)
      Object.assign(hooks.guard as NamedGuard, { cost: costOf(method, path), isWrite: isWrite(method, path) })
  let find: ReturnType<typeof createRouteOf> | undefined
  return {
    elysia,
    /** The route of a path, for metrics; null when none has it. */
    routeOf(path: string): string | null {
      find ??= createRouteOf(elysia.routes)
      return find(path)
    },
  }
}

interface FirstDependencies extends Pick<Dependencies, "app"> {
  readonly base: Base
  readonly guards: Guards
  readonly origin: OriginRule
  readonly upgrade: Upgrade
  readonly parts: () => Promise<readonly AnyElysia[]>
  readonly turns: Turns
}

const firstRoutes = ({ base, app, guards, origin, upgrade, parts, turns }: FirstDependencies) =>
  base
    .use(authRoutes({ app, guards }))
    .use(singleSignOnRoutes({ app, guards, origin }))
    .use(userRoutes({ app, guards, turns }))
    .use(transactionRoutes({ app, guards }))
    .use(streamRoutes({ app, guards, origin, upgrade }))
    .use(docsRoutes({ guards, parts, turns }))
    .use(healthRoutes({ app, guards }))
    .use(unsubscribeRoutes({ app }))
    .use(slackRoutes({ app, guards }))
    .use(mattermostRoutes({ app, guards }))
    .use(logoRoutes({ app }))
    .use(wellKnownRoutes({ app }))
    .use(uiRoutes({ app }))

const isOfV1 = (path: string): boolean => isV1(path) || isScim(path)
