import { expect, test } from "bun:test"
import { badSession, ok, refused } from "../support/answers.ts"
import { bearer } from "../support/credentials.ts"
import { bytesOf, query } from "../support/database.ts"
import { startTestServer } from "../support/server.ts"

const second = 1000
const emptyPage = ok({ items: [], total: 0, page: 1, size: 50 })
const loggedIn = ok({ status: "logged in" })
const loggedOut = ok({ status: "logged out" })
const cookie = (value: string) => ({ headers: { cookie: value } })

test("POST /login opens a session and sets its cookie", async () => {
  await using server = await startTestServer()
  const { username, password } = await server.person("Ana")

  expect(await server.anybody.submit("/login", { username, password })).toEqual({
    ...loggedIn,
    headers: {
      "set-cookie": expect.stringMatching(
        /^session_id=[0-9a-f]{32}; (?=.*Path=\/(;|$))(?=.*HttpOnly)(?=.*Max-Age=604800)(?=.*SameSite=Lax)(?!.*Secure)(?!.*Domain)/,
      ),
    },
  })
})

test("the session cookie opens protected endpoints", async () => {
  await using server = await startTestServer()
  const session = await server.withSession(await server.person("Ana"))

  expect(await session.get("/transaction/")).toEqual(emptyPage)
  expect(await session.patch("/user/ana/", { bio: "here" })).toMatchObject({ status: 200, body: { bio: "here" } })
  expect(await session.get("/user/ana/?show_balance=true")).toMatchObject({ status: 200, body: { balance: 0 } })
})

test("POST /login with wrong credentials is 401 without a challenge, and sets no cookie", async () => {
  await using server = await startTestServer()
  await server.person("Ana")

  for (const username of ["ana", "nobody"])
    expect(await server.anybody.submit("/login", { username, password: "wrong" })).toEqual(
      refused(401, "Incorrect username or password"),
    )
})

test("a wrong login keeps the presented session", async () => {
  await using server = await startTestServer()
  const session = await server.withSession(await server.person("Ana"))

  expect((await session.submit("/login", { username: "ana", password: "wrong" })).status).toBe(401)

  expect(await session.get("/transaction/")).toEqual(emptyPage)
})

test("POST /login always opens a new session and ends the presented one, whoever owns it", async () => {
  await using server = await startTestServer()
  const [ana, bruno] = [await server.person("Ana"), await server.person("Bruno")]
  const [first, other] = [await server.withSession(ana), await server.withSession(ana)]

  const { headers } = await first.submit("/login", { username: "bruno", password: bruno.password })

  expect(headers?.["set-cookie"]).not.toContain(first.sessionId)
  expect(await first.get("/transaction/")).toEqual(badSession)
  expect(await other.get("/transaction/")).toEqual(emptyPage)
})

test("a session id made up by the client is never accepted", async () => {
  await using server = await startTestServer()
  const { username, password } = await server.person("Ana")
  const madeUp = "0123456789abcdef0123456789abcdef"

  const { headers } = await server.anybody.call("POST", "/login", {
    form: { username, password },
    ...cookie(`session_id=${madeUp}`),
  })

  expect(headers?.["set-cookie"]).not.toContain(madeUp)
  expect(await server.anybody.call("GET", "/transaction/", cookie(`session_id=${madeUp}`))).toEqual(badSession)
})

test("a session is valid for 604800 seconds", async () => {
  await using server = await startTestServer()
  const session = await server.withSession(await server.person("Ana"))

  server.clock.advance(604_799 * second)
  expect(await session.get("/transaction/")).toEqual(emptyPage)
  server.clock.advance(1 * second)
  expect(await session.get("/transaction/")).toEqual(badSession)
})

test("the cookie's lifetime, SameSite and Secure are settings", async () => {
  const settings = {
    "session.expire_seconds": "60",
    "session.same_site": "strict",
    "server.base_url": "https://rewards.example.com",
  } as const
  await using server = await startTestServer({ settings })
  const ana = await server.person("Ana")

  const { headers } = await server.anybody.submit("/login", { username: "ana", password: ana.password })
  expect(headers?.["set-cookie"]).toMatch(/(?=.*HttpOnly)(?=.*Max-Age=60(;|$))(?=.*SameSite=Strict)(?=.*Secure)/)

  const session = await server.withSession(ana)
  server.clock.advance(60 * second)
  expect(await session.get("/transaction/")).toEqual(badSession)
})

test("POST /logout deletes the cookie and the stored session", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")
  const [session, other] = [await server.withSession(ana), await server.withSession(ana)]

  expect(await session.post("/logout")).toEqual({
    ...loggedOut,
    headers: {
      "set-cookie": expect.stringMatching(/^session_id=; (?=.*Max-Age=0(;|$))(?=.*Path=\/(;|$))(?=.*HttpOnly)/),
    },
  })

  expect(await session.get("/transaction/")).toEqual(badSession)
  expect(await other.get("/transaction/")).toEqual(emptyPage)
})

test("POST /logout always answers 200: without a cookie, with an unknown one, twice, and with any body", async () => {
  await using server = await startTestServer()
  const session = await server.withSession(await server.person("Ana"))

  expect(await server.anybody.post("/logout")).toEqual(loggedOut)
  expect(await server.anybody.post("/logout/")).toEqual(loggedOut)
  for (const value of ["session_id=unknown", "session_id=", "session_id=%zz", session.credentials.cookie ?? ""])
    for (const _ of ["once", "again"])
      expect(await server.anybody.call("POST", "/logout", cookie(value))).toMatchObject(loggedOut)
  const withBody = { body: "{", headers: { "content-type": "application/json" } }
  expect(await server.anybody.call("POST", "/logout", withBody)).toEqual(loggedOut)
  expect(await server.anybody.post("/logout", { x: "x".repeat(70_000) })).toEqual(loggedOut)
  expect(await server.anybody.call("POST", "/logout", { headers: bearer("x") })).toEqual(loggedOut)
})

test("an unknown session is 401 Invalid Session ID, even beside a valid token", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")
  const { sessionId } = await server.withSession(ana)
  const unknown = [
    "session_id=",
    "session_id=x",
    "session_id=%zz",
    "session_id=\u00ff",
    "session_id=__proto__",
    `session_id=${"0".repeat(32)}`,
    `session_id="${sessionId}"`,
    `session_id=${sessionId.toUpperCase()}x`,
    `a=b; session_id=${sessionId}0`,
    `session_id=x; session_id=${sessionId}`,
  ]

  for (const value of unknown)
    expect({ value, ...(await ana.call("GET", "/transaction/", cookie(value))) }).toEqual({ value, ...badSession })
})

test("with a valid session the Authorization header is ignored", async () => {
  await using server = await startTestServer()
  const [ana, admin] = [await server.person("Ana"), await server.admin()]
  const session = await server.withSession(ana)
  await server.grant(ana, 5)

  for (const authorization of [`Bearer ${admin.accessToken}`, "Bearer x", "x"]) {
    const answer = await session.call("GET", "/transaction/admin/", { headers: { authorization } })
    expect(answer).toEqual(refused(403, "You can only see your own transactions"))
  }
})

test("cookies with other names are ignored", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")

  for (const value of ["session=x", "SESSION_ID=x", "xsession_id=x", "theme=dark; lang=pt", "=x", ";;"])
    expect(await ana.call("GET", "/transaction/", cookie(value))).toEqual(emptyPage)
})

test("a session whose user no longer exists is 401 Session user not found", async () => {
  await using server = await startTestServer()
  const session = await server.withSession(await server.person("Ana"))
  await query(server.app.config.db, "UPDATE users SET username = 'ana-moved' WHERE username = 'ana'")

  expect(await session.get("/transaction/")).toEqual(refused(401, "Session user not found"))
})

test("on public endpoints bad credentials mean anonymous", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")
  const bad = [cookie("session_id=unknown"), { headers: bearer("x") }, { headers: { authorization: "x" } }]

  for (const credentials of bad) {
    expect(await server.anybody.call("GET", "/user/ana/?show_balance=true", credentials)).toEqual(
      ok({ name: "Ana", username: "ana", dept: "sales", avatar: null, bio: null, currency: "USD" }),
    )
    expect(
      (
        await server.anybody.call("POST", "/token", {
          form: { username: "ana", password: ana.password },
          ...credentials,
        })
      ).status,
    ).toBe(200)
  }
})

test("the database holds only a hash of the session id", async () => {
  await using server = await startTestServer()
  const { sessionId } = await server.withSession(await server.person("Ana"))
  const { db } = server.app.config

  const rows = await query(db, "SELECT username, expires_at FROM sessions")
  const stored = await bytesOf(db)

  expect(rows).toEqual([{ username: "ana", expires_at: server.clock.now() + 604_800 * second }])
  expect(stored).toContain("ana")
  expect(stored).not.toContain(sessionId)
})
