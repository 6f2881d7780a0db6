import { expect, test } from "bun:test"
import { startTestServer } from "../support/server.ts"

test("each request is logged as one line of JSON, without the query", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")
  const before = server.logged().length

  const responses = [
    await ana.request("GET", "/transaction/?user=hidden&fresh=true"),
    await ana.request("POST", "/user/nobody/password/?pwd_reset_token=hidden"),
    await ana.request("DELETE", "/nothing?hidden#hidden"),
    await ana.request("GET", "/user/%zz?hidden"),
    await ana.request("GET", "/transaction/ws?after=hidden"),
  ]
  const lines = server.logged().slice(before)

  const line = (index: number, method: string, path: string, status: number) => ({
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    level: "info",
    message: "request",
    id: responses[index]?.headers.get("x-request-id"),
    method,
    path,
    status,
    ms: expect.any(Number),
    address: "127.0.0.1",
  })
  expect(lines.map((text) => JSON.parse(text))).toEqual([
    line(0, "GET", "/transaction/", 200),
    line(1, "POST", "/user/nobody/password/", 404),
    line(2, "DELETE", "/nothing", 404),
    line(3, "GET", "/user/%zz", 400),
    line(4, "GET", "/transaction/ws", 405),
  ])
})

test("no secret, token, cookie, password, address or other content of a body is logged", async () => {
  await using server = await startTestServer()
  const [admin, ana] = [await server.admin(), await server.person("Ana")]
  const session = await server.withSession(ana)
  const resetToken = await server.resetToken(ana)
  const newcomer = {
    name: "Name of Dora",
    email: "dora@hidden.example",
    dept: "dept-of-dora",
    username: "dora",
    password: "password-of-dora",
    bio: "bio-of-dora",
  }

  await admin.post("/user/", newcomer)
  await admin.post("/user/", newcomer)
  await admin.post("/user/", { ...newcomer, username: "dora2" })
  await admin.post("/user/", { ...newcomer, name: 5 })
  await admin.call("POST", "/user/", { body: JSON.stringify(newcomer), headers: { "content-type": "text/plain" } })
  await admin.call("POST", "/user/", {
    body: JSON.stringify(newcomer).slice(0, -1),
    headers: { "content-type": "application/json" },
  })
  await server.anybody.submit("/token", { username: "ana", password: "wrong-password" })
  await server.anybody.submit("/login", { username: "typed-password-as-name", password: "wrong-password" })
  await server.anybody.post("/refresh_token", { refresh_token: ana.refreshToken })
  await server.anybody.call("GET", "/transaction/", { headers: { authorization: "Bearer wrong-token" } })
  await server.anybody.call("GET", "/transaction/", { headers: { cookie: "session_id=wrong-session" } })
  await session.patch("/user/ana/", { bio: "bio-of-dora" })
  await session.patch("/user/ana/", { avatar: "wrong-avatar" })
  await ana.get("/transaction/?user=hidden-user&order_by=wrong-order&fresh=wrong-fresh")
  await server.anybody.post(`/user/ana/password/?pwd_reset_token=${resetToken}`, {
    password: "new-password",
    password_confirm: "other-password",
  })
  await server.anybody.post(`/user/ana/password/?pwd_reset_token=${resetToken}`, {
    password: "new-password",
    password_confirm: "new-password",
  })
  await server.anybody.post("/user/pwd_reset_token/", { email: "nobody@hidden.example" })
  await session.post("/logout")

  const log = server.logged().join("\n")
  const secrets = [
    server.app.config.security.secret_key ?? "",
    ...[ana.accessToken, ana.refreshToken, resetToken].flatMap((token) => [token, token.split(".")[2] ?? token]),
    session.sessionId,
    ana.password,
    ...Object.values(newcomer).filter((value) => value !== "dora"),
    "hidden",
    "wrong-",
    "-password",
    "Bearer",
    "session_id",
  ]
  expect(secrets.filter((secret) => secret === "" || log.includes(secret))).toEqual([])
})

test("nothing that a caller sends can break out of its log line", async () => {
  await using server = await startTestServer({ settings: { "server.trusted_proxies": "127.0.0.1" } })
  const before = server.logged().length

  await server.anybody.call("GET", '/user/%0a%7b%22level%22:"error"%7d/', {
    headers: { "x-forwarded-for": '6.6.6.6", "level": "error' },
  })

  const lines = server.logged().slice(before)
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ level: "info", status: 404, method: "GET" })
})
