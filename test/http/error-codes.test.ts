import { expect, test } from "bun:test"
import { details, statuses } from "../../src/http/errors.ts"
import type { Client, Sent } from "../support/client.ts"
import { startTestServer } from "../support/server.ts"

/** The code of an error in its header, and its whole body. */
async function errorOf(client: Client, method: string, path: string, sent: Sent = {}) {
  const response = await client.request(method, path, sent)
  const text = await response.text()
  const isJson = response.headers.get("content-type")?.includes("json")
  return { status: response.status, code: response.headers.get("error-code"), body: isJson ? JSON.parse(text) : text }
}

const json = { "content-type": "application/json" }

test("an error of the contract has its code in a header, and only a detail in its body", async () => {
  await using server = await startTestServer({ settings: { "limits.transfers_per_minute": "1" } })
  const [ana, bruno] = [await server.person("Ana"), await server.person("Bruno")]
  const transfer = (value: unknown): [string, string, Sent] => ["POST", "/transaction/bruno/", { json: { value } }]
  const cases: [client: Client, code: keyof typeof details, method: string, path: string, sent?: Sent][] = [
    [server.anybody, "not_found", "GET", "/nothing"],
    [server.anybody, "method_not_allowed", "DELETE", "/user/"],
    [server.anybody, "method_not_allowed", "GET", "/transaction/ws"],
    [server.anybody, "malformed_path", "GET", "/user/%zz/"],
    [server.anybody, "malformed_json", "POST", "/refresh_token", { body: "{", headers: json }],
    [server.anybody, "body_too_large", "POST", "/refresh_token", { body: "x".repeat(65_537), headers: json }],
    [server.anybody, "unsupported_media_type", "POST", "/token", { json: {} }],
    [server.anybody, "bad_login", "POST", "/token", { form: { username: "ana", password: "wrong" } }],
    [server.anybody, "bad_credentials", "GET", "/transaction/"],
    [server.anybody, "bad_session", "GET", "/transaction/", { headers: { cookie: "session_id=unknown" } }],
    [server.anybody, "foreign_origin", "POST", "/login", { headers: { origin: "https://evil.example" } }],
    [server.anybody, "user_not_found", "GET", "/user/nobody/"],
    [bruno, "not_superuser", "POST", "/user/", { json: {} }],
    [bruno, "not_own_profile", "PATCH", "/user/ana/", { json: {} }],
    [ana, "insufficient_balance", ...transfer(5)],
    [ana, "too_many_transfers", ...transfer(5)],
  ]

  for (const [client, code, method, path, sent] of cases)
    expect(await errorOf(client, method, path, sent)).toEqual({
      status: statuses[code],
      code,
      body: { detail: details[code] },
    })
  expect(await errorOf(ana, ...transfer(0))).toEqual({
    status: 422,
    code: "invalid",
    body: { detail: "value: an integer from 1 to 9007199254740991" },
  })
})

test("an error under /api/v1 has its code in the body too, and names the field that is wrong", async () => {
  await using server = await startTestServer()
  const [admin, ana] = [await server.admin(), await server.person("Ana")]
  await server.person("Bruno")
  const sending = (body: object): [string, string, Sent] => ["POST", "/api/v1/transactions", { json: body }]
  const invalid = (field: string, rule: string) => ({ code: "invalid", detail: `${field}: ${rule}`, field })
  const cases: [client: Client, asked: [string, string, Sent?], error: { code: keyof typeof details }][] = [
    [ana, ["GET", "/api/v1/nothing"], { code: "not_found" }],
    [ana, ["PUT", "/api/v1/feed"], { code: "method_not_allowed" }],
    [ana, ["POST", "/api/v1/transactions", { body: "{", headers: json }], { code: "malformed_json" }],
    [server.anybody, ["GET", "/api/v1/me"], { code: "bad_credentials" }],
    [ana, ["GET", "/api/v1/health"], { code: "not_superuser" }],
    [ana, ["GET", "/api/v1/recognitions/99"], { code: "recognition_not_found" }],
    [ana, sending({ to: "bruno", value: 5 }), { code: "insufficient_balance" }],
    [ana, sending({ to: "bruno", value: "5" }), invalid("value", "an integer from 1 to 9007199254740991")],
    [ana, sending({ to: "bruno" }), invalid("value", "missing")],
    [ana, sending({ to: "bruno", value: 5, tags: ["none"] }), invalid("tags", "this server has no tags")],
    [ana, sending({}), { code: "invalid", detail: expect.stringMatching(/^to: .*; value: missing$/) }],
    [ana, ["POST", "/api/v1/transactions", { json: [] }], { code: "invalid", detail: "body: an object" }],
    [ana, ["GET", "/api/v1/feed?size=0"], invalid("size", "an integer from 1 to 100")],
    [ana, sending({ to: "nobody", value: 5 }), { code: "user_not_found", field: "to" }],
    [
      admin,
      ["POST", "/api/v1/grants", { json: { usernames: ["nobody"], value: 5 } }],
      { code: "user_not_found", detail: "User not found: nobody", field: "usernames" },
    ],
    [
      admin,
      ["PATCH", "/api/v1/users/ana", { json: { email: "bruno@example.com" } }],
      { code: "email_taken", field: "email" },
    ],
    [admin, ["PATCH", "/api/v1/users/nobody", { json: {} }], { code: "user_not_found" }],
  ] as never

  for (const [client, asked, error] of cases)
    expect([asked, await errorOf(client, ...asked)]).toEqual([
      asked,
      { status: statuses[error.code], code: error.code, body: { detail: details[error.code], ...error } },
    ])
})

test("SCIM keeps its own format; only the header has the code", async () => {
  await using server = await startTestServer()
  const admin = await server.admin()
  await server.person("Ana")
  const { body } = await admin.post<{ token: string }>("/api/v1/tokens", { name: "SCIM", scopes: ["admin"] })
  const headers = { authorization: `Bearer ${body.token}`, "content-type": "application/scim+json" }
  const bruno = { userName: "bruno", displayName: "Bruno", emails: [{ value: "ana@example.com" }] }
  const schemas = ["urn:ietf:params:scim:api:messages:2.0:Error"]

  expect(await errorOf(server.anybody, "GET", "/scim/v2/Users/99", { headers })).toEqual({
    status: 404,
    code: "user_not_found",
    body: { schemas, status: "404", detail: "User not found" },
  })
  expect(await errorOf(server.anybody, "POST", "/scim/v2/Users", { headers, body: JSON.stringify(bruno) })).toEqual({
    status: 409,
    code: "email_taken",
    body: { schemas, status: "409", scimType: "uniqueness", detail: "E-mail address already taken" },
  })
  expect(await errorOf(server.anybody, "GET", "/scim/v2/Users?filter=x", { headers })).toMatchObject({
    status: 400,
    code: "invalid",
  })
})

test("a page for a person has the code too, and an unexpected failure stays plain text", async () => {
  const fail = () => Promise.reject(new Error("broken"))
  await using server = await startTestServer({ replace: ({ ledger }) => ({ ledger: { ...ledger, history: fail } }) })
  const admin = await server.admin()
  const navigation = { accept: "text/html", "sec-fetch-dest": "document" }
  const page = await errorOf(server.anybody, "GET", "/unsubscribe?token=x", { headers: navigation })
  expect(page).toMatchObject({ status: 404, code: "not_found", body: expect.stringContaining("<!doctype html>") })

  expect(await errorOf(admin, "GET", "/transaction/")).toEqual({
    status: 500,
    code: "unexpected",
    body: "Internal Server Error",
  })
})

test("a script of a configured origin can read the code", async () => {
  await using server = await startTestServer({ settings: { "cors.origins": "https://app.example.com" } })
  const { headers } = await server.anybody.request("GET", "/user/nobody/", {
    headers: { origin: "https://app.example.com" },
  })

  expect(headers.get("access-control-expose-headers")?.split(", ")).toContain("error-code")
})
