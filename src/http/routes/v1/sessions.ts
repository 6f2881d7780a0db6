import { Elysia } from "elysia"
import { version } from "../../../../package.json" with { type: "json" }
import type { App } from "../../../app.ts"
import { sessionCookie, wallKeyOf } from "../../caller.ts"
import { credentials, describe, one } from "../../documented.ts"
import type { doors } from "../../guards.ts"
import { ProtectedQuery } from "../../schemas.ts"
import { ownAccount } from "../../v1/own-account.ts"
import { SessionHandle } from "../../v1/schemas.ts"
import { serviceView, sessionView } from "../../v1/views.ts"

interface Dependencies {
  readonly app: Pick<App, "access" | "config" | "hasInitialPassword" | "sessions" | "store">
  readonly door: ReturnType<typeof doors>
  readonly addressOf: (request: Request) => string
}

/** Who is here, for a page that must not begin with a 401, and the sessions that somebody has open. */
export function sessionRoutes({ app, door, addressOf }: Dependencies) {
  const { access, config, sessions } = app
  const shown = ownAccount(app)
  const serviceFor = (request: Request) => serviceView(config, version, access.isWall(wallKeyOf(request)))
  const from = (request: Request, who: string) => ({ who, way: "http" as const, address: addressOf(request) })

  return new Elysia()
    .use(door)
    .get("/api/v1/service", ({ request }) => serviceFor(request), {
      detail: describe("App", "What everybody may know of this service", 200, one("Service"), []),
    })
    .get(
      "/api/v1/session",
      async ({ caller, request }) => {
        const session = caller && { ...(await shown(caller.user)), service: serviceFor(request) }
        return Response.json(session) // Elysia sends nothing for null
      },
      {
        everybody: true,
        detail: describe(
          "App",
          "Who is logged in, with the own account; null to strangers",
          200,
          one("CurrentSession"),
          [],
        ),
      },
    )
    .get("/api/v1/me/sessions", async ({ caller }) => ({ items: (await sessions.openOf(caller)).map(sessionView) }), {
      members: true,
      query: ProtectedQuery,
      detail: describe("Me", "List the own open sessions", 200, one("OpenSessions"), [...credentials, "invalid"]),
    })
    .delete(
      "/api/v1/me/sessions",
      async ({ caller, request }) => ({
        ended: await sessions.endOthers(caller, from(request, caller.user.username)),
      }),
      {
        members: true,
        query: ProtectedQuery,
        detail: describe(
          "Me",
          "End all own sessions and tokens but the one that asks, links in reset mails included",
          200,
          one("Ended"),
          refusals,
        ),
      },
    )
    .delete(
      "/api/v1/me/sessions/:session",
      async ({ caller, params, request, cookie: { [sessionCookie]: cookie } }) => {
        const wasThisOne = await sessions.endOwn(caller, params.session, from(request, caller.user.username))
        if (wasThisOne) cookie?.set({ value: "", path: "/", maxAge: 0 })
        return { ended: 1 }
      },
      {
        members: true,
        params: SessionHandle,
        query: ProtectedQuery,
        detail: describe("Me", "End one of the own sessions", 200, one("Ended"), [...refusals, "session_not_found"]),
      },
    )
}

const refusals = [...credentials, "foreign_origin", "invalid", "unwritable"] as const
