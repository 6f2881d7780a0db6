import { Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { version } from "../../../../package.json" with { type: "json" }
import type { SecretlessConfig } from "../../../config/settings.ts"
import type { OwnSession } from "../../../domain/auth/sessions.ts"
import type { Programme } from "../../../domain/programme/model.ts"
import { utc, utcOrNull } from "../../../formats/views/dates.ts"
import { programmeView } from "../../../formats/views/programme.ts"
import type { Dependencies } from "../../dependencies.ts"
import { operation } from "../../openapi-operations.ts"
import { sessionCookie, wallKeyOf } from "../../request.ts"
import { nullableText, ProtectedQuery } from "../../schemas.ts"
import { loginMethodsOf } from "../ui.ts"
import { date, dateOrNull } from "./common-fields.ts"
import { createMeOf, me } from "./me.ts"
import { pointsName } from "./programme.ts"

/** Who is logged in, for a page that must not start with a 401, and the caller's open sessions. */
export function sessionRoutes({
  app,
  guards,
}: Dependencies<
  | "access"
  | "allowances"
  | "clock"
  | "config"
  | "initialPasswordOf"
  | "notifications"
  | "occasions"
  | "programme"
  | "secondFactors"
  | "store"
  | "sessions"
  | "statistics"
  | "teams"
>) {
  const { access, clock, config, programme, secondFactors, sessions, store } = app
  const meOf = createMeOf(app)
  const serviceFor = async (request: Request) =>
    serviceView(config, await programme.current(), access.isStreamOpenTo(wallKeyOf(request)))

  return new Elysia()
    .use(guards)
    .get("/api/v1/service", ({ request }) => serviceFor(request), {
      detail: operation("App", "Show public facts about this service", 200, "Service"),
    })
    .get(
      "/api/v1/session",
      async ({ caller, request }) => {
        const session = caller && {
          ...(await meOf(caller.user)),
          second_factor_missing: await secondFactors.isMissing(caller.user),
          former_usernames: await store.users.formerOf(caller.user.id, clock()),
          service: await serviceFor(request),
          programme: programmeView(await programme.current()),
        }
        return Response.json(session) // Elysia sends nothing for null
      },
      {
        anyoneSettingUp: "read",
        detail: operation(
          "App",
          "Show the current session with the caller's account; null without one",
          200,
          "CurrentSession",
        ),
      },
    )
    .get("/api/v1/me/sessions", async ({ caller }) => ({ items: (await sessions.openOf(caller)).map(sessionView) }), {
      authenticated: true,
      query: ProtectedQuery,
      detail: operation("Me", "List your open sessions", 200, "OpenSessions"),
    })
    .delete(
      "/api/v1/me/sessions",
      async ({ caller, actor }) => ({
        ended: await sessions.endOthers(caller, actor),
      }),
      {
        authenticated: true,
        query: ProtectedQuery,
        detail: operation("Me", "End all your other sessions and tokens, links in reset mails included", 200, "Ended"),
      },
    )
    .delete(
      "/api/v1/me/sessions/:session",
      async ({ caller, params, actor, cookie: { [sessionCookie]: cookie } }) => {
        const wasThisOne = await sessions.endOwn(caller, params.session, actor)
        if (wasThisOne) cookie?.set({ value: "", path: "/", maxAge: 0 })
        return { ended: 1 }
      },
      {
        authenticated: true,
        params: SessionHandle,
        query: ProtectedQuery,
        detail: operation("Me", "End one of your sessions", 200, "Ended", ["session_not_found"]),
      },
    )
}

const SessionHandle = Type.Object({ session: Type.String() })

const service = Type.Object({
  name: Type.String(),
  version: Type.String(),
  time_zone: Type.String({ description: "IANA name of the time zone of days, weeks and months" }),
  stream_access: Type.Union([Type.Literal("public"), Type.Literal("auth")], {
    description:
      "`public`: this client may watch the transactions without logging in; always so for a wall with its key",
  }),
  tags: Type.Array(Type.String(), { description: "tags that a transfer may carry" }),
  points_name: pointsName,
  feed: Type.Union([Type.Literal("all"), Type.Literal("own")], {
    description: "recognitions that members see: all, or their own",
  }),
  sends_mail: Type.Boolean({ description: "false: mail only goes to a file, so nobody gets any" }),
  avatar_hosts: Type.Array(Type.String(), { description: "hosts whose pictures are shown; `*` for all" }),
  login: Type.Object({
    password: Type.Boolean({ description: "whether anybody may log in with a password" }),
    password_min_length: Type.Integer({ description: "how many characters a new password has at least" }),
    oidc: Type.Union(
      [Type.Object({ button: nullableText("text of the button; null: in the language of the reader") }), Type.Null()],
      { description: "log-in through a provider at `/oidc/login`; null where there is none" },
    ),
  }),
})

export const sessionComponents = {
  Service: service,
  CurrentSession: Type.Union([
    Type.Object({
      ...me,
      second_factor_missing: Type.Boolean({
        description: "whether you must set up a second factor before you can do anything else",
      }),
      former_usernames: Type.Array(Type.String(), {
        description: "what you were called before, as long as nobody else can have the name",
      }),
      service: Type.Ref("Service"),
      programme: Type.Ref("Programme"),
    }),
    Type.Null(),
  ]),
  OpenSessions: Type.Object({
    items: Type.Array(
      Type.Object({
        id: Type.String({ description: "identifies the session; it is not a credential" }),
        current: Type.Boolean({ description: "whether this request came with it" }),
        opened_at: dateOrNull("UTC"),
        expires_at: date("UTC"),
        address: nullableText("IP address that it was opened from"),
      }),
    ),
  }),
  Ended: Type.Object({ ended: Type.Integer({ description: "how many sessions" }) }),
}

const serviceView = (config: SecretlessConfig, { tags, points_name }: Programme, isStreamOpen: boolean) => {
  const { service, recognition, ui } = config
  return {
    name: service.name,
    version,
    time_zone: service.time_zone,
    stream_access: isStreamOpen ? ("public" as const) : ("auth" as const),
    tags: tags.map(({ name }) => name),
    points_name: { one: points_name.one, many: points_name.many },
    feed: recognition.feed,
    sends_mail: !config.email.debug_mode,
    avatar_hosts: ui.avatar_hosts,
    login: loginMethodsOf(config),
  }
}

const sessionView = ({ handle, isThisOne, openedAt, expiresAt, address }: OwnSession) => ({
  id: handle,
  current: isThisOne,
  opened_at: utcOrNull(openedAt),
  expires_at: utc(expiresAt),
  address,
})
