import { Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import type { App } from "../../app.ts"
import { cookieIsSecure } from "../../config/rules.ts"
import type { TokenPair } from "../../domain/auth/tokens.ts"
import type { Guards } from "../guards.ts"
import { bodyErrors, formErrors, operation, ref } from "../openapi-operations.ts"
import { sessionCookie } from "../request.ts"
import { open } from "../schemas.ts"

interface Dependencies {
  readonly app: Pick<App, "config" | "logins" | "sessions" | "tokens">
  readonly guards: Guards
}

/** POST /token, /refresh_token, /login and /logout (docs/interface.md, "Authentication"). */
export function authRoutes({ app, guards }: Dependencies) {
  const { logins, sessions, tokens, config } = app
  const cookie = sessionAttributes(config)

  return new Elysia()
    .use(guards)
    .post(
      "/token",
      async ({ body, clientAddress: address }) => {
        const user = await logins.login({ ...body, address })
        return tokenView(await tokens.signPair(user, { fresh: true }))
      },
      {
        form: true,
        body: LoginRequest,
        detail: operation("Authentication", "Log in for a pair of tokens", 200, ref("Token"), [
          "bad_login",
          "too_many_failures",
          "busy",
          ...formErrors,
        ]),
      },
    )
    .post(
      "/refresh_token",
      async ({ body }) => {
        const { user } = await tokens.verify(body.refresh_token, "refresh_token")
        return tokenView(await tokens.signPair(user, { fresh: false }))
      },
      {
        json: true,
        body: RefreshRequest,
        detail: operation("Authentication", "Renew a pair of tokens", 200, ref("Token"), [
          "bad_credentials",
          ...bodyErrors,
        ]),
      },
    )
    .post(
      "/login",
      async ({ body, credentials, clientAddress: address, cookie: { [sessionCookie]: session } }) => {
        const user = await logins.login({ ...body, address })
        session?.set({ ...cookie, value: await sessions.open(user, credentials.sessionId, address) })
        return { status: "logged in" }
      },
      {
        form: true,
        body: LoginRequest,
        detail: operation("Authentication", "Log in for a session cookie", 200, ref("Status"), [
          "bad_login",
          "too_many_failures",
          "busy",
          ...formErrors,
          "unwritable",
        ]),
      },
    )
    .post(
      "/logout",
      async ({ credentials: { sessionId: id }, cookie: { [sessionCookie]: session } }) => {
        if (id !== null) {
          await sessions.end(id)
          session?.set({ ...cookie, value: "", maxAge: 0 })
        }
        return { status: "logged out" }
      },
      { detail: operation("Authentication", "Log out of the session", 200, ref("Status"), ["unwritable"]) },
    )
}

/** Of the session cookie. */
export const sessionAttributes = (config: App["config"]) => ({
  httpOnly: true,
  sameSite: config.session.same_site,
  secure: cookieIsSecure(config),
  path: "/",
  maxAge: config.session.expire_seconds,
})

const LoginRequest = Type.Object(
  {
    username: Type.String({
      description: "a user name; where none matches exactly, in any case, or an e-mail address",
    }),
    password: Type.String(),
  },
  open,
)
const RefreshRequest = Type.Object({ refresh_token: Type.String() }, open)

export const authComponents = {
  Token: Type.Object({
    access_token: Type.String(),
    refresh_token: Type.String(),
    token_type: Type.Literal("bearer"),
  }),
}

const tokenView = ({ accessToken, refreshToken }: TokenPair) => ({
  access_token: accessToken,
  refresh_token: refreshToken,
  token_type: "bearer" as const,
})
