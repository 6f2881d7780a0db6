import { expect, test } from "bun:test"
import { badLogin, ok, refused, unauthenticated } from "../../support/answers.ts"
import { startTestServer, type TestServer } from "../../support/server.ts"
import { claimsOf, forge } from "../../support/tokens.ts"

interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
}

const minute = 60_000
const startSeconds = Date.UTC(2026, 0, 5, 9) / 1000
const jwt = expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/)
const tokenPair = ok({ access_token: jwt, refresh_token: jwt, token_type: "bearer" })

/** Whether this header opens a protected endpoint. */
const tryHeader = (server: TestServer, authorization: string, query = "") =>
  server.anybody.call("GET", `/transaction/${query}`, { headers: { authorization } })

const emptyPage = ok({ items: [], total: 0, page: 1, size: 50 })

test("POST /token returns a pair of tokens with the claims of the contract", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")

  const answer = await server.anybody.submit<Tokens>("/token", { username: "ana", password: ana.password })

  expect(answer).toEqual(tokenPair as typeof answer)
  const { access_token, refresh_token } = answer.body
  expect(claimsOf(access_token)).toMatchObject({
    sub: "ana",
    exp: startSeconds + 30 * 60,
    scope: "access_token",
    fresh: true,
  })
  expect(claimsOf(refresh_token)).toMatchObject({ sub: "ana", exp: startSeconds + 600 * 60, scope: "refresh_token" })
  expect(claimsOf(refresh_token)).not.toHaveProperty("fresh")
})

test("POST /token gives the same 401 with a challenge for an unknown user and for a wrong password", async () => {
  await using server = await startTestServer()
  await server.person("Ana")

  for (const username of ["ana", "nobody", "Ana", " ana", "", "ana@example.com", "ana\0"])
    expect(await server.anybody.submit("/token", { username, password: "wrong" })).toEqual(badLogin)
})

test("an e-mail address, or a username in other case, logs in its user at /token and /login", async () => {
  await using server = await startTestServer()
  const { password } = await server.person("Ana")

  for (const username of ["ANA", "ana@example.com", "Ana@Example.com"]) {
    const { body } = await server.anybody.submit<{ access_token: string }>("/token", { username, password })
    expect(claimsOf(body.access_token)).toMatchObject({ sub: "ana" })
    const session = await server.withSession({ username, password })
    expect(await session.get("/api/v1/me")).toMatchObject(ok({ username: "ana" }))
    expect(await server.anybody.submit("/token", { username, password: "wrong" })).toEqual(badLogin)
  }
})

test("an empty, a truncated and a very long password are wrong passwords", async () => {
  await using server = await startTestServer()
  const { password } = await server.person("Ana")

  for (const wrong of ["", password.slice(0, -1), `${password} `, `${password}\0`, password.repeat(100)])
    expect(await server.anybody.submit("/token", { username: "ana", password: wrong })).toEqual(badLogin)
})

test("POST /token with a missing or repeated field is 422", async () => {
  await using server = await startTestServer()
  const { password } = await server.person("Ana")
  const form = new URLSearchParams({ username: "ana", password }).toString()

  for (const text of ["", "username=ana", `password=${password}`, `${form}&password=x`, `${form}&username=ana`]) {
    const { status, body } = await server.anybody.submit("/token", text)
    expect({ text, status, body }).toEqual({ text, status: 422, body: { detail: expect.any(String) } })
  }
})

test("other form fields are ignored, because OAuth clients send some", async () => {
  await using server = await startTestServer()
  const { password } = await server.person("Ana")

  const form = { grant_type: "password", scope: "", username: "ana", password, client_id: "x", __proto__x: "1" }
  expect(await server.anybody.submit("/token", form)).toEqual(tokenPair)
})

test("an access token is valid for 30 minutes", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")

  server.clock.advance(30 * minute - 1000)
  expect(await ana.get("/transaction/")).toEqual(emptyPage)
  server.clock.advance(1000)
  expect(await ana.get("/transaction/")).toEqual(unauthenticated)
})

test("POST /refresh_token returns a new pair, and its access token is not fresh", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")

  const answer = await server.anybody.post<Tokens>("/refresh_token", { refresh_token: ana.refreshToken })

  expect(answer).toEqual(tokenPair as typeof answer)
  const { access_token, refresh_token } = answer.body
  expect(access_token).not.toBe(ana.accessToken)
  expect(refresh_token).not.toBe(ana.refreshToken)
  expect(claimsOf(access_token)).toMatchObject({ sub: "ana", scope: "access_token", fresh: false })
  expect(await tryHeader(server, `Bearer ${access_token}`)).toEqual(emptyPage)
  expect(await server.anybody.post("/refresh_token", { refresh_token })).toEqual(tokenPair)
})

test("a refresh token is valid for 600 minutes", async () => {
  await using server = await startTestServer()
  const { refreshToken } = await server.person("Ana")

  server.clock.advance(600 * minute - 1000)
  expect(await server.anybody.post("/refresh_token", { refresh_token: refreshToken })).toEqual(tokenPair)
  server.clock.advance(1000)
  expect(await server.anybody.post("/refresh_token", { refresh_token: refreshToken })).toEqual(unauthenticated)
})

test("the lifetimes of tokens are settings", async () => {
  const settings = {
    "security.access_token_expire_minutes": "1",
    "security.refresh_token_expire_minutes": "2",
    "security.reset_token_expire_minutes": "3",
  }
  await using server = await startTestServer({ settings })
  const ana = await server.person("Ana")

  const exps = [ana.accessToken, ana.refreshToken].map((token) => claimsOf(token).exp)
  expect(exps).toEqual([startSeconds + 60, startSeconds + 120])
  expect(claimsOf(await server.resetToken(ana)).exp).toBe(startSeconds + 3 + 180)
})

const far = startSeconds + 60
const good = { sub: "ana", exp: far, scope: "refresh_token" }
const { sub: _sub, ...withoutSub } = good
const { exp: _exp, ...withoutExp } = good
const { scope: _scope, ...withoutScope } = good

const badTokens: [what: string, token: (scope: string) => string][] = [
  ["no token at all", () => ""],
  ["a word", () => "x"],
  ["dots", () => ".."],
  ["four parts", (scope) => `${forge({ ...good, scope })}.x`],
  ["a foreign key", (scope) => forge({ ...good, scope }, { key: "another key of thirty-two bytes and more" })],
  ["an empty key", (scope) => forge({ ...good, scope }, { key: "" })],
  ["the algorithm none", (scope) => forge({ ...good, scope }, { alg: "none" })],
  ["the algorithm None", (scope) => forge({ ...good, scope }, { alg: "None" })],
  ["HS512 with the server's key", (scope) => forge({ ...good, scope }, { alg: "HS512" })],
  ["HS384 with the server's key", (scope) => forge({ ...good, scope }, { alg: "HS384" })],
  ["a cut signature", (scope) => forge({ ...good, scope }).slice(0, -3)],
  ["no expiry", (scope) => forge({ ...withoutExp, scope })],
  ["an expiry in words", (scope) => forge({ ...good, exp: String(far), scope })],
  ["no subject", (scope) => forge({ ...withoutSub, scope })],
  ["a number as subject", (scope) => forge({ ...good, sub: 1, scope })],
  ["a list as subject", (scope) => forge({ ...good, sub: ["ana"], scope })],
  ["no subject's text", (scope) => forge({ ...good, sub: "", scope })],
  ["an unknown user", (scope) => forge({ ...good, sub: "nobody", scope })],
  ["an expiry just over", (scope) => forge({ ...good, exp: startSeconds, scope })],
  ["no scope", () => forge(withoutScope)],
  ["an unknown scope", () => forge({ ...good, scope: "admin" })],
  ["a list of scopes", (scope) => forge({ ...good, scope: [scope] })],
  ["a version of the future", (scope) => forge({ ...good, scope, version: 1 })],
  ["a version in words", (scope) => forge({ ...good, scope, version: "0" })],
  ["a start in the future", (scope) => forge({ ...good, scope, nbf: far })],
  ["a list of claims", () => forge([good])],
  ["null", () => forge(null)],
]

for (const [what, token] of badTokens)
  test(`a token with ${what} is invalid: as bearer, at /refresh_token, as reset token`, async () => {
    await using server = await startTestServer()
    await server.person("Ana")
    const newPassword = { password: "new", password_confirm: "new" }
    const resetting = `/user/ana/password/?pwd_reset_token=${encodeURIComponent(token("pwd_reset"))}`

    expect(await tryHeader(server, `Bearer ${token("access_token")}`)).toEqual(unauthenticated)
    expect(await server.anybody.post("/refresh_token", { refresh_token: token("refresh_token") })).toEqual(
      unauthenticated,
    )
    expect(await server.anybody.post(resetting, newPassword)).toEqual(
      refused(403, "You are not allowed to change this user's password"),
    )
  })

test("a token with only the contract's claims is valid for its scope and nothing else", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")
  const newPassword = { password: "new", password_confirm: "new" }
  const statuses = async (token: string) => [
    (await tryHeader(server, `Bearer ${token}`)).status,
    (await server.anybody.post("/refresh_token", { refresh_token: token })).status,
    (await server.anybody.post(`/user/ana/password/?pwd_reset_token=${token}`, newPassword)).status,
  ]

  expect(await statuses(forge({ ...good, scope: "access_token" }))).toEqual([200, 401, 403])
  expect(await statuses(forge({ ...good, scope: "refresh_token" }))).toEqual([401, 200, 403])
  expect(await statuses(ana.accessToken)).toEqual([200, 401, 403])
  expect(await statuses(ana.refreshToken)).toEqual([401, 200, 403])
  expect(await statuses(await server.resetToken(ana))).toEqual([401, 401, 200])
  expect(await statuses(forge({ ...good, scope: "pwd_reset" }))).toEqual([401, 401, 200])
})

test("additional claims in a token are ignored", async () => {
  await using server = await startTestServer()
  await server.person("Ana")

  const token = forge({
    ...good,
    scope: "access_token",
    fresh: true,
    jti: "1",
    iss: "elsewhere",
    roles: ["x"],
    iat: far,
  })
  expect(await tryHeader(server, `Bearer ${token}`)).toEqual(emptyPage)
})

test("the token is what follows the spaces of the header; a header without a space is refused", async () => {
  await using server = await startTestServer()
  const { accessToken } = await server.person("Ana")
  const refusedHeaders = [
    "x",
    "Bearer",
    "Bearer ",
    "Bearer x",
    "Bearer null",
    `Bearer ${accessToken} x`,
    `Bearer x ${accessToken}`,
    `Bearer ${accessToken},`,
    `Bearer "${accessToken}"`,
    accessToken,
  ]

  for (const header of refusedHeaders)
    expect({ header, ...(await tryHeader(server, header)) }).toEqual({ header, ...unauthenticated })
  for (const scheme of ["Bearer", "bearer", "BEARER", "Bearer ", "Bearer    "])
    expect(await tryHeader(server, `${scheme} ${accessToken}`)).toEqual(emptyPage)
  expect(await server.anybody.get("/transaction/")).toEqual(unauthenticated)
})

test("?fresh=true requires a fresh token of regular users, but not of superusers", async () => {
  await using server = await startTestServer()
  const [ana, admin] = [await server.person("Ana"), await server.admin()]
  const renewed = async (refresh_token: string) => {
    const { body } = await server.anybody.post<Tokens>("/refresh_token", { refresh_token })
    return `Bearer ${body.access_token}`
  }
  const [ofAna, ofAdmin] = [await renewed(ana.refreshToken), await renewed(admin.refreshToken)]

  expect(await tryHeader(server, ofAna)).toEqual(emptyPage)
  expect(await tryHeader(server, ofAna, "?fresh=true")).toEqual(unauthenticated)
  expect(await tryHeader(server, ofAna, "?fresh=1")).toEqual(unauthenticated)
  expect(await tryHeader(server, ofAna, "?fresh=false")).toEqual(emptyPage)
  expect(await tryHeader(server, ofAdmin, "?fresh=true")).toEqual(emptyPage)
  expect(await tryHeader(server, `Bearer ${ana.accessToken}`, "?fresh=true")).toEqual(emptyPage)
})

test("a session counts as fresh", async () => {
  await using server = await startTestServer()
  const session = await server.withSession(await server.person("Ana"))

  expect(await session.get("/transaction/?fresh=true")).toEqual(emptyPage)
})

test("a token is fresh only if its claim fresh is true", async () => {
  await using server = await startTestServer()
  await server.person("Ana")
  const withFresh = (fresh: unknown) => `Bearer ${forge({ sub: "ana", exp: far, scope: "access_token", fresh })}`

  for (const fresh of [undefined, null, "true", 1, false, [true]])
    expect(await tryHeader(server, withFresh(fresh), "?fresh=true")).toEqual(unauthenticated)
  expect(await tryHeader(server, withFresh(true), "?fresh=true")).toEqual(emptyPage)
})

test("nothing in a query can undo ?fresh=true", async () => {
  await using server = await startTestServer()
  await server.person("Ana")
  const stale = `Bearer ${forge({ sub: "ana", exp: far, scope: "access_token", fresh: false })}`

  for (const query of ["fresh=false&fresh=true", "fresh=true&fresh=false", "a=fresh=&fresh=true", "%66resh=true"]) {
    const { status } = await tryHeader(server, stale, `?${query}`)
    expect({ query, refused: status >= 400 }).toEqual({ query, refused: true })
  }
})

test("a value of fresh that is not a boolean is 422 for authenticated callers", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")

  for (const value of ["", "banana", "2", "null"]) {
    expect(await ana.get(`/transaction/?fresh=${value}`)).toEqual(
      refused(422, "fresh: true or false (also 1, yes, on, 0, no, off)"),
    )
    expect(await server.anybody.get(`/transaction/?fresh=${value}`)).toEqual(unauthenticated)
  }
})

test("the subject of a token must match the username exactly, in its Unicode form too", async () => {
  await using server = await startTestServer()
  await server.person("Zoé")
  const decomposed = forge({ ...good, sub: "zoé".normalize("NFD"), scope: "access_token" })

  expect(await tryHeader(server, `Bearer ${decomposed}`)).toEqual(unauthenticated)
})

test("a username can be typed in either Unicode form", async () => {
  await using server = await startTestServer()
  const { password } = await server.person("Zoé")

  for (const form of ["NFC", "NFD"])
    expect(await server.anybody.submit("/token", { username: "zoé".normalize(form), password })).toEqual(tokenPair)
})
