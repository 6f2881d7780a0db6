import { Elysia } from "elysia"
import type { App } from "../../app.ts"
import { cookieIsSecure } from "../../config/rules.ts"
import { sessionCookie, sessionIdOf } from "../caller.ts"
import { documented } from "../documented.ts"
import type { doors } from "../guards.ts"
import { LoginRequest, RefreshRequest } from "../schemas.ts"
import { tokenView } from "../views.ts"

interface Dependencies {
  readonly app: Pick<App, "config" | "logins" | "sessions" | "tokens">
  readonly door: ReturnType<typeof doors>
  readonly addressOf: (request: Request) => string
}

/** POST /token, /refresh_token, /login and /logout. */
export function authRoutes({ app, door, addressOf }: Dependencies) {
  const { logins, sessions, tokens, config } = app
  const cookie = {
    httpOnly: true,
    sameSite: config.session.same_site,
    secure: cookieIsSecure(config),
    path: "/",
    maxAge: config.session.expire_seconds,
  }

  return new Elysia()
    .use(door)
    .post(
      "/token",
      async ({ body, request }) => {
        const user = await logins.login({ ...body, address: addressOf(request) })
        return tokenView(await tokens.signPair(user, { fresh: true }))
      },
      {
        form: true,
        body: LoginRequest,
        detail: documented.token,
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
        detail: documented.refreshToken,
      },
    )
    .post(
      "/login",
      async ({ body, request, cookie: { [sessionCookie]: session } }) => {
        const address = addressOf(request)
        const user = await logins.login({ ...body, address })
        session?.set({ ...cookie, value: await sessions.open(user, sessionIdOf(request), address) })
        return { status: "logged in" }
      },
      {
        form: true,
        body: LoginRequest,
        detail: documented.login,
      },
    )
    .post(
      "/logout",
      async ({ request, cookie: { [sessionCookie]: session } }) => {
        const id = sessionIdOf(request)
        if (id !== null) {
          await sessions.end(id)
          session?.set({ ...cookie, value: "", maxAge: 0 })
        }
        return { status: "logged out" }
      },
      { detail: documented.logout },
    )
}
