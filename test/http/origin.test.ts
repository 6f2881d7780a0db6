import { expect, test } from "bun:test"
import { badSession, ok, refused } from "../support/answers.ts"
import { startTestServer, type TestServer } from "../support/server.ts"

const foreign = refused(403, "Requests from other sites are not accepted")
const listed = "https://app.example.com"
const settings = { "cors.origins": `${listed},http://localhost:3000` }

/** Ana's session changes her bio from a page of this origin, or as the headers say. */
async function patchFrom(server: TestServer, headers: Record<string, string>) {
  const session = await server.withSession({ username: "ana", password: "the password of Ana" })
  return session.call("PATCH", "/user/ana/", { json: { bio: "changed" }, headers })
}

const bioOf = async (server: TestServer) => (await server.anybody.get<{ bio: string | null }>("/user/ana/")).body.bio

const foreignHeaders: Record<string, string>[] = [
  { origin: "https://evil.example" },
  { origin: "null" },
  { origin: "" },
  { origin: `${listed}.evil.example` },
  { origin: "http://app.example.com" },
  { origin: `${listed}:8443` },
  { origin: `${listed}/` },
  { origin: `${listed} https://evil.example` },
  { origin: "http://localhost:3001" },
  { origin: "http://127.0.0.1" },
  { origin: "https://evil.example", "sec-fetch-site": "same-origin" },
  { "sec-fetch-site": "cross-site" },
  { "sec-fetch-site": "same-site" },
  { "sec-fetch-site": "" },
]

for (const headers of foreignHeaders)
  test(`an unsafe request with the cookie is refused from ${JSON.stringify(headers)}; nothing is changed`, async () => {
    await using server = await startTestServer({ settings })
    await server.person("Ana")

    expect(await patchFrom(server, headers)).toEqual(foreign)

    expect(await bioOf(server)).toBeNull()
  })

const homeHeaders: [what: string, headers: (url: string) => Record<string, string>][] = [
  ["this server's own origin", (url) => ({ origin: url })],
  ["a configured origin", () => ({ origin: listed })],
  ["another configured origin", () => ({ origin: "http://localhost:3000", "sec-fetch-site": "cross-site" })],
  ["the same origin, told by Sec-Fetch-Site", () => ({ "sec-fetch-site": "same-origin" })],
  ["the address bar, told by Sec-Fetch-Site", () => ({ "sec-fetch-site": "none" })],
  ["a client that sends neither header and is no browser", () => ({})],
]

for (const [what, headers] of homeHeaders)
  test(`an unsafe request with the cookie is accepted from ${what}`, async () => {
    await using server = await startTestServer({ settings })
    await server.person("Ana")

    expect(await patchFrom(server, headers(server.url))).toMatchObject(ok({ bio: "changed" }))
  })

test("with a base_url, only its origin counts as the server's own, whatever the Host header says", async () => {
  await using server = await startTestServer({ settings: { "server.base_url": "https://rewards.example.com" } })
  await server.person("Ana")
  const foreign = refused(
    403,
    "Requests from other sites are not accepted; this server is used at https://rewards.example.com",
  )

  expect((await patchFrom(server, { origin: "https://rewards.example.com" })).status).toBe(200)
  expect(await patchFrom(server, { origin: server.url })).toEqual(foreign)
  expect(await patchFrom(server, { origin: "https://evil.example", host: "evil.example" })).toEqual(foreign)
})

test("every unsafe endpoint refuses another site's page that sends the cookie, before any other check", async () => {
  await using server = await startTestServer({ settings })
  const ana = await server.person("Ana")
  const session = await server.withSession(ana)
  const headers = { origin: "https://evil.example" }
  const login = { username: "ana", password: ana.password }

  for (const path of ["/token", "/login", "/login/"])
    expect(await session.call("POST", path, { form: login, headers })).toEqual(foreign)
  for (const path of [
    "/refresh_token",
    "/user/",
    "/user/pwd_reset_token/",
    "/user/ana/password/",
    "/transaction/admin/",
    "/nothing",
  ])
    expect(await session.call("POST", path, { json: {}, headers })).toEqual(foreign)
  expect(
    await session.call("POST", "/user/", { body: "x=1", headers: { ...headers, "content-type": "text/plain" } }),
  ).toEqual(foreign)
  expect(await session.get("/transaction/")).toMatchObject({ status: 200 })
})

test("the origin is checked even if the session in the cookie is unknown", async () => {
  await using server = await startTestServer({ settings })
  const ana = await server.person("Ana")
  const unknown = { cookie: "session_id=unknown" }

  expect(
    await ana.call("PATCH", "/user/ana/", { json: {}, headers: { ...unknown, origin: "https://evil.example" } }),
  ).toEqual(foreign)
  expect(await ana.call("PATCH", "/user/ana/", { json: {}, headers: { ...unknown, origin: listed } })).toEqual(
    badSession,
  )
})

for (const headers of foreignHeaders)
  test(`another site's form cannot log anybody in, even without a cookie: ${JSON.stringify(headers)}`, async () => {
    await using server = await startTestServer({ settings })
    const form = await server.person("Ana").then(({ username, password }) => ({ username, password }))

    for (const path of ["/login", "/login/"])
      expect(await server.anybody.call("POST", path, { form, headers })).toEqual(foreign)
  })

for (const [what, headers] of homeHeaders)
  test(`a log-in is accepted from ${what}`, async () => {
    await using server = await startTestServer({ settings })
    const { username, password } = await server.person("Ana")

    const answer = await server.anybody.call("POST", "/login", {
      form: { username, password },
      headers: headers(server.url),
    })

    expect(answer).toMatchObject(ok({ status: "logged in" }))
  })

test("no other spelling of the log-in path avoids the origin check", async () => {
  await using server = await startTestServer({ settings })
  const { username, password } = await server.person("Ana")
  const body = new URLSearchParams({ username, password }).toString()

  for (const path of ["//login", "/login//", "/%6Cogin", "/./login", "/login?x", "/LOGIN", "/login;x", "/x/../login"]) {
    const head = `POST ${path} HTTP/1.1\r\nHost: ${new URL(server.url).host}\r\nOrigin: https://evil.example\r\nConnection: close\r\n`
    const form = `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    expect([path, await server.exchange(head + form)]).not.toEqual([path, expect.stringMatching(/session_id|401 /)])
  }
})

test("requests without the cookie are accepted from any origin, because a page must know the token to send it", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")
  const headers = { origin: "https://evil.example", "sec-fetch-site": "cross-site" }

  expect((await ana.call("PATCH", "/user/ana/", { json: { bio: "x" }, headers })).status).toBe(200)
  expect(
    (await server.anybody.call("POST", "/token", { form: { username: "ana", password: ana.password }, headers }))
      .status,
  ).toBe(200)
})

test("safe requests are answered, but without CORS headers another site's page cannot read them", async () => {
  await using server = await startTestServer({ settings })
  const session = await server.withSession(await server.person("Ana"))

  for (const method of ["GET", "HEAD"]) {
    const response = await session.request(method, "/transaction/", { headers: { origin: "https://evil.example" } })
    expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([200, null])
  }
})

test("only /logout is exempt: it always answers 200 and ends the session", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")

  for (const path of ["/logout", "/logout/"]) {
    const session = await server.withSession(ana)
    expect(await session.call("POST", path, { headers: { origin: "https://evil.example" } })).toMatchObject(
      ok({ status: "logged out" }),
    )
    expect(await session.get("/transaction/")).toEqual(badSession)
  }
})
