import { join } from "node:path"
import fc from "fast-check"
import { badLogin, ok, refused, unauthenticated } from "../support/answers.ts"
import { type Answer, createClient } from "../support/client.ts"
import { sessionIn, type Tokens } from "../support/credentials.ts"
import { nextResetToken } from "../support/debug-mail.ts"
import { claimsOf } from "../support/tokens.ts"
import { type Action, action, clientOf, credentialAt, expectAnswer } from "./action.ts"
import { credential, username, wrongPassword } from "./arbitraries.ts"
import { type Model, userNamed } from "./state.ts"

/** Logs in with the right password, or with `given`. */
const logIn = fc.record({ username, given: wrongPassword }).map(({ username, given }) =>
  action(`${username} logs in ${withPassword(given)}`, async (model, { url }) => {
    const password = given ?? userNamed(model, username)?.password ?? ""
    const answer = await createClient(url).submit<Tokens>("/token", { username, password })
    if (userNamed(model, username)?.password !== password) return expectAnswer(badLogin, answer)
    keepTokens(model, username, answer, true)
  }),
)

const openSession = fc.record({ username, given: wrongPassword, shown: credential }).map(({ username, given, shown }) =>
  action(`${username} opens a session ${withPassword(given)}, showing credential ${shown}`, async (model, server) => {
    const password = given ?? userNamed(model, username)?.password ?? ""
    const before = credentialAt(model, shown)
    const answer = await clientOf(server, before).submit("/login", { username, password })
    if (userNamed(model, username)?.password !== password)
      return expectAnswer(refused(401, "Incorrect username or password"), answer)
    expectAnswer(ok({ status: "logged in" }), answer)
    if (before?.kind === "session") before.ended = true
    model.credentials.push({ kind: "session", username, id: sessionIn(answer), ended: false })
  }),
)

const refresh = credential.map((shown) =>
  action(`credential ${shown} is refreshed`, async (model, { url }) => {
    const before = credentialAt(model, shown)
    const refresh_token = before?.kind === "tokens" ? before.refresh : "none"
    const answer = await createClient(url).post<Tokens>("/refresh_token", { refresh_token })
    if (before?.kind !== "tokens" || before.refreshEnded) return expectAnswer(unauthenticated, answer)
    keepTokens(model, before.username, answer, false)
  }),
)

const logOut = credential.map((shown) =>
  action(`credential ${shown} logs out`, async (model, server) => {
    const before = credentialAt(model, shown)
    expectAnswer(ok({ status: "logged out" }), await clientOf(server, before).post("/logout"))
    if (before?.kind === "session") before.ended = true
  }),
)

const requestReset = username.map((username) =>
  action(`${username} asks for a reset mail`, async (model, { url, path }) => {
    const user = userNamed(model, username)
    const email = user?.email ?? "nobody@example.com"
    const mail = await nextResetToken(join(path, "email.log"), email)
    const message = "If we found a user with that email, we sent a password reset token to it."
    expectAnswer(ok({ message }), await createClient(url).post("/user/pwd_reset_token/", { email }))
    if (user) model.resetTokens.push({ username, token: await mail.arrives(), ended: false })
  }),
)

export const logins: fc.WeightedArbitrary<Action>[] = [
  { arbitrary: logIn, weight: 4 },
  { arbitrary: openSession, weight: 4 },
  { arbitrary: refresh, weight: 3 },
  { arbitrary: logOut, weight: 2 },
  { arbitrary: requestReset, weight: 2 },
]

const withPassword = (given: string | undefined) => `with ${JSON.stringify(given) ?? "the right password"}`

/** Adds the tokens of an answer to the model.
 *  @throws Error when their claims are wrong */
function keepTokens(model: Model, username: string, answer: Answer<Tokens>, fresh: boolean) {
  const { access_token: access, refresh_token: refresh } = answer.body
  expectAnswer(ok({ access_token: access, refresh_token: refresh, token_type: "bearer" }), answer)
  const claims = [claimsOf(access), claimsOf(refresh)].map(({ sub, scope, fresh }) => ({ sub, scope, fresh }))
  const expected = [
    { sub: username, scope: "access_token", fresh },
    { sub: username, scope: "refresh_token", fresh: undefined },
  ]
  if (!Bun.deepEquals(claims, expected)) throw new Error(`the tokens claim ${JSON.stringify(claims)}`)
  model.credentials.push({ kind: "tokens", username, access, refresh, fresh, accessEnded: false, refreshEnded: false })
}
