import { expect, test } from "bun:test"
import { defaultLifetimeMinutes, type Scope } from "../../../src/domain/auth/tokens.ts"
import { openTestApp, startOfTests } from "../../support/app.ts"
import { claimsOf, forge } from "../../support/tokens.ts"

const second = 1000
const start = Date.parse(`${startOfTests}Z`) / second
const scopes: Scope[] = ["access_token", "refresh_token", "pwd_reset"]
const refusal = { code: "bad_credentials", message: "Could not validate credentials" }

test("a token is valid for 15 minutes if no lifetime is given", async () => {
  await using opened = await openTestApp()
  const { tokens } = opened.app
  const ana = await opened.create("Ana")

  const token = await tokens.sign(ana, "access_token")

  expect(defaultLifetimeMinutes).toBe(15)
  expect(claimsOf(token).exp).toBe(start + 15 * 60)
  opened.clock.advance(15 * 60 * second - 1)
  expect((await tokens.verify(token, "access_token")).user).toEqual(ana)
  opened.clock.advance(1)
  expect(tokens.verify(token, "access_token")).rejects.toMatchObject(refusal)
})

test("the lifetimes of access, refresh and reset tokens are 30, 600 and 10 minutes", async () => {
  await using opened = await openTestApp()
  const ana = await opened.create("Ana")
  const { accessToken, refreshToken } = await opened.app.tokens.signPair(ana, { fresh: true })
  const resetToken = await opened.app.tokens.signReset(ana)

  const minutes = [accessToken, refreshToken, resetToken].map((token) => (Number(claimsOf(token).exp) - start) / 60)
  expect(minutes).toEqual([30, 600, 10])
})

test("a token has the documented claims and is signed with HS256", async () => {
  await using opened = await openTestApp()
  const ana = await opened.create("Ana")
  const { accessToken } = await opened.app.tokens.signPair(ana, { fresh: false })

  expect(JSON.parse(Buffer.from(accessToken.split(".")[0] ?? "", "base64url").toString())).toMatchObject({
    alg: "HS256",
  })
  expect(claimsOf(accessToken)).toEqual({
    sub: "ana",
    exp: start + 1800,
    scope: "access_token",
    fresh: false,
    user_id: 2,
    version: 0,
    jti: expect.any(String),
  })
})

test("a token is valid only for its own scope", async () => {
  await using opened = await openTestApp()
  const ana = await opened.create("Ana")

  for (const scope of scopes) {
    const token = await opened.app.tokens.sign(ana, scope)
    for (const wanted of scopes) {
      const verified = opened.app.tokens.verify(token, wanted)
      if (wanted === scope) expect(await verified).toMatchObject({ user: ana, expiresAt: (start + 900) * second })
      else expect(verified).rejects.toMatchObject(refusal)
    }
  }
})

test("two tokens signed at the same moment differ", async () => {
  await using opened = await openTestApp()
  const ana = await opened.create("Ana")

  const [one, other] = await Promise.all([opened.app.tokens.signReset(ana), opened.app.tokens.signReset(ana)])
  expect(one).not.toBe(other)
})

test("raising a version ends only the tokens of that kind", async () => {
  await using opened = await openTestApp()
  const { store, tokens } = opened.app
  const ana = await opened.create("Ana")
  const [access, refresh, reset] = await Promise.all(scopes.map((scope) => tokens.sign(ana, scope)))
  const change = { userId: ana.id, password: ana.password, keepSession: null, spends: null }

  await store.users.changePassword({ ...change, endsEverything: false })
  expect((await tokens.verify(access ?? "", "access_token")).user.id).toBe(ana.id)
  expect(tokens.verify(refresh ?? "", "refresh_token")).rejects.toMatchObject(refusal)
  expect(tokens.verify(reset ?? "", "pwd_reset")).rejects.toMatchObject(refusal)

  await store.users.changePassword({ ...change, endsEverything: true })
  expect(tokens.verify(access ?? "", "access_token")).rejects.toMatchObject(refusal)
})

test("a token without a version is valid", async () => {
  await using opened = await openTestApp()
  const ana = await opened.create("Ana")
  const token = forge({ sub: "ana", exp: start + 60, scope: "access_token", fresh: true })

  expect(await opened.app.tokens.verify(token, "access_token")).toEqual({
    user: ana,
    subject: "ana",
    fresh: true,
    expiresAt: (start + 60) * second,
    version: null,
  })
})
