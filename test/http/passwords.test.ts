import { expect, spyOn, test } from "bun:test"
import { badSession, noSuchUser, ok, refused, unauthenticated } from "../support/answers.ts"
import { bearer } from "../support/credentials.ts"
import { query } from "../support/database.ts"
import { startTestServer, type TestServer } from "../support/server.ts"
import { until } from "../support/until.ts"

const notAllowed = refused(403, "You are not allowed to change this user's password")
const differ = refused(400, "Passwords do not match")
const profile = { name: "Ana", username: "ana", dept: "sales", avatar: null, bio: null, currency: "USD" }
const to = (password: string, confirmation = password) => ({ password, password_confirm: confirmation })
const path = "/user/ana/password/"

const loginStatus = async (server: TestServer, password: string) =>
  (await server.anybody.submit("/token", { username: "ana", password })).status

/** Ana with one of each credential that a password change may end. */
async function startWithCredentials() {
  const server = await startTestServer()
  const ana = await server.person("Ana")
  const [session, otherSession] = [await server.withSession(ana), await server.withSession(ana)]
  const resetToken = await server.resetToken(ana)

  /** Which of them still serve; the reset token comes last, because it would change the password again. */
  const alive = async () => ({
    access: (await ana.get("/transaction/")).status,
    session: (await session.get("/transaction/")).status,
    otherSession: (await otherSession.get("/transaction/")).status,
    refresh: (await server.anybody.post("/refresh_token", { refresh_token: ana.refreshToken })).status,
    reset: (await server.anybody.post(`${path}?pwd_reset_token=${resetToken}`, to("again"))).status,
  })
  return { server, ana, session, resetToken, alive, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

test("after users change their password, the new one works and the old one does not", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")

  expect(await ana.post(path, to("new"))).toEqual(ok(profile))

  expect(await loginStatus(server, "new")).toBe(200)
  expect(await loginStatus(server, ana.password)).toBe(401)
})

test("a superuser can change any user's password", async () => {
  await using server = await startTestServer()
  await server.person("Ana")

  expect(await (await server.admin()).post("/user/ana/password", to("new"))).toEqual(ok(profile))

  expect(await loginStatus(server, "new")).toBe(200)
})

test("other users, anonymous callers and callers with bad credentials cannot change a password", async () => {
  await using server = await startTestServer()
  const [ana, bruno] = [await server.person("Ana"), await server.person("Bruno")]
  const badCookie = { json: to("new"), headers: { cookie: "session_id=unknown" } }

  expect(await bruno.post(path, to("new"))).toEqual(notAllowed)
  expect(await bruno.post("/user/admin/password/", to("new"))).toEqual(notAllowed)
  expect(await server.anybody.post(path, to("new"))).toEqual(notAllowed)
  expect(await server.anybody.call("POST", path, { json: to("new"), headers: bearer("x") })).toEqual(notAllowed)
  expect(await ana.call("POST", path, badCookie)).toEqual(notAllowed)
  expect(await loginStatus(server, ana.password)).toBe(200)
})

test("an unknown target is 404 for everybody", async () => {
  await using server = await startTestServer()
  const callers = [server.anybody, await server.person("Ana"), await server.admin()]

  for (const caller of callers) {
    expect(await caller.post("/user/nobody/password/", to("new"))).toEqual(noSuchUser)
    expect(await caller.post("/user/nobody/password/?pwd_reset_token=x", {})).toEqual(noSuchUser)
  }
})

test("if password and password_confirm differ, nothing is changed", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")

  for (const [password, confirmation] of [
    ["new", "New"],
    ["new", "new "],
    ["new", ""],
    ["é", "é".normalize("NFD")],
    ["new", "new\0"],
  ] as const)
    expect(await ana.post(path, to(password, confirmation))).toEqual(differ)
  expect(await loginStatus(server, ana.password)).toBe(200)
})

test("access is checked before invalid fields, and those before whether the passwords match", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")

  expect(await server.anybody.post(path, to("new", "other"))).toEqual(notAllowed)
  expect(await ana.post(path, to("", "other"))).toEqual(refused(422, "password: at least 1 character"))
  for (const body of [{}, { password: "new" }, { password_confirm: "new" }, to("new", 5 as never), [], "new", null])
    expect((await ana.post(path, body)).status).toBe(422)
})

test("with ?fresh=true, a token that is not fresh cannot change a password", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")
  const { body } = await server.anybody.post<{ access_token: string }>("/refresh_token", {
    refresh_token: ana.refreshToken,
  })
  const renewed = { headers: bearer(body.access_token), json: to("new") }

  expect(await server.anybody.call("POST", `${path}?fresh=true`, renewed)).toEqual(notAllowed)
  expect(await server.anybody.call("POST", path, renewed)).toEqual(ok(profile))
})

test("a user who changes the password by token keeps that token; sessions, refresh and reset tokens end", async () => {
  await using given = await startWithCredentials()

  expect(await given.ana.post(path, to("new"))).toEqual(ok(profile))

  expect(await given.alive()).toEqual({ access: 200, session: 401, otherSession: 401, refresh: 401, reset: 403 })
})

test("a user who changes the password by session keeps that session; others, refresh and reset tokens end", async () => {
  await using given = await startWithCredentials()

  expect(await given.session.post(path, to("new"))).toEqual(ok(profile))

  expect(await given.alive()).toEqual({ access: 200, session: 200, otherSession: 401, refresh: 401, reset: 403 })
})

test("a password change by a superuser ends all credentials", async () => {
  await using given = await startWithCredentials()

  expect(await (await given.server.admin()).post(path, to("new"))).toEqual(ok(profile))

  expect(await given.alive()).toEqual({ access: 401, session: 401, otherSession: 401, refresh: 401, reset: 403 })
  expect(await given.ana.get("/transaction/")).toEqual(unauthenticated)
  expect(await given.session.get("/transaction/")).toEqual(badSession)
})

test("a password change by a reset token ends all credentials, that token too", async () => {
  await using given = await startWithCredentials()

  expect(await given.server.anybody.post(`${path}?pwd_reset_token=${given.resetToken}`, to("new"))).toEqual(ok(profile))

  expect(await given.alive()).toEqual({ access: 401, session: 401, otherSession: 401, refresh: 401, reset: 403 })
})

test("a reset token used beside one's own session ends that session too", async () => {
  await using given = await startWithCredentials()

  await given.session.post(`${path}?pwd_reset_token=${given.resetToken}`, to("new"))

  expect(await given.alive()).toEqual({ access: 401, session: 401, otherSession: 401, refresh: 401, reset: 403 })
})

test("a superuser who changes their own password keeps the credential that made the change", async () => {
  await using server = await startTestServer()
  const admin = await server.admin()
  const [session, other] = [await server.withSession(admin), await server.withSession(admin)]

  expect((await session.post("/user/admin/password/", to("new"))).status).toBe(200)

  expect((await session.get("/transaction/")).status).toBe(200)
  expect(await other.get("/transaction/")).toEqual(badSession)
  expect(await server.anybody.post("/refresh_token", { refresh_token: admin.refreshToken })).toEqual(unauthenticated)
})

test("credentials issued after the change work, and those of other users are unaffected", async () => {
  await using given = await startWithCredentials()
  const { server } = given
  const bruno = await server.person("Bruno")
  const brunosSession = await server.withSession(bruno)

  await (await server.admin()).post(path, to("new"))

  const again = { username: "ana", password: "new" }
  const renewed = await server.as(again)
  expect((await renewed.get("/transaction/")).status).toBe(200)
  expect((await server.anybody.post("/refresh_token", { refresh_token: renewed.refreshToken })).status).toBe(200)
  expect((await (await server.withSession(again)).get("/transaction/")).status).toBe(200)
  expect((await bruno.get("/transaction/")).status).toBe(200)
  expect((await brunosSession.get("/transaction/")).status).toBe(200)
  expect((await server.anybody.post("/refresh_token", { refresh_token: bruno.refreshToken })).status).toBe(200)
})

test("a refused change ends no credentials", async () => {
  await using given = await startWithCredentials()

  await given.ana.post(path, to("new", "other"))
  await given.ana.post(path, to(""))
  await given.server.anybody.post(path, to("new"))

  expect(await given.alive()).toEqual({ access: 200, session: 200, otherSession: 200, refresh: 200, reset: 200 })
})

test("every byte of a password counts, beyond bcrypt's 72 bytes and after a NUL too", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")
  const pairs: [right: string, wrong: string][] = [
    [`${"x".repeat(100)}a`, `${"x".repeat(100)}b`],
    ["x".repeat(73), "x".repeat(72)],
    ["x".repeat(72), "x".repeat(73)],
    ["é".repeat(512), `${"é".repeat(511)}e`],
    ["a\0b", "a\0c"],
    ["a\0", "a"],
    ["a", "a\0a"],
    ["a", "a\0"],
    [" a ", "a"],
    ["A", "a"],
    ["é".normalize("NFC"), "é".normalize("NFD")],
  ]

  for (const [right, wrong] of pairs) {
    expect(await ana.post(path, to(right))).toEqual(ok(profile))
    expect({ right, status: await loginStatus(server, right) }).toEqual({ right, status: 200 })
    expect({ right, status: await loginStatus(server, wrong) }).toEqual({ right, status: 401 })
    server.clock.advance(5 * 60_000)
    Object.assign(ana, await server.as({ username: "ana", password: right }))
  }
})

test("the minimum length of a new password is a setting; existing passwords stay valid", async () => {
  await using server = await startTestServer({ settings: { "security.password_min_length": "12" } })
  const ana = await server.person("Ana")

  expect(await ana.post(path, to("élf zéichen"))).toEqual(refused(422, "password: at least 12 characters"))
  expect(await ana.post(path, to("zwölf zeiche"))).toEqual(ok(profile))
  expect((await server.anybody.submit("/token", { username: "admin", password: "admin" })).status).toBe(200)
})

test("passwords are stored only as bcrypt hashes", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")
  await ana.post(path, to("a new password"))

  const rows = await query<{ password: string }>(server.app.config.db, "SELECT password FROM users")

  expect(rows).toEqual(Array(2).fill({ password: expect.stringMatching(/^\$2b\$04\$[./A-Za-z0-9]{53}$/) }))
  expect(new Set(rows.map(({ password }) => password)).size).toBe(2)
})

/** A request with these credentials. */
interface Held {
  readonly path: string
  readonly body: unknown
  /** What its guard asks before the body is read. */
  readonly checks: readonly ("caller" | "findReceiver" | "toPassword")[]
}

/**
 * Begins a request and waits until its guard has let it in: what ends its credentials earlier, while they are checked, may
 * still go unnoticed. What is returned sends the rest of the body and returns the status.
 */
async function hold(server: TestServer, headers: Record<string, string>, { path, body, checks }: Held) {
  const text = JSON.stringify(body)
  const lines = Object.entries({
    ...headers,
    "content-type": "application/json",
    "content-length": String(text.length),
  })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")
  const { promise, resolve } = Promise.withResolvers<string>()
  const guards = checks.map((check) => spyOn(server.app.access, check))
  const answer = server.exchange(
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${head}\r\n${text.slice(0, 5)}`,
    promise,
  )
  for (const guard of guards) {
    await until(() => guard.mock.results.length > 0)
    await guard.mock.results[0]?.value
    guard.mockRestore()
  }
  return async () => {
    resolve(text.slice(5))
    return Number((await answer).split(" ")[1])
  }
}

test("a request whose credentials end before its body arrives changes nothing", async () => {
  await using given = await startWithCredentials()
  const { server, ana, session } = given
  await server.grant(ana, 10)
  const transfer: Held = { path: "/transaction/admin/", body: { value: 10 }, checks: ["caller", "findReceiver"] }
  const byToken = await hold(server, ana.credentials, transfer)
  const bySession = await hold(server, session.credentials, transfer)
  const change = await hold(server, ana.credentials, { path, body: to("stolen"), checks: ["toPassword"] })

  await (await server.admin()).post(path, to("new"))

  expect([await byToken(), await bySession(), await change()]).toEqual([401, 401, 403])
  expect([await loginStatus(server, "new"), await loginStatus(server, "stolen")]).toEqual([200, 401])
  expect(await (await server.admin()).get("/user/ana/?show_balance=true")).toMatchObject({ body: { balance: 10 } })
})

test("some of 130 simultaneous changes by one member get 503, and another user can still log in", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")
  const bruno = await server.person("Bruno")

  const changes = Array.from({ length: 130 }, () => ana.post(path, to("new")))
  const login = server.anybody.submit("/login", { username: "bruno", password: bruno.password })

  expect((await login).status).toBe(200)
  const answers = await Promise.all(changes)
  const busy = {
    ...refused(503, "Too many passwords are being checked; try again in a moment"),
    headers: { "retry-after": "5" },
  }
  expect(answers.filter(({ status }) => status !== 200)).not.toEqual([])
  for (const answer of answers) expect([ok(profile), busy]).toContainEqual(answer)
})
