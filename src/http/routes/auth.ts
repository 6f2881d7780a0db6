import { type Static, Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import type { App } from "../../app/app.ts"
import { cookieIsSecure } from "../../config/rules.ts"
import type { LoginChallenge, Proof } from "../../domain/auth/second-factors.ts"
import type { TokenPair } from "../../domain/auth/tokens.ts"
import { invalid } from "../../domain/errors.ts"
import type { Dependencies } from "../dependencies.ts"
import { answer, bodyErrors, formErrors, operation, withAnswers } from "../openapi-operations.ts"
import { sessionCookie } from "../request.ts"
import { openObject } from "../schemas.ts"

/** POST /token, /refresh_token, /login and /logout (docs/interface/authentication.md). */
export function authRoutes({ app, guards }: Dependencies<"config" | "logins" | "sessions" | "tokens">) {
  const { logins, sessions, tokens, config } = app
  const cookie = sessionAttributes(config)

  return new Elysia()
    .use(guards)
    .post(
      "/token",
      async ({ body, clientAddress: address }) => {
        const user = await logins.loginForTokens({ ...body, address })
        return tokenView(await tokens.signPair(user, { fresh: true }))
      },
      {
        form: true,
        body: LoginRequest,
        detail: operation("Authentication", "Log in for a pair of tokens", 200, "Token", [
          "bad_login",
          "second_factor_required",
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
        detail: operation("Authentication", "Renew a pair of tokens", 200, "Token", ["bad_credentials", ...bodyErrors]),
      },
    )
    .post(
      "/login",
      async ({ body, credentials, clientAddress: address, set, cookie: { [sessionCookie]: session } }) => {
        const { user, challenge } = await logins.login({ ...body, address })
        if (challenge !== null) {
          set.status = 202
          return challengeView(challenge)
        }
        session?.set({ ...cookie, value: await sessions.open(user, credentials.sessionId, address) })
        return loggedIn
      },
      {
        form: true,
        body: LoginRequest,
        detail: withAnswers(
          { alternative: answer(202, "SecondFactorChallenge", "The account has a second factor") },
          operation("Authentication", "Log in for a session cookie", 200, "Status", [
            "bad_login",
            "too_many_failures",
            "busy",
            ...formErrors,
            "unwritable",
          ]),
        ),
      },
    )
    .post(
      "/login/second-factor",
      async ({ body, credentials, clientAddress: address, cookie: { [sessionCookie]: session } }) => {
        const user = await logins.finish(body.challenge, proofIn(body), address)
        session?.set({ ...cookie, value: await sessions.open(user, credentials.sessionId, address) })
        return loggedIn
      },
      {
        json: true,
        body: SecondFactorRequest,
        detail: operation("Authentication", "Finish a log-in with a second factor", 200, "Status", [
          "bad_second_factor",
          "challenge_ended",
          "too_many_failures",
          "busy",
          ...bodyErrors,
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
      { detail: operation("Authentication", "Log out of the session", 200, "Status", ["unwritable"]) },
    )
}

/** The attributes of the session cookie. */
export const sessionAttributes = (config: App["config"]) => ({
  httpOnly: true,
  sameSite: config.session.same_site,
  secure: cookieIsSecure(config),
  path: "/",
  maxAge: config.session.expire_seconds,
})

const LoginRequest = openObject({
  username: Type.String({
    description: "the user name; if none matches exactly, also in another case, or the e-mail address",
  }),
  password: Type.String(),
})
const SecondFactorRequest = openObject(
  {
    challenge: Type.String({ description: "that of the log-in" }),
    passkey: Type.Optional(openObject({}, { description: "what `navigator.credentials.get` returned, as JSON" })),
    code: Type.Optional(Type.String({ description: "the six digits that the app shows" })),
    recovery_code: Type.Optional(Type.String()),
  },
  { description: "the challenge, and one of the others" },
)
const RefreshRequest = openObject({ refresh_token: Type.String() })

const loggedIn = { status: "logged in" }

/** @throws DomainError `invalid` */
function proofIn({ passkey, code, recovery_code: recovery }: Static<typeof SecondFactorRequest>): Proof {
  const proofs: Proof[] = []
  if (passkey !== undefined) proofs.push({ kind: "passkey", response: passkey })
  if (code !== undefined) proofs.push({ kind: "totp", code })
  if (recovery !== undefined) proofs.push({ kind: "recovery", code: recovery })
  const [proof, ...others] = proofs
  if (!proof || others.length > 0) throw invalid("body", "one of passkey, code and recovery_code")
  return proof
}

export const authComponents = {
  SecondFactorChallenge: Type.Object(
    {
      second_factor: Type.Array(Type.Union([Type.Literal("passkey"), Type.Literal("totp"), Type.Literal("recovery")])),
      challenge: Type.String({ description: "for POST /login/second-factor, within five minutes" }),
      passkey: Type.Optional(
        Type.Object(
          {},
          { additionalProperties: true, description: "options for `navigator.credentials.get`, as JSON" },
        ),
      ),
    },
    { description: "the password is right; a second factor finishes the log-in" },
  ),
  Token: Type.Object({
    access_token: Type.String(),
    refresh_token: Type.String(),
    token_type: Type.Literal("bearer"),
  }),
}

const challengeView = ({ methods, token, passkey }: LoginChallenge) => ({
  second_factor: [...methods],
  challenge: token,
  ...(passkey !== null && { passkey }),
})

const tokenView = ({ accessToken, refreshToken }: TokenPair) => ({
  access_token: accessToken,
  refresh_token: refreshToken,
  token_type: "bearer" as const,
})
