import { expect, test } from "bun:test"
import { watch } from "../../../stream/watching.ts"
import { noSuchUser, refused, unauthenticated } from "../../../support/answers.ts"
import { createClient } from "../../../support/client.ts"
import { bearer } from "../../../support/credentials.ts"
import { startTestServer, type TestServer } from "../../../support/server.ts"

interface Token {
  readonly id: number
  readonly token: string
  readonly prefix: string
}

const beyondScope = refused(403, "This token may not do that")
const withToken = ({ url }: TestServer, token: string) => createClient(url, bearer(token))

test("a person creates a token, sees its secret once, uses it, and revokes it", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")

  const { status, body } = await ana.post<Token & { expires_at: string }>("/api/v1/tokens", {
    name: "Script",
    scopes: ["read"],
    expires_at: "2026-02-01",
  })
  const { token, ...item } = body
  expect(status).toBe(201)
  expect(token).toMatch(/^rwd_[0-9A-Za-z]{49}$/)
  expect(item.expires_at).toBe("2026-02-01T00:00:00.000Z")
  expect((await withToken(server, token).get("/api/v1/me")).body).toMatchObject({ username: "ana" })

  const listed = await ana.get<{ items: object[] }>("/api/v1/tokens")
  expect(listed.body.items).toEqual([
    {
      ...item,
      name: "Script",
      prefix: token.slice(0, 12),
      scopes: ["read"],
      created_at: expect.stringMatching(/Z$/),
      last_used_at: expect.stringMatching(/Z$/),
      last_used_from: "127.0.0.1",
    },
  ])
  expect(JSON.stringify(listed)).not.toContain(token)

  expect(await ana.delete(`/api/v1/tokens/${item.id}`)).toMatchObject({
    status: 200,
    body: { message: "Token revoked" },
  })
  expect(await withToken(server, token).get("/api/v1/me")).toEqual(unauthenticated)
  expect(await ana.delete(`/api/v1/tokens/${item.id}`)).toEqual(refused(404, "Token not found"))
  expect(server.logged().join("\n")).not.toContain(token)
})

test("nobody can see or revoke another person's tokens; superusers see and revoke service tokens", async () => {
  await using server = await startTestServer()
  const [ana, bruno, admin] = [await server.person("Ana"), await server.person("Bruno"), await server.admin()]
  const own = (await ana.post<Token>("/api/v1/tokens", { name: "Script", scopes: ["read"] })).body
  const request = { name: "Bot", scopes: ["give"], username: "ana" }
  const service = (await admin.post<Token>("/api/v1/service-tokens", request)).body

  expect((await bruno.get("/api/v1/tokens")).body).toEqual({ items: [] })
  expect((await ana.get("/api/v1/tokens")).body).toMatchObject({ items: [{ id: own.id }] })
  expect((await admin.get("/api/v1/service-tokens")).body).toMatchObject({
    items: [{ id: service.id, username: "ana" }],
  })
  for (const [caller, path] of [
    [bruno, `/api/v1/tokens/${own.id}`],
    [ana, `/api/v1/tokens/${service.id}`],
    [admin, `/api/v1/service-tokens/${own.id}`],
    [ana, "/api/v1/tokens/none"],
  ] as const)
    expect(await caller.delete(path)).toEqual(refused(404, "Token not found"))
  expect(await ana.delete(`/api/v1/service-tokens/${service.id}`)).toEqual(refused(403, "Not a super user"))
  expect(await admin.post("/api/v1/service-tokens", { ...request, username: "nobody" })).toEqual(noSuchUser)

  expect((await admin.delete(`/api/v1/service-tokens/${service.id}`)).status).toBe(200)
  expect(await withToken(server, service.token).get("/api/v1/me")).toEqual(unauthenticated)
})

test("a service token gives points in the account's name, only with an Idempotency-Key, and once for each key", async () => {
  await using server = await startTestServer()
  const [ana, bruno, admin] = [await server.person("Ana"), await server.person("Bruno"), await server.admin()]
  await server.grant(ana, 100)
  const { body } = await admin.post<Token>("/api/v1/service-tokens", {
    name: "Bot",
    scopes: ["give"],
    username: "ana",
  })
  const bot = withToken(server, body.token)
  await admin.post("/api/v1/rewards", { name: "Mug", cost: 1 })

  const required = "Idempotency-Key: required with a service token, a new one for each sending"
  for (const [path, json] of [
    ["/transaction/bruno/", { value: 10 }],
    ["/api/v1/transactions", { to: "bruno", value: 10 }],
    ["/api/v1/grants", { usernames: ["bruno"], value: 10 }],
    ["/api/v1/rewards/1/redemptions", {}],
  ] as const)
    expect(await bot.post(path, json)).toEqual(refused(422, required))
  expect((await bot.post("/api/v1/grants?dry_run=1", { usernames: ["bruno"], value: 10 })).status).toBe(200)

  const send = () =>
    bot.call("POST", "/transaction/bruno/", { json: { value: 10 }, headers: { "idempotency-key": "evening-1" } })
  expect((await send()).status).toBe(201)
  expect((await send()).status).toBe(201)
  expect((await bruno.get("/transaction/bruno/")).body).toMatchObject({
    total: 1,
    balance: 10,
    items: [{ from_user: "ana", value: 10 }],
  })
})

test("an account has at most 50 tokens", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")
  const create = () => ana.post("/api/v1/tokens", { name: "Script", scopes: ["read"] })

  for (let count = 0; count < 50; count += 1) expect((await create()).status).toBe(201)

  expect(await create()).toEqual(refused(409, "This account already has the maximum number of tokens"))
})

test("a token of scope admin can do what a superuser can, except for passwords, sessions and tokens", async () => {
  await using server = await startTestServer()
  const admin = await server.admin()
  await server.person("Ana")
  const { body } = await admin.post<Token>("/api/v1/tokens", { name: "Script", scopes: ["admin"] })
  const script = withToken(server, body.token)

  expect((await script.patch("/api/v1/users/ana", { name: "Ana Lima" })).status).toBe(200)
  const password = { password: "another", password_confirm: "another" }
  expect(await script.post("/user/ana/password/", password)).toEqual(beyondScope)
  expect(await script.post("/user/nobody/password/", password)).toEqual(beyondScope)
  expect(await script.get("/api/v1/me/sessions")).toEqual(beyondScope)
  expect(await script.post("/api/v1/tokens", { name: "Child", scopes: ["read"] })).toEqual(beyondScope)
})

test("files and streams accept a token of scope read; a stream ends when the token is revoked or expires", async () => {
  const settings = { "stream.access": "auth", "stream.poll_interval_seconds": "0.05" }
  await using server = await startTestServer({ settings })
  const ana = await server.person("Ana")
  const create = async (expires_at?: string) =>
    (await ana.post<Token>("/api/v1/tokens", { name: "Script", scopes: ["read"], expires_at })).body
  const [lasting, expiring] = [await create(), await create("2026-01-05T10:00:00Z")]

  expect((await withToken(server, lasting.token).get("/api/v1/transactions.csv")).status).toBe(200)
  const streams = []
  for (const path of ["/transaction/ws", "/api/v1/stream"])
    for (const { token } of [lasting, expiring]) {
      const stream = watch(server.url.replace("http", "ws") + path, bearer(token))
      await stream.opened
      streams.push(stream)
    }
  await ana.delete(`/api/v1/tokens/${lasting.id}`)
  server.clock.advance(3_600_000)

  expect(await Promise.all(streams.map(({ closed }) => closed))).toEqual([1008, 1008, 1008, 1008])
})

test("ending all other sessions ends personal tokens; a password change by oneself keeps them, one by a superuser does not", async () => {
  await using server = await startTestServer()
  const [ana, admin] = [await server.person("Ana"), await server.admin()]
  const create = async (caller: typeof ana) =>
    (await caller.post<Token>("/api/v1/tokens", { name: "Script", scopes: ["read"] })).body.token
  const works = async (token: string) => (await withToken(server, token).get("/api/v1/me")).status === 200

  const first = await create(ana)
  await ana.post("/user/ana/password/", { password: "new", password_confirm: "new" })
  expect(await works(first)).toBe(true)
  await ana.delete("/api/v1/me/sessions")
  expect(await works(first)).toBe(false)

  const second = await create(ana)
  await admin.post("/user/ana/password/", { password: "newer", password_confirm: "newer" })
  expect(await works(second)).toBe(false)
})

test("the data stored about a person include their tokens, without hashes", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")
  await ana.post("/api/v1/tokens", { name: "Script", scopes: ["read"] })

  const { body } = await ana.get<{ api_tokens: object[] }>("/api/v1/users/ana/data")

  expect(body.api_tokens).toMatchObject([{ kind: "personal", name: "Script", scopes: "read" }])
  expect(JSON.stringify(body.api_tokens)).not.toMatch(/[0-9a-f]{64}/)
})
