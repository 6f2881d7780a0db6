import { expect, test } from "bun:test"
import { Secret, TOTP } from "otpauth"
import { createOneTimeCodes } from "../../src/security/one-time-codes.ts"
import { badLogin, noSuchUser, ok, refused } from "../support/answers.ts"
import { operator, passwordOf } from "../support/app.ts"
import { createAuthenticator } from "../support/authenticator.ts"
import { type Answer, type Client, createClient } from "../support/client.ts"
import { bearer, cookie, sessionIn } from "../support/credentials.ts"
import { startTestServer, type TestServer } from "../support/server.ts"
import { until } from "../support/until.ts"

const origin = "http://localhost:8000"
const settings = { "server.base_url": origin }
const minute = 60_000

interface Challenge {
  readonly second_factor: readonly string[]
  readonly challenge: string
  readonly passkey?: {
    readonly challenge: string
    readonly allowCredentials: readonly unknown[]
    readonly rpId: string
  }
}

interface Factor {
  readonly id: number
  readonly kind: string
  readonly name: string
}

/** A server with Ana, who has just logged in with a cookie. */
async function startWithAna(more: Record<string, string> = {}) {
  const server = await startTestServer({ settings: { ...settings, ...more } })
  const ana = await server.person("Ana")
  const session = await server.withSession(ana)
  return {
    server,
    ana,
    session,
    ...actions(server),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
    },
  }
}

const form = (name: string) => ({ username: name.toLowerCase(), password: passwordOf(name) })

function actions(server: TestServer) {
  const { anybody, clock } = server
  const challenge = async (name = "Ana") => (await anybody.submit<Challenge>("/login", form(name))).body
  const finish = (body: object) => anybody.post("/login/second-factor", body)
  return {
    /** Logs in with the password, as far as that leads. */
    challenge,
    finish,
    /** Sets up one-time codes, and moves the clock on: the code that confirmed them is used up. */
    async setUpCodes(caller: Client) {
      const { body } = await caller.post<{ secret: string; uri: string }>("/api/v1/me/totp")
      const totp = new TOTP({ secret: Secret.fromBase32(body.secret) })
      const code = () => totp.generate({ timestamp: clock.now() })
      const confirmed = await caller.post("/api/v1/me/totp/confirmation", { code: code(), name: "Phone" })
      clock.advance(minute)
      return { ...body, code, confirmed }
    },
    async setUpPasskey(caller: Client) {
      const authenticator = await createAuthenticator()
      const { body } = await caller.post<{ challenge: string; options: { challenge: string } }>(
        "/api/v1/me/passkeys/options",
      )
      const request = {
        challenge: body.challenge,
        response: await authenticator.create(body.options, { origin }),
        name: "Laptop",
      }
      return { authenticator, options: body.options, request, added: await caller.post("/api/v1/me/passkeys", request) }
    },
    async recoveryCodes(caller: Client) {
      return (await caller.post<{ codes: string[] }>("/api/v1/me/recovery-codes")).body.codes
    },
  }
}

const clientOf = (server: TestServer, answer: Answer) => createClient(server.url, cookie(sessionIn(answer)))

const wrong = refused(401, "Incorrect code or passkey")
const ended = refused(401, "This took too long; start again")
const stale = refused(403, "Log in again first")
const missing = refused(403, "Set up a second factor first")

test("without a second factor, a log-in needs only the password", async () => {
  await using given = await startWithAna()
  const { anybody } = given.server

  const login = await anybody.submit("/login", form("Ana"))
  expect(login).toMatchObject({ status: 200, body: { status: "logged in" } })
  expect(sessionIn(login)).not.toBe("")
  expect(await anybody.submit("/token", form("Ana"))).toMatchObject({ status: 200, body: { token_type: "bearer" } })
  expect(await given.session.get("/api/v1/me/second-factors")).toEqual(
    ok({ items: [], recovery_codes: 0, required: false, passkeys: true }),
  )
})

test("with one-time codes, a log-in needs the password and then a code, which works once", async () => {
  await using given = await startWithAna()
  const { anybody } = given.server
  const { confirmed, code, uri } = await given.setUpCodes(given.session)
  expect(confirmed).toMatchObject({ status: 201, body: { id: 1, kind: "totp", name: "Phone", last_used_at: null } })
  expect(uri).toStartWith("otpauth://totp/Rewards:ana?issuer=Rewards&secret=")

  expect(await anybody.submit("/login", { ...form("Ana"), password: "wrong" })).toEqual(
    refused(401, "Incorrect username or password"),
  )
  const asked = await anybody.submit<Challenge>("/login", form("Ana"))
  expect(asked).toEqual({ status: 202, body: { second_factor: ["totp"], challenge: expect.any(String) } })

  const { challenge } = asked.body
  const others = await given.challenge()
  expect(await given.finish({ challenge, code: "000000" })).toEqual(wrong)
  const done = await given.finish({ challenge, code: code() })
  expect(done).toMatchObject({ status: 200, body: { status: "logged in" } })
  expect((await clientOf(given.server, done).get<{ username: string }>("/api/v1/me")).body.username).toBe("ana")
  // The same code at another log-in, and another code at the same log-in.
  expect(await given.finish({ challenge: others.challenge, code: code() })).toEqual(wrong)
  given.server.clock.advance(minute)
  expect(await given.finish({ challenge, code: code() })).toEqual(wrong)
  expect(await given.finish({ challenge: others.challenge, code: code() })).toMatchObject({ status: 200 })
})

test("/token refuses an account with a second factor, and says so only after the right password", async () => {
  await using given = await startWithAna()
  await given.setUpCodes(given.session)
  const { anybody } = given.server

  expect(await anybody.submit("/token", { ...form("Ana"), password: "wrong" })).toEqual(badLogin)
  expect(await anybody.submit("/token", form("Ana"))).toEqual(refused(401, "Second factor required"))
})

test("a challenge ends after five minutes and with a new password, and works nowhere as a token", async () => {
  await using given = await startWithAna()
  const { code } = await given.setUpCodes(given.session)
  const { challenge } = await given.challenge()
  given.server.clock.advance(5 * minute)
  expect(await given.finish({ challenge, code: code() })).toEqual(ended)

  const before = await given.challenge()
  await given.session.post("/user/ana/password/", { password: "new", password_confirm: "new" })
  expect(await given.finish({ challenge: before.challenge, code: code() })).toEqual(ended)
  // The factor has stayed.
  const after = await given.server.anybody.submit<Challenge>("/login", { username: "ana", password: "new" })
  expect(after).toMatchObject({ status: 202, body: { second_factor: ["totp"] } })

  for (const token of [after.body.challenge, "", "nonsense", given.ana.accessToken]) {
    const bearer = { headers: { authorization: `Bearer ${token}` } }
    expect((await given.server.anybody.call("GET", "/api/v1/me", bearer)).status).toBe(401)
    if (token !== after.body.challenge) expect(await given.finish({ challenge: token, code: code() })).toEqual(ended)
  }
})

test("a challenge accepts exactly one proof", async () => {
  await using given = await startWithAna()
  await given.setUpCodes(given.session)
  const { challenge } = await given.challenge()
  const one = refused(422, "body: one of passkey, code and recovery_code")

  expect(await given.finish({ challenge })).toEqual(one)
  expect(await given.finish({ challenge, code: "1", recovery_code: "2" })).toEqual(one)
  expect((await given.finish({ code: "1" })).status).toBe(422)
  expect((await given.finish({ challenge, code: 1 })).status).toBe(422)
})

test("wrong codes count like wrong passwords, and limit attempts from everywhere for another hour", async () => {
  await using given = await startWithAna({ "limits.login_failures": "3" })
  const { code } = await given.setUpCodes(given.session)
  const recovery = await given.recoveryCodes(given.session)
  const first = await given.challenge()
  for (const guess of ["000000", "nonsense", "000001"])
    expect(await given.finish({ challenge: first.challenge, code: guess })).toEqual(wrong)

  expect((await given.finish({ challenge: first.challenge, code: code() })).status).toBe(429)
  expect((await given.server.anybody.submit("/login", form("Ana"))).status).toBe(429)
  given.server.clock.advance(5 * minute)
  const { challenge } = await given.challenge()
  expect(await given.finish({ challenge, code: code() })).toMatchObject({
    status: 429,
    headers: { "retry-after": "3300" },
  })
  // Nobody guesses these.
  expect((await given.finish({ challenge, recovery_code: recovery[0] })).status).toBe(200)
  given.server.clock.advance(55 * minute)
  const later = await given.challenge()
  expect((await given.finish({ challenge: later.challenge, code: code() })).status).toBe(200)
})

test("a passkey finishes a log-in; its signature cannot be used twice, elsewhere or for somebody else", async () => {
  await using given = await startWithAna()
  const { authenticator, options, request, added } = await given.setUpPasskey(given.session)
  expect(options).toMatchObject({
    rp: { id: "localhost", name: "Rewards" },
    user: { name: "ana", displayName: "Ana" },
    excludeCredentials: [],
  })
  expect(added).toMatchObject({ status: 201, body: { kind: "passkey", name: "Laptop" } })
  expect(await given.session.post("/api/v1/me/passkeys", request)).toEqual(ended)

  const { challenge, passkey, second_factor } = await given.challenge()
  if (!passkey) throw new Error("the log-in names no passkey")
  expect(second_factor).toEqual(["passkey"])
  expect(passkey).toMatchObject({ rpId: "localhost", allowCredentials: [{ transports: ["internal"] }] })
  const other = await given.challenge()
  const stranger = await createAuthenticator()
  const elsewhere = { origin: "https://evil.example.com", rpId: "localhost" }
  for (const signed of [
    await stranger.get(passkey, { origin }),
    await authenticator.get(passkey, elsewhere),
    await authenticator.get(passkey, { origin, rpId: "evil.example.com" }),
    await authenticator.get(other.passkey ?? passkey, { origin }),
    {},
  ])
    expect(await given.finish({ challenge, passkey: signed })).toEqual(wrong)

  const signed = await authenticator.get(passkey, { origin })
  expect(await given.finish({ challenge, passkey: signed })).toMatchObject({ status: 200 })
  expect(await given.finish({ challenge, passkey: signed })).toEqual(wrong)
  const items = (await given.session.get<{ items: object[] }>("/api/v1/me/second-factors")).body.items
  expect(items).toMatchObject([{ name: "Laptop", last_used_at: "2026-01-05T09:00:00.000Z" }])
})

test("a passkey can be added only once, with one's own options and at this address", async () => {
  await using given = await startWithAna()
  const bruno = await given.server.withSession(await given.server.person("Bruno"))
  const authenticator = await createAuthenticator()
  const begin = async (caller: Client) =>
    (await caller.post<{ challenge: string; options: { challenge: string } }>("/api/v1/me/passkeys/options")).body
  const { challenge, options } = await begin(given.session)

  const unfit = refused(422, "response: the browser's answer to these options")
  const elsewhere = { origin: "https://evil.example.com", rpId: "localhost" }
  for (const response of [{}, { id: "x" }, await authenticator.create(options, elsewhere)])
    expect(await given.session.post("/api/v1/me/passkeys", { challenge, response })).toEqual(unfit)
  const response = await authenticator.create(options, { origin })
  expect(await bruno.post("/api/v1/me/passkeys", { challenge, response })).toEqual(ended)
  expect((await given.session.post("/api/v1/me/passkeys", { challenge, response, name: " " })).status).toBe(422)
  expect((await given.session.post("/api/v1/me/passkeys", { challenge, response })).status).toBe(201)

  const second = await begin(bruno)
  const same = await authenticator.create(second.options, { origin })
  expect(await bruno.post("/api/v1/me/passkeys", { challenge: second.challenge, response: same })).toEqual(
    refused(409, "This passkey is in use already"),
  )
})

test("passkeys need an address with a host name; without one, the other ways still work", async () => {
  await using given = await startWithAna({ "server.base_url": "http://127.0.0.1:8000" })

  expect(await given.session.post("/api/v1/me/passkeys/options")).toEqual(
    refused(409, "Passkeys need an address with a host name and https"),
  )
  expect((await given.session.get<object>("/api/v1/me/second-factors")).body).toMatchObject({ passkeys: false })
})

test("recovery codes are shown once, work once, and end when new ones are created", async () => {
  await using given = await startWithAna()
  const none = refused(409, "There is no second factor yet")
  expect(await given.session.post("/api/v1/me/recovery-codes")).toEqual(none)
  await given.setUpCodes(given.session)
  const earlier = await given.recoveryCodes(given.session)
  const codes = await given.recoveryCodes(given.session)
  expect(new Set([...earlier, ...codes]).size).toBe(20)
  expect(codes[0]).toMatch(/^[a-z2-9]{4}(-[a-z2-9]{4}){3}$/)

  const first = await given.challenge()
  expect(first.second_factor).toEqual(["totp", "recovery"])
  const { challenge } = first
  expect(await given.finish({ challenge, recovery_code: earlier[0] })).toEqual(wrong)
  const typed = codes[0]?.replaceAll("-", " ").toUpperCase()
  expect((await given.finish({ challenge, recovery_code: typed })).status).toBe(200)
  const second = await given.challenge()
  expect(await given.finish({ challenge: second.challenge, recovery_code: codes[0] })).toEqual(wrong)
  expect((await given.session.get<object>("/api/v1/me/second-factors")).body).toMatchObject({ recovery_codes: 9 })
})

test("adding or removing a factor needs a log-in in the last 15 minutes and ends all other sessions and tokens", async () => {
  await using given = await startWithAna()
  const { server, ana, session } = given
  const elsewhere = await server.withSession(ana)
  await given.setUpCodes(session)
  const bruno = await server.person("Bruno")
  for (const caller of [elsewhere, ana]) expect((await caller.get("/api/v1/me")).status).toBe(401)
  expect((await session.get("/api/v1/me")).status).toBe(200)

  server.clock.advance(14 * minute)
  expect((await bruno.post("/api/v1/me/totp")).status).toBe(200)
  server.clock.advance(1 * minute)
  expect(await bruno.post("/api/v1/me/totp")).toEqual(stale)
  expect((await bruno.get("/api/v1/me")).status).toBe(200)
  for (const [method, path] of [
    ["POST", "passkeys/options"],
    ["POST", "passkeys"],
    ["POST", "totp"],
    ["POST", "totp/confirmation"],
    ["POST", "recovery-codes"],
    ["DELETE", "second-factors/1"],
  ] as const)
    expect(await session.call(method, `/api/v1/me/${path}`)).toEqual(stale)
  expect((await session.get("/api/v1/me/second-factors")).status).toBe(200)
})

test("a token from a refresh does not count as a recent log-in", async () => {
  await using given = await startWithAna()
  const { anybody } = given.server
  const renewed = await anybody.post<{ access_token: string }>("/refresh_token", {
    refresh_token: given.ana.refreshToken,
  })
  const caller = createClient(given.server.url, { authorization: `Bearer ${renewed.body.access_token}` })

  expect(await caller.post("/api/v1/me/totp")).toEqual(stale)
  expect((await given.ana.post("/api/v1/me/totp")).status).toBe(200)
})

test("a token from a clock that ran ahead does not count as a recent log-in", async () => {
  await using given = await startWithAna()
  given.server.clock.advance(3_600_000)
  const ahead = await given.server.as(given.ana)
  given.server.clock.advance(-3_600_000)

  expect(await ahead.post("/api/v1/me/totp")).toEqual(stale)
  expect((await given.ana.post("/api/v1/me/totp")).status).toBe(200)
})

test("removing the last factor deletes the recovery codes, and a log-in needs only the password again", async () => {
  await using given = await startWithAna()
  await given.setUpCodes(given.session)
  const { added } = await given.setUpPasskey(given.session)
  await given.recoveryCodes(given.session)
  const { id } = added.body as Factor
  const unknown = refused(404, "Second factor not found")
  const bruno = await given.server.withSession(await given.server.person("Bruno"))
  for (const path of ["99", "x", "0"])
    expect(await given.session.delete(`/api/v1/me/second-factors/${path}`)).toEqual(unknown)
  expect(await bruno.delete("/api/v1/me/second-factors/1")).toEqual(unknown)

  expect(await given.session.delete(`/api/v1/me/second-factors/${id}`)).toMatchObject({
    status: 200,
    body: { items: [{ kind: "totp" }], recovery_codes: 10 },
  })
  expect(await given.session.delete("/api/v1/me/second-factors/1")).toMatchObject({
    status: 200,
    body: { items: [], recovery_codes: 0 },
  })
  expect((await given.server.anybody.submit("/login", form("Ana"))).status).toBe(200)
})

test("the setup of one-time codes expires after 15 minutes, and a wrong code sets up nothing", async () => {
  await using given = await startWithAna()
  const { session, server } = given
  const gone = refused(409, "The setup has ended; start again")
  expect(await session.post("/api/v1/me/totp/confirmation", { code: "000000" })).toEqual(gone)
  await session.post("/api/v1/me/totp")
  expect(await session.post("/api/v1/me/totp/confirmation", { code: "00000x" })).toEqual(
    refused(422, "code: the code that the app shows now"),
  )
  server.clock.advance(15 * minute)
  const again = await server.withSession(given.ana)
  expect(await again.post("/api/v1/me/totp/confirmation", { code: "000000" })).toEqual(gone)
  expect((await server.anybody.submit("/login", form("Ana"))).status).toBe(200)
})

test("nobody can have more than ten factors", async () => {
  await using given = await startWithAna()
  for (let count = 0; count < 10; count += 1) expect((await given.setUpCodes(given.session)).confirmed.status).toBe(201)

  const full = refused(409, "You already have the maximum number of second factors")
  expect(await given.session.post("/api/v1/me/totp")).toEqual(full)
  expect(await given.session.post("/api/v1/me/passkeys/options")).toEqual(full)
})

test("a superuser sees who has a second factor and can remove it, which logs that person out", async () => {
  await using given = await startWithAna()
  const { server, session } = given
  const admin = await server.withSession(await server.admin())
  await given.setUpCodes(session)
  await given.recoveryCodes(session)
  const shown = async () => (await admin.get<{ second_factor: boolean }>("/api/v1/users/ana")).body.second_factor
  expect(await shown()).toBe(true)
  expect(await session.delete("/api/v1/users/ana/second-factors")).toEqual(refused(403, "Not a super user"))
  expect(await admin.delete("/api/v1/users/nobody/second-factors")).toEqual(noSuchUser)

  expect(await admin.delete("/api/v1/users/ana/second-factors")).toEqual(ok({ removed: 1 }))

  expect(await shown()).toBe(false)
  expect((await session.get("/api/v1/me")).status).toBe(401)
  expect((await server.anybody.submit("/login", form("Ana"))).status).toBe(200)
  server.clock.advance(15 * minute)
  expect(await admin.delete("/api/v1/users/ana/second-factors")).toEqual(stale)
})

test("stored factors contain no secret in plain text, and the audit log records every change", async () => {
  await using given = await startWithAna()
  const { secret, code } = await given.setUpCodes(given.session)
  const codes = await given.recoveryCodes(given.session)
  await given.setUpPasskey(given.session)
  await given.session.post("/api/v1/me/totp")
  given.server.clock.advance(minute)
  const { challenge } = await given.challenge()
  await given.finish({ challenge, recovery_code: codes[0] })
  const last = await given.challenge()
  await given.finish({ challenge: last.challenge, code: code() })
  const { store } = given.server.app

  const stored = JSON.stringify(await Promise.all([1, 2].map((id) => store.secondFactors.of(id))))
  const bytes = Buffer.from(Secret.fromBase32(secret).bytes)
  for (const form of [secret, bytes.toString("base64url"), bytes.toString("hex")]) expect(stored).not.toContain(form)
  const audit = await store.audit.list({ user: "ana", limit: 100 })
  expect(audit.map(({ action, detail, count }) => `${action} ${detail ?? ""} ${count}`).slice(-5)).toEqual([
    "second_factor_added totp 1",
    "recovery_codes_created  1",
    "second_factor_added passkey 1",
    "recovery_code_used  1",
    "login  2",
  ])
  expect(audit.flatMap(({ after }) => (after?.kind ? [after] : []))).toEqual([
    { kind: "totp", name: expect.any(String) },
    { kind: "passkey", name: expect.any(String) },
  ])
})

test("one-time codes need the secret key that they were set up with; recovery codes do not", async () => {
  await using given = await startWithAna()
  const { code } = await given.setUpCodes(given.session)
  const { app, clock } = given.server
  const { id = 0 } = (await app.store.users.byUsername("ana")) ?? {}
  const [{ key = "" } = {}] = await app.store.secondFactors.of(id)
  const withKey = (secret: string) => createOneTimeCodes({ secret, serviceName: "" }).stepOf(code(), key, clock.now())

  expect(await withKey(app.config.security.secret_key ?? "")).toBe(clock.now() / 30_000)
  expect(await withKey("another key")).toBeNull()
})

test("if superusers need a second factor, one without can only set it up", async () => {
  await using given = await startWithAna({ "login.second_factor": "superusers" })
  const { server } = given
  const login = await server.anybody.submit("/login", { username: "admin", password: "admin" })
  expect(login).toMatchObject({ status: 200, body: { status: "logged in" } })
  const admin = clientOf(server, login)

  expect((await admin.get<object>("/api/v1/session")).body).toMatchObject({ second_factor_missing: true })
  for (const [method, path] of [
    ["GET", "/api/v1/me"],
    ["GET", "/transaction/"],
    ["POST", "/user/"],
    ["POST", "/transaction/ana/"],
    ["DELETE", "/api/v1/users/ana/second-factors"],
    ["GET", "/api/v1/me/sessions"],
  ] as const)
    expect(await admin.call(method, path, method === "POST" ? { json: { value: 1 } } : {})).toEqual(missing)
  // Public endpoints take the caller for anybody.
  expect((await admin.get<object[]>("/user/?show_balance=true")).body[0]).not.toHaveProperty("balance")
  expect(await server.anybody.submit("/token", { username: "admin", password: "admin" })).toEqual(
    refused(401, "Second factor required"),
  )

  await given.setUpCodes(admin)
  expect((await admin.get("/api/v1/me")).status).toBe(200)
  expect((await admin.get<object>("/api/v1/session")).body).toMatchObject({ second_factor_missing: false })
  expect(await admin.delete("/api/v1/me/second-factors/1")).toEqual(
    refused(409, "You need a second factor; add another one first"),
  )
  expect((await given.session.get("/api/v1/me")).status).toBe(200)
})

test("API tokens of a superuser without the second factor are refused; adding one ends personal tokens, and service tokens work", async () => {
  await using given = await startWithAna({ "login.second_factor": "superusers" })
  const { server } = given
  const { apiTokens, access } = server.app
  const superuser = await access.toUser("admin")
  const scripts = [
    await apiTokens.createOwn(superuser, operator, { name: "Script", scopes: ["read"] }),
    await apiTokens.createService(operator, superuser, { name: "Directory", scopes: ["admin"] }),
  ].map(({ secret }) => createClient(server.url, bearer(secret)))
  const member = await apiTokens.createOwn(await access.toUser("ana"), operator, { name: "Script", scopes: ["read"] })

  for (const script of scripts) expect(await script.get("/api/v1/me")).toEqual(missing)
  const directory = await scripts[1]?.get("/scim/v2/Users")
  expect(directory?.status).toBe(403)
  expect((await createClient(server.url, bearer(member.secret)).get("/api/v1/me")).status).toBe(200)

  const login = await server.anybody.submit("/login", { username: "admin", password: "admin" })
  await given.setUpCodes(clientOf(server, login))
  expect((await scripts[0]?.get("/api/v1/me"))?.status).toBe(401)
  for (const path of ["/api/v1/me", "/scim/v2/Users"]) expect((await scripts[1]?.get(path))?.status).toBe(200)
})

test("somebody who becomes a superuser needs a second factor from then on", async () => {
  await using given = await startWithAna({ "login.second_factor": "superusers" })
  const { store } = given.server.app
  const user = await store.users.byUsername("ana")
  await store.users.correct(user?.id ?? 0, { dept: "management" })

  expect(await given.session.get("/api/v1/me")).toEqual(missing)
})

test("every added or removed factor is reported by mail in the reader's language, whatever mail they chose", async () => {
  await using here = await startWithAna({ "service.time_zone": "America/Sao_Paulo" })
  const { server, session, setUpCodes, setUpPasskey } = here
  const { clock, mails } = server
  const nextMail = async (count: number) => {
    clock.advance(server.app.config.email.debug_delay_seconds * 1000)
    server.app.worker.wake()
    await until(() => mails.length >= count)
    return mails[count - 1]
  }
  await session.patch("/api/v1/me", { mail: "off" })

  await setUpCodes(session)
  const added = await nextMail(1)
  expect(added).toMatchObject({ to: here.ana.email, subject: "Your second factor was changed - Rewards" })
  expect(added?.text).toStartWith(`Hello Ana,

An app for one-time codes was added to your account on 5 January 2026 at 06:00 (America/Sao_Paulo).
`)
  expect(added?.text).toEndWith(`\n${origin}/me\n`)
  await session.patch("/api/v1/me", { language: "pt" })
  await setUpPasskey(session)
  expect((await nextMail(2))?.text).toInclude("Uma chave de acesso foi adicionada à sua conta em 5 de janeiro de 2026")
  await session.call("DELETE", "/api/v1/me/second-factors/2")
  expect(await nextMail(3)).toMatchObject({
    subject: "Seu segundo fator foi alterado - Rewards",
    text: expect.stringContaining("Uma chave de acesso foi removida da sua conta"),
  })
  const admin = await server.admin()
  for (const removed of [1, 0])
    expect(await admin.call("DELETE", "/api/v1/users/ana/second-factors")).toMatchObject({ body: { removed } })
  expect((await nextMail(4))?.text).toInclude("Um administrador removeu todos os segundos fatores da sua conta")
  expect(mails).toHaveLength(4)
})
