import { Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { cookieIsSecure, providedSessionSeconds } from "../../config/rules.ts"
import type { ProvidedLogin } from "../../domain/auth/sessions.ts"
import { type EndedLogin, LoginRefusal } from "../../domain/auth/single-sign-on.ts"
import { DomainError } from "../../domain/errors.ts"
import { type Flow, flowSeconds, ownPath } from "../../integrations/oidc/flow.ts"
import type { Provider } from "../../integrations/oidc/provider.ts"
import type { Dependencies } from "../dependencies.ts"
import { HttpError } from "../errors.ts"
import { formErrors, operation, redirectOperation } from "../openapi-operations.ts"
import type { OriginRule } from "../origin.ts"
import { cookieNamed, sessionCookie } from "../request.ts"
import { openObject, text } from "../schemas.ts"
import { sessionAttributes } from "./auth.ts"

interface SingleSignOnDependencies
  extends Dependencies<
    "access" | "address" | "config" | "flows" | "log" | "provider" | "sessions" | "singleSignOn" | "store"
  > {
  readonly origin: OriginRule
}

/** The cookie that binds a log-in at the provider to the browser that began it. */
const flowCookie = "oidc_flow"
/** The cookie with the ID token of the session, which tells the provider whom to log out. */
const hintCookie = "oidc_hint"
/** Browsers drop larger cookies. A user with a longer ID token is logged out here but not at the provider. */
const maxHintLength = 3800

/**
 * Log-in and log-out through the provider (docs/operations/single-sign-on.md). Browsers navigate to these addresses.
 */
export function singleSignOnRoutes({ app, guards, origin }: SingleSignOnDependencies) {
  const { access, address, config, flows, log, provider, sessions, singleSignOn, store } = app
  const secure = cookieIsSecure(config)
  const ownCookie = { httpOnly: true, secure, path: "/oidc" }
  // Lax, because the browser comes back from the provider's site and would not send a strict one.
  const flowAttributes = { ...ownCookie, sameSite: "lax" as const, maxAge: flowSeconds }
  // Another site must not be able to log anybody out.
  const maxAge = providedSessionSeconds(config)
  const hintAttributes = { ...ownCookie, sameSite: "strict" as const, maxAge }
  const redirectUri = () => `${address.url}/oidc/callback`

  return new Elysia()
    .use(guards)
    .get(
      "/oidc/login",
      async ({ query: { next = "/" }, clientAddress, credentials, set, cookie: { [flowCookie]: flowOf } }) => {
        const provider = configured()
        const caller = await access.callerIfAny({ ...credentials, authorization: null }, "read") // a session
        const flow = flows.begin({ next, linkTo: caller?.user.id ?? null })
        try {
          set.headers.location = await provider.authorizationUrl(flow, redirectUri())
          flowOf?.set({ ...flowAttributes, value: flow.cookie })
        } catch (error) {
          if (error instanceof LoginRefusal) await singleSignOn.refused(error, clientAddress)
          set.headers.location = refusedTo(error, next)
        }
        set.status = 303
        return ""
      },
      {
        query: LoginQuery,
        detail: redirectOperation("Single sign-on", "Log in at the provider; leads there", ["not_found"]),
      },
    )
    .get(
      "/oidc/callback",
      async ({
        request,
        clientAddress,
        credentials,
        set,
        cookie: { [flowCookie]: flowOf, [hintCookie]: hint, [sessionCookie]: session },
      }) => {
        configured()
        const callback = new URL(redirectUri() + new URL(request.url).search)
        const flow = flows.resume(cookieNamed(request, flowCookie), callback.searchParams.get("state") ?? "")
        flowOf?.set({ ...flowAttributes, value: "", maxAge: 0 })
        try {
          const { user, idToken, login } = await loggedIn(callback, flow, clientAddress)
          session?.set({
            ...sessionAttributes(config),
            maxAge,
            value: await sessions.open(user, credentials.sessionId, clientAddress, login),
          })
          if (idToken.length <= maxHintLength) hint?.set({ ...hintAttributes, value: idToken })
          set.headers.location = flow?.next ?? "/"
        } catch (error) {
          set.headers.location = refusedTo(error, flow?.next ?? "/")
        }
        set.status = 303
        return ""
      },
      {
        detail: redirectOperation(
          "Single sign-on",
          "Finish a log-in that the provider sends back; leads into the app",
          ["not_found"],
        ),
      },
    )
    .get(
      "/oidc/logout",
      async ({ request, credentials, set, cookie: { [hintCookie]: hint, [sessionCookie]: session } }) => {
        configured()
        // A link on another site opens this address with the cookie of the session.
        if (credentials.sessionId !== null && origin.isOwn(request)) {
          await sessions.end(credentials.sessionId)
          session?.set({ ...sessionAttributes(config), value: "", maxAge: 0 })
        }
        const idToken = cookieNamed(request, hintCookie)
        if (idToken !== "") hint?.set({ ...hintAttributes, value: "", maxAge: 0 })
        set.headers.location = (await logoutUrl(idToken)) ?? "/login"
        set.status = 303
        return ""
      },
      {
        detail: redirectOperation(
          "Single sign-on",
          "Log out here, and at the provider if this session was opened there; leads there",
          ["not_found", "unwritable"],
        ),
      },
    )

    .post(
      "/oidc/backchannel-logout",
      async ({ body, clientAddress }) => {
        await singleSignOn.logOut(await endedLogin(body.logout_token), clientAddress)
        return { status: "logged out" }
      },
      {
        form: true,
        body: LogoutRequest,
        detail: operation(
          "Single sign-on",
          "Take up from the provider that somebody has logged out there (OpenID Connect Back-Channel Logout)",
          200,
          "Status",
          ["not_found", "bad_logout_token", ...formErrors, "unwritable"],
        ),
      },
    )

  /** @throws HttpError `not_found`, `bad_logout_token` */
  async function endedLogin(token: string): Promise<EndedLogin> {
    try {
      return await configured().endedLogin(token)
    } catch (error) {
      if (!(error instanceof LoginRefusal)) throw error
      log.warn("a log-out at the provider was not taken up", { reason: error.message })
      throw new HttpError("bad_logout_token")
    }
  }

  /** @throws HttpError `not_found` without a provider */
  function configured(): Provider {
    if (provider === null) throw new HttpError("not_found")
    return provider
  }

  /** @throws LoginRefusal, DomainError `unwritable` */
  async function loggedIn(callback: URL, flow: Flow | null, address: string) {
    let idToken = ""
    let login: ProvidedLogin | null = null
    const user = await singleSignOn.login({ address, linkTo: flow?.linkTo ?? null }, async () => {
      if (flow === null || !(await store.users.spend(flow))) throw new LoginRefusal("expired")
      const answer = await configured().exchange(callback, flow)
      idToken = answer.idToken
      login = answer.profile
      return answer.profile
    })
    return { user, idToken, login }
  }

  /** The address of the log-in screen, which then shows why the log-in was refused. */
  function refusedTo(error: unknown, next: string): string {
    const isRefusal = error instanceof LoginRefusal
    if (!isRefusal && !(error instanceof DomainError)) throw error
    const { code, message } = error
    if (code === "failed" || code === "unavailable" || code === "incomplete" || !isRefusal)
      log.warn("a log-in through the provider did not succeed", { code, reason: message })
    const query = new URLSearchParams({ error: isRefusal ? code : "unavailable" })
    const way = ownPath(next)
    if (way !== "/") query.set("next", way)
    return `/login?${query}`
  }

  /** Null when this session has no log-in at the provider, or when the provider cannot be reached. */
  async function logoutUrl(idToken: string): Promise<string | null> {
    if (idToken === "") return null
    try {
      return await configured().logoutUrl(idToken, `${address.url}/login`)
    } catch (error) {
      if (error instanceof LoginRefusal) return null
      throw error
    }
  }
}

const LogoutRequest = openObject({ logout_token: Type.String() })

const LoginQuery = openObject({ next: Type.Optional(text("path of this app to go to afterwards")) })
