import { expect, test } from "bun:test"
import type { Sent } from "../support/client.ts"
import { startTestServer, type TestServer } from "../support/server.ts"

const listed = "https://app.example.com"
const settings = { "cors.origins": `${listed},http://localhost:3000` }

/** The status and what it says to a browser about other origins, each list sorted. */
async function told(server: TestServer, method: string, path: string, sent: Sent = {}) {
  const { status, headers } = await server.anybody.request(method, path, sent)
  const list = (name: string) => headers.get(name)?.toLowerCase().split(/, */).toSorted() ?? null
  return {
    status,
    origin: headers.get("access-control-allow-origin"),
    credentials: headers.get("access-control-allow-credentials"),
    varies: headers.get("vary")?.includes("Origin") ?? false,
    methods: list("access-control-allow-methods"),
    headers: list("access-control-allow-headers"),
  }
}

const allowed = (origin: string) => ({ origin, credentials: "true", varies: true })

const preflight = (origin: string, method: string, headers?: string): Sent => ({
  headers: {
    origin,
    "access-control-request-method": method,
    ...(headers && { "access-control-request-headers": headers }),
  },
})

test("each configured origin may read answers, with credentials", async () => {
  await using server = await startTestServer({ settings })

  for (const origin of [listed, "http://localhost:3000"])
    expect(await told(server, "GET", "/user/", { headers: { origin } })).toMatchObject({
      status: 200,
      ...allowed(origin),
    })
})

test("configured origins may use all methods and all headers", async () => {
  await using server = await startTestServer({ settings })
  const headers = "authorization,content-type,x-anything"

  for (const method of ["GET", "POST", "PATCH", "PUT", "DELETE"])
    for (const path of ["/user/", "/transaction/admin/", "/user/pwd_reset_token", "/token", "/transaction/"])
      expect(await told(server, "OPTIONS", path, preflight(listed, method, headers))).toEqual({
        status: 204,
        ...allowed(listed),
        methods: [method.toLowerCase()],
        headers: headers.split(","),
      })
})

test("an origin that is not configured is never allowed", async () => {
  await using server = await startTestServer({ settings })
  const others = [
    "https://evil.example",
    `${listed}.evil.example`,
    `${listed}:444`,
    "http://app.example.com",
    "https://APP.example.com",
    "https://sub.app.example.com",
    "null",
    "*",
  ]

  for (const origin of others) {
    expect(await told(server, "GET", "/user/", { headers: { origin } })).toMatchObject({ status: 200, origin: null })
    expect(await told(server, "OPTIONS", "/user/", preflight(origin, "POST"))).toMatchObject({ origin: null })
  }
})

test("without configured origins, answers have no CORS headers", async () => {
  await using server = await startTestServer()
  const silence = { origin: null, credentials: null, varies: false, methods: null, headers: null }

  expect(await told(server, "GET", "/user/", { headers: { origin: listed } })).toEqual({ status: 200, ...silence })
  expect(await told(server, "OPTIONS", "/user/", preflight(listed, "POST"))).toEqual({ status: 405, ...silence })
})

test("a configured origin can read every kind of refusal", async () => {
  await using server = await startTestServer({ settings })
  const headers = { origin: listed }
  const json = { "content-type": "application/json" }
  const refusals: [status: number, method: string, path: string, sent?: Sent][] = [
    [400, "GET", "/user/%zz/"],
    [400, "POST", "/refresh_token", { body: "{", headers: json }],
    [401, "GET", "/transaction/"],
    [403, "POST", "/user/admin/password/", { json: {} }],
    [404, "GET", "/user/nobody/"],
    [404, "GET", "/nothing"],
    [405, "DELETE", "/user/"],
    [413, "POST", "/refresh_token", { body: "x".repeat(70_000), headers: json }],
    [415, "POST", "/refresh_token", { body: "x", headers: { "content-type": "text/plain" } }],
    [422, "POST", "/refresh_token", { json: {} }],
  ]

  for (const [status, method, path, sent = {}] of refusals)
    expect({
      path,
      ...(await told(server, method, path, { ...sent, headers: { ...headers, ...sent.headers } })),
    }).toMatchObject({ path, status, ...allowed(listed) })
})

test("headers that a client needs are exposed", async () => {
  await using server = await startTestServer({ settings })

  const { headers } = await server.anybody.request("GET", "/user/", { headers: { origin: listed } })

  expect(headers.get("access-control-expose-headers")?.toLowerCase()).toContain("retry-after")
  expect(headers.get("x-request-id")).not.toBeNull()
})
