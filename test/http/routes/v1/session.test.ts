import { expect, test } from "bun:test"
import { version } from "../../../../package.json"
import { defaultProgramme } from "../../../../src/domain/programme/model.ts"
import { badSession, ok, refused, unauthenticated } from "../../../support/answers.ts"
import { type Client, createClient } from "../../../support/client.ts"
import { bearer } from "../../../support/credentials.ts"
import { type Person, startTestServer, type TestServer } from "../../../support/server.ts"
import { forge } from "../../../support/tokens.ts"

interface Open {
  readonly items: readonly { readonly id: string; readonly current: boolean }[]
}

const service = {
  name: "Rewards",
  version,
  time_zone: "UTC",
  stream_access: "public",
  tags: [],
  points_name: { one: "point", many: "points" },
  feed: "all",
  sends_mail: false,
  avatar_hosts: ["*"],
  login: { password: true, password_min_length: 1, oidc: null },
}
const day = 86_400_000

/** Ana, logged in twice from browsers and once with a token, each opened a second after the other. */
async function anaTwice(server: TestServer) {
  const ana = await server.person("Ana")
  const first = await server.withSession(ana)
  server.clock.advance(1000)
  return { ana, first, second: await server.withSession(ana) }
}

test("without valid credentials (none, invalid token, invalid session) the answer is 200 with null", async () => {
  await using server = await startTestServer()
  const unknown = { headers: { cookie: "session_id=0123456789abcdef0123456789abcdef" } }
  const forged = { headers: { authorization: "Bearer x" } }

  expect(await server.anybody.get("/api/v1/session")).toEqual(ok(null))
  for (const sent of [unknown, forged])
    expect(await server.anybody.call("GET", "/api/v1/session", sent)).toEqual(ok(null))
})

test("a logged-in user gets the account and everything that the app needs at its start", async () => {
  await using server = await startTestServer()
  const ana = await server.withSession(await server.person("Ana"))
  const admin = await server.withSession(await server.admin())

  expect(await ana.get("/api/v1/session")).toEqual(
    ok({
      ...(await ana.get<object>("/api/v1/me")).body,
      role: "member",
      balance: 0,
      second_factor_missing: false,
      former_usernames: [],
      service,
      programme: defaultProgramme,
    }),
  )
  expect(await admin.get("/api/v1/session/")).toEqual(
    ok({
      ...(await admin.get<object>("/api/v1/me")).body,
      role: "superuser",
      initial_password: true,
      default_password: true,
      second_factor_missing: false,
      former_usernames: [],
      service,
      programme: defaultProgramme,
    }),
  )
})

test("everybody can read the public settings of the service", async () => {
  await using server = await startTestServer({
    settings: {
      "service.name": "Kudos",
      "stream.access": "auth",
      "recognition.tags": "courage,care",
      "recognition.feed": "own",
      "ui.avatar_hosts": "pictures.example.com",
    },
  })
  expect(await server.anybody.get("/api/v1/service")).toEqual(
    ok({
      name: "Kudos",
      version,
      time_zone: "UTC",
      stream_access: "auth",
      tags: ["courage", "care"],
      points_name: { one: "point", many: "points" },
      sends_mail: false,
      feed: "own",
      avatar_hosts: ["pictures.example.com"],
      login: { password: true, password_min_length: 1, oidc: null },
    }),
  )
})

test("one's own open sessions are listed, newest first, with the current one marked and without ids", async () => {
  await using server = await startTestServer()
  const { first, second, ana } = await anaTwice(server)
  await server.withSession(await server.person("Bruno"))
  const item = (opened: string, current: boolean) => ({
    id: expect.stringMatching(/^[0-9a-f]{32}$/),
    current,
    opened_at: `2026-01-05T09:00:0${opened}.000Z`,
    expires_at: `2026-01-12T09:00:0${opened}.000Z`,
    address: "127.0.0.1",
  })

  expect(await second.get("/api/v1/me/sessions")).toEqual(ok({ items: [item("1", true), item("0", false)] }))
  expect(await first.get("/api/v1/me/sessions")).toEqual(ok({ items: [item("1", false), item("0", true)] }))
  const { body } = await ana.get<Open>("/api/v1/me/sessions")
  expect(body.items.map(({ current }) => current)).toEqual([false, false])
  const told = JSON.stringify(body)
  for (const { sessionId } of [first, second]) expect(told).not.toContain(sessionId)
})

test("an expired session is not listed", async () => {
  await using server = await startTestServer()
  const { ana, second } = await anaTwice(server)
  server.clock.advance(7 * day - 1000)

  expect((await second.get<Open>("/api/v1/me/sessions")).body.items).toHaveLength(1)
  server.clock.advance(1000)
  const again = await server.withSession(ana)
  expect((await again.get<Open>("/api/v1/me/sessions")).body.items).toHaveLength(1)
})

test("one of one's own sessions can be ended, and the others stay", async () => {
  await using server = await startTestServer()
  const { first, second } = await anaTwice(server)
  const [, old] = (await second.get<Open>("/api/v1/me/sessions")).body.items

  expect(await second.call("DELETE", `/api/v1/me/sessions/${old?.id}`)).toEqual(ok({ ended: 1 }))

  expect(await first.get("/api/v1/me")).toEqual(badSession)
  expect(await second.get("/api/v1/me")).toMatchObject({ status: 200 })
})

test("ending the current session logs out and deletes the cookie", async () => {
  await using server = await startTestServer()
  const { first, second } = await anaTwice(server)
  const [own] = (await second.get<Open>("/api/v1/me/sessions")).body.items

  expect(await second.call("DELETE", `/api/v1/me/sessions/${own?.id}`)).toEqual({
    ...ok({ ended: 1 }),
    headers: { "set-cookie": expect.stringMatching(/^session_id=; (?=.*Max-Age=0)(?=.*Path=\/)/) },
  })
  expect(await second.get("/api/v1/session")).toEqual(ok(null))
  expect(await first.get("/api/v1/me")).toMatchObject({ status: 200 })
})

/** Ana's tokens: two pairs, one signed elsewhere with the contract's claims alone, and one in a reset mail. */
async function anasTokens(server: TestServer, ana: Person) {
  const again = await server.as(ana)
  const reset = await server.resetToken(ana)
  const plain = forge({ sub: "ana", scope: "access_token", exp: server.clock.now() / 1000 + 600 })
  return {
    plain: createClient(server.url, bearer(plain)),
    /** What each is answered: access tokens, refresh tokens, the reset token. */
    statuses: async () => ({
      access: await Promise.all([ana, again].map(async (caller) => (await caller.get("/api/v1/me")).status)),
      refresh: await Promise.all(
        [ana, again].map(
          async ({ refreshToken }) =>
            (await server.anybody.post("/refresh_token", { refresh_token: refreshToken })).status,
        ),
      ),
      // Without a password it changes nothing; only whether the token would do is told.
      reset: (await server.anybody.post(`/user/ana/password/?pwd_reset_token=${reset}`, {})).status,
    }),
  }
}

test("ending all others from a session ends all other sessions and every token, including reset links", async () => {
  await using server = await startTestServer()
  const { ana, first, second } = await anaTwice(server)
  const tokens = await anasTokens(server, ana)
  const bruno = await server.person("Bruno")
  expect(await tokens.statuses()).toEqual({ access: [200, 200], refresh: [200, 200], reset: 422 })

  expect(await second.call("DELETE", "/api/v1/me/sessions")).toEqual(ok({ ended: 1 }))

  expect(await first.get("/api/v1/me")).toEqual(badSession)
  expect(await second.get("/api/v1/me")).toMatchObject({ status: 200 })
  expect(await tokens.statuses()).toEqual({ access: [401, 401], refresh: [401, 401], reset: 403 })
  expect(await tokens.plain.get("/api/v1/me")).toMatchObject({ status: 200 })
  expect(await bruno.get("/api/v1/me")).toMatchObject({ status: 200 })
  expect(await (await server.as(ana)).get("/api/v1/me")).toMatchObject({ status: 200 })
})

test("ending all others from a token ends every session and all other tokens, and keeps that token", async () => {
  await using server = await startTestServer()
  const { ana, first, second } = await anaTwice(server)
  const tokens = await anasTokens(server, ana)
  const endOthers = (caller: Pick<Client, "call">) => caller.call("DELETE", "/api/v1/me/sessions")

  expect(await endOthers(ana)).toEqual(ok({ ended: 2 }))
  for (const session of [first, second]) expect(await session.get("/api/v1/me")).toEqual(badSession)
  expect(await tokens.statuses()).toEqual({ access: [200, 401], refresh: [401, 401], reset: 403 })

  expect(await endOthers(ana)).toEqual(ok({ ended: 0 }))
  const newer = await server.as(ana)
  expect(await tokens.statuses()).toEqual({ access: [200, 401], refresh: [401, 401], reset: 403 })
  expect(await endOthers(newer)).toEqual(ok({ ended: 0 }))
  expect(await tokens.statuses()).toEqual({ access: [401, 401], refresh: [401, 401], reset: 403 })
  expect(await newer.get("/api/v1/me")).toMatchObject({ status: 200 })

  const admin = await server.admin()
  await admin.post("/user/ana/password/", { password: "new", password_confirm: "new" })
  expect(await newer.get("/api/v1/me")).toEqual(unauthenticated)
})

test("a copy of a kept token with another signature is refused", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")
  await ana.call("DELETE", "/api/v1/me/sessions")

  const unsigned = `${ana.accessToken.slice(0, ana.accessToken.lastIndexOf("."))}.x`
  expect(await createClient(server.url, bearer(unsigned)).get("/api/v1/me")).toEqual(unauthenticated)
})

test("a user cannot end the session of another", async () => {
  await using server = await startTestServer()
  const { second } = await anaTwice(server)
  const bruno = await server.withSession(await server.person("Bruno"))
  const [own] = (await second.get<Open>("/api/v1/me/sessions")).body.items

  for (const handle of [own?.id, second.sessionId, "x", "%00"])
    expect(await bruno.call("DELETE", `/api/v1/me/sessions/${handle}`)).toEqual(refused(404, "Session not found"))
  expect(await second.get("/api/v1/me")).toMatchObject({ status: 200 })
})

test("without credentials sessions can be neither listed nor ended", async () => {
  await using server = await startTestServer()

  expect(await server.anybody.get("/api/v1/me/sessions")).toEqual(unauthenticated)
  expect(await server.anybody.call("DELETE", "/api/v1/me/sessions")).toEqual(unauthenticated)
  expect(await server.anybody.call("DELETE", "/api/v1/me/sessions/x")).toEqual(unauthenticated)
})

test("ended sessions leave entries in the audit log", async () => {
  await using server = await startTestServer()
  const { second } = await anaTwice(server)
  await second.call("DELETE", "/api/v1/me/sessions")
  const [own] = (await second.get<Open>("/api/v1/me/sessions")).body.items
  await second.call("DELETE", `/api/v1/me/sessions/${own?.id}`)

  const entries = await server.app.store.audit.list({ action: "access_ended", limit: 10 })
  expect(entries.map(({ who, whom, address, detail }) => ({ who, whom, address, detail }))).toEqual([
    { who: "ana", whom: "ana", address: "127.0.0.1", detail: "every other session and token" },
    { who: "ana", whom: "ana", address: "127.0.0.1", detail: "a session" },
  ])
})
