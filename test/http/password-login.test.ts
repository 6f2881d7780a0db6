import { expect, test } from "bun:test"
import { grantToOperator } from "../../src/domain/auth/access.ts"
import { ok, refused } from "../support/answers.ts"
import { operator, passwordOf } from "../support/app.ts"
import { startTestServer, type TestServer } from "../support/server.ts"

const provider = { "oidc.issuer": "http://127.0.0.1:1", "oidc.client_id": "rewards" }
const start = (password: string) =>
  startTestServer({
    settings: {
      ...provider,
      "login.password": password,
      "limits.login_failures": "1000",
      "email.debug_delay_seconds": "0",
    },
  })

const bad = refused(401, "Incorrect username or password")
const badToken = { ...bad, headers: { "www-authenticate": "Bearer" } }
const notAllowed = refused(403, "You are not allowed to change this user's password")
const ana = { username: "ana", password: passwordOf("Ana") }
const created = { name: "Ana", dept: "sales", email: "ana@example.com", password: passwordOf("Ana") }
const admin = { username: "admin", password: "admin" }

/** Waits until no mail is left to be sent. */
async function mailsOf({ app, mails }: TestServer): Promise<readonly string[]> {
  const left = async () => {
    const { jobs } = await app.store.health.read(app.clock())
    return (jobs.available ?? 0) + (jobs.running ?? 0)
  }
  app.worker.wake()
  for (let waits = 0; (await left()) > 0; waits += 1) {
    if (waits === 10_000) throw new Error("the mails are not sent")
    await Bun.sleep(1)
  }
  return mails.map(({ text }) => text)
}

test("with login.password = superusers, others are treated like unknown users: at both log-ins, for reset mail and reset token", async () => {
  await using server = await start("superusers")
  await server.app.users.create(operator, created)
  const { anybody } = server

  expect(await anybody.submit("/login", ana)).toEqual(bad)
  expect(await anybody.submit("/token", ana)).toEqual(badToken)
  expect(await anybody.submit("/login", { ...ana, username: "nobody" })).toEqual(bad)
  expect((await anybody.submit("/login", admin)).status).toBe(200)
  expect((await anybody.submit("/token", admin)).status).toBe(200)

  const answer = ok({ message: "If we found a user with that email, we sent a password reset token to it." })
  for (const email of ["ana@example.com", "nobody@example.com", "admin@localhost"])
    expect(await anybody.post("/user/pwd_reset_token/", { email })).toEqual(answer)
  expect((await mailsOf(server)).length).toBe(1)
  expect(server.mails[0]?.to).toBe("admin@localhost")

  const path = `/user/ana/password/?pwd_reset_token=${await server.app.tokens.signReset(await server.app.access.toUser("ana"))}`
  expect(await anybody.post(path, { password: "another one", password_confirm: "another one" })).toEqual(notAllowed)
})

test("everybody can see the ways to log in", async () => {
  const shown = async (settings: Record<string, string>) => {
    await using server = await startTestServer({ settings })
    return (await server.anybody.get<{ login: unknown }>("/api/v1/service")).body.login
  }
  expect(await shown({})).toEqual({ password: true, password_min_length: 1, oidc: null })
  expect(await shown(provider)).toEqual({ password: true, password_min_length: 1, oidc: { button: null } })
  expect(await shown({ ...provider, "login.password": "superusers" })).toMatchObject({ password: true })
  expect(await shown({ ...provider, "login.password": "off", "oidc.button": "Example" })).toEqual({
    password: false,
    password_min_length: 1,
    oidc: { button: "Example" },
  })
})

test("a manager of passwords finds where to change one, unless nobody has one", async () => {
  for (const [password, status] of [
    ["all", 302],
    ["superusers", 302],
    ["off", 404],
  ] as const) {
    await using server = await start(password)
    expect([password, (await server.anybody.request("GET", "/.well-known/change-password")).status]).toEqual([
      password,
      status,
    ])
  }
})

test("with login.password = off, nobody logs in with a password, however it was set", async () => {
  await using server = await start("off")
  await server.app.users.create(operator, created)
  const change = { password: "set by the operator", confirmation: "set by the operator" }
  await server.app.passwords.change(grantToOperator(await server.app.access.toUser("admin"), "olga"), change, operator)

  for (const path of ["/login", "/token"])
    for (const login of [ana, { username: "admin", password: change.password }])
      expect(await server.anybody.submit(path, login)).toMatchObject({ status: 401, body: bad.body })
})

test("an invitation for somebody who needs no password has no link to set one", async () => {
  await using server = await start("superusers")
  const boss = await server.as(admin)
  const rows = "name,email,dept\nAna,ana@example.com,sales\nBea,bea@example.com,management\n"
  const headers = { "content-type": "text/csv" }
  expect((await boss.call("POST", "/api/v1/users/import?invite=true", { body: rows, headers })).status).toBe(200)

  const [toAna, toBea] = await mailsOf(server)
  expect(toAna).toStartWith(
    "Hello Ana,\n\nYou now have an account at Rewards. Admin has invited you. Your user name is ana.\n",
  )
  expect(toAna).toContain(`${server.url}/login\n`)
  expect(toAna).not.toContain("token")
  expect(toBea).toContain("/reset-password?pwd_reset_token=")
})
