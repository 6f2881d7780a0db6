import { expect, test } from "bun:test"
import { createApi } from "../../src/http/api.ts"
import type { NamedGuard } from "../../src/http/guards.ts"
import { refused } from "../support/answers.ts"
import { createClient } from "../support/client.ts"
import { cookie, sessionIn } from "../support/credentials.ts"
import { query } from "../support/database.ts"
import { startTestServer } from "../support/server.ts"

const limited = (seconds: number) => ({
  ...refused(429, "Too many changes in a minute; try again later"),
  headers: { "retry-after": `${seconds}` },
})

/** Ana where three changes a minute are allowed. */
async function few(perMinute = "3") {
  const server = await startTestServer({ settings: { "limits.writes_per_minute": perMinute } })
  return { server, ana: await server.person("Ana"), [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

test("what a person changes is counted over all endpoints for a minute, whatever credential they use", async () => {
  await using here = await few()
  const { server, ana } = here
  const bruno = await server.person("Bruno")
  const session = await server.anybody.submit("/login", { username: ana.username, password: ana.password })
  const other = createClient(server.url, cookie(sessionIn(session)))

  expect((await ana.patch("/user/ana/", { bio: "One" })).status).toBe(200)
  server.clock.advance(19_500)
  expect((await other.patch("/api/v1/me", { bio: "Two" })).status).toBe(200)
  expect((await ana.call("PUT", "/api/v1/me/templates", { json: { reasons: [] } })).status).not.toBe(429)

  expect(await ana.patch("/user/ana/", { bio: "Three" })).toEqual(limited(41))
  expect(await other.patch("/api/v1/me", { bio: "Three" })).toEqual(limited(41))
  expect((await bruno.patch("/user/bruno/", { bio: "One" })).status).toBe(200)
  expect((await ana.get("/user/ana/")).body).toMatchObject({ bio: "Two" })

  server.clock.advance(40_500)
  expect((await ana.patch("/user/ana/", { bio: "Four" })).status).toBe(200)
})

test("a refused change writes nothing: no entry in the audit log, no key, no count", async () => {
  await using here = await few("1")
  const { server, ana } = here
  expect((await ana.patch("/api/v1/me", { name: "Anna" })).status).toBe(200)
  const stored = () =>
    Promise.all(
      ["audit", "idempotency_keys", "rate_limits", "users", "jobs"].map((table) =>
        query(server.app.config.db, `SELECT * FROM ${table} ORDER BY 1, 2`),
      ),
    )
  const before = await stored()
  for (let turn = 0; turn < 3; turn += 1) {
    expect(await ana.patch("/api/v1/me", { name: `Ana ${turn}` })).toEqual(limited(60))
    const headers = { "idempotency-key": `key ${turn}` }
    expect(await ana.call("POST", "/api/v1/tokens", { json: { name: "Script", scopes: ["read"] }, headers })).toEqual(
      limited(60),
    )
  }
  expect(await stored()).toEqual(before)
})

test("superusers change as much as they like; 0 is no limit", async () => {
  await using here = await few("1")
  const admin = await here.server.admin()
  for (let turn = 0; turn < 5; turn += 1) expect((await admin.patch("/user/ana/", { bio: `${turn}` })).status).toBe(200)

  await using unlimited = await few("0")
  for (let turn = 0; turn < 5; turn += 1)
    expect((await unlimited.ana.patch("/user/ana/", { bio: `${turn}` })).status).toBe(200)
})

test("above the limit points, answers, and the end of access are not refused", async () => {
  await using here = await few("1")
  const { server, ana } = here
  await server.person("Bruno")
  await server.grant(ana, 10)
  expect((await ana.patch("/user/ana/", { bio: "One" })).status).toBe(200)
  expect((await ana.patch("/user/ana/", { bio: "Two" })).status).toBe(429)

  expect((await ana.post("/transaction/bruno/", { value: 1 })).status).toBe(201)
  expect((await ana.post("/api/v1/recognitions/2/replies", { text: "You are welcome" })).status).toBe(201)
  expect((await ana.put("/api/v1/recognitions/2/reactions/%F0%9F%91%8D")).status).toBe(200)
  expect((await ana.delete("/api/v1/me/sessions")).status).toBe(200)
})

test("every request of a person who is logged in counts, if it is not a GET and has no limit of its own", async () => {
  await using server = await startTestServer()
  const unused = () => {
    throw new Error("nobody sends requests")
  }
  const parts = await createApi({ app: server.app, arrival: unused }).parts()
  const uncounted = parts
    .flatMap(({ routes }) => routes)
    .filter(({ method, hooks }) => method !== "GET" && "guard" in hooks && !(hooks.guard as NamedGuard).isWrite)
  expect(uncounted.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual([
    "DELETE /api/v1/me/push/:id",
    "DELETE /api/v1/me/sessions",
    "DELETE /api/v1/me/sessions/:session",
    "DELETE /api/v1/recognitions/:id/reactions/:emoji",
    "DELETE /api/v1/tokens/:id",
    "POST /api/v1/grants",
    "POST /api/v1/me/password",
    "POST /api/v1/recognitions/:id/points",
    "POST /api/v1/recognitions/:id/replies",
    "POST /api/v1/rewards/:id/redemptions",
    "POST /api/v1/transactions",
    "POST /transaction/:username/",
    "POST /user/:username/password/",
    "PUT /api/v1/recognitions/:id/reactions/:emoji",
  ])
})
