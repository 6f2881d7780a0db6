import { expect, test } from "bun:test"
import { grantToOperator } from "../../../src/domain/auth/access.ts"
import { openTestApp, operator, passwordOf, type TestApp } from "../../support/app.ts"
import { query } from "../../support/database.ts"

const same = (password: string) => ({ password, confirmation: password })
const login = (username: string, password: string) => ({ username, password, address: "127.0.0.1" })

const office = "198.51.100.1"

test("a new password has 1 to 1024 bytes of well-formed text", async () => {
  await using opened = await openTestApp()
  const { check } = opened.app.passwords
  const refusal = (message: string) => expect.objectContaining({ code: "invalid", message: `password: ${message}` })

  for (const password of ["x", " ", "\0", "é".repeat(512), "🙂".repeat(256)]) await check(password)
  await expect(check("")).rejects.toEqual(refusal("at least 1 character"))
  for (const password of ["x".repeat(1025), "é".repeat(513), "🙂".repeat(257), "\ud800", "a\udc00"])
    await expect(check(password)).rejects.toEqual(refusal("at most 1024 bytes of well-formed text"))
})

test("the minimum length, in characters, is a setting", async () => {
  await using opened = await openTestApp({ settings: { "security.password_min_length": "8" } })
  const { check } = opened.app.passwords

  for (const password of ["12345678", "éééééééé", "🙂".repeat(8)]) await check(password)
  for (const password of ["1234567", "ééééééé", "🙂".repeat(7)])
    await expect(check(password)).rejects.toThrow("password: at least 8 characters")
})

test("production refuses the most common passwords, in any case; development allows them", async () => {
  const mailing = { "email.debug_mode": "false", "email.smtp_server": "smtp.example.com" }
  const settings = { ...mailing, "server.profile": "production", "security.password_min_length": "8" }
  await using production = await openTestApp({ settings })
  await using development = await openTestApp()
  const refusal = { code: "invalid", message: "password: none of the most common passwords" }

  for (const password of ["password", "PassWord1", "12345678", "QwertyUIOP"]) {
    await expect(production.app.passwords.check(password)).rejects.toMatchObject(refusal)
    await development.app.passwords.check(password)
  }
  for (const password of ["password of Ana", "12345678 ", "x7#kqpvz"]) await production.app.passwords.check(password)
})

test("an invalid password is reported before a confirmation that differs; neither changes anything", async () => {
  await using opened = await openTestApp()
  const { access, logins, passwords } = opened.app
  const ana = await opened.create("Ana")
  const grant = await access.toPassword(
    { user: ana, sessionHash: null, token: null, expiresAt: 0, apiToken: null },
    "ana",
    null,
  )

  expect(passwords.change(grant, { password: "", confirmation: "x" }, operator)).rejects.toMatchObject({
    code: "invalid",
  })
  expect(passwords.change(grant, { password: "x", confirmation: "y" }, operator)).rejects.toMatchObject({
    code: "passwords_differ",
  })

  expect((await logins.login(login("ana", passwordOf("Ana")))).user.username).toBe("ana")
})

test("one of two simultaneous changes with the same reset token succeeds", async () => {
  await using opened = await openTestApp()
  const { access, logins, passwords, tokens } = opened.app
  const token = await tokens.signReset(await opened.create("Ana"))
  const grants = await Promise.all([1, 2].map(() => access.toPassword(null, "ana", token)))

  const changes = await Promise.allSettled(
    grants.map((grant, index) => passwords.change(grant, same(`new ${index}`), operator)),
  )

  const made = changes.findIndex(({ status }) => status === "fulfilled")
  expect(changes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"])
  expect(changes[1 - made]).toMatchObject({ reason: { code: "not_own_password" } })
  expect((await logins.login(login("ana", `new ${made}`))).user.username).toBe("ana")
})

test("a reset token that was accepted, and is then ended by another change, changes nothing", async () => {
  await using opened = await openTestApp()
  const { access, logins, passwords, tokens } = opened.app
  const ana = await opened.create("Ana")
  const granted = await access.toPassword(null, "ana", await tokens.signReset(ana))

  await passwords.change(
    await access.toPassword({ user: ana, sessionHash: null, token: null, expiresAt: 0, apiToken: null }, "ana", null),
    same("own"),
    operator,
  )

  expect(passwords.change(granted, same("stolen"), operator)).rejects.toMatchObject({ code: "not_own_password" })
  expect((await logins.login(login("ana", "own"))).user.username).toBe("ana")
})

test("a user's own change that waits for its hash is refused if a superuser sets a password meanwhile", async () => {
  await using opened = await openTestApp()
  const { access, logins, passwords, sessions } = opened.app
  const ana = await opened.create("Ana")
  const { idHash, expiresAt } = await sessions.resolve(await sessions.open(ana, null))
  const caller = { user: ana, sessionHash: null, token: null, expiresAt, apiToken: null }
  const own = [
    await access.toPassword({ ...caller, sessionHash: idHash }, "ana", null),
    await access.toPassword(caller, "ana", null),
  ]

  await passwords.change(grantToOperator(ana, "root"), same("rescued"), operator)

  for (const granted of own)
    await expect(passwords.change(granted, same("stolen"), operator)).rejects.toMatchObject({
      code: "not_own_password",
    })
  expect((await logins.login(login("ana", "rescued"))).user.username).toBe("ana")
})

test("a log-in opens no session when the password was changed after it was checked", async () => {
  await using opened = await openTestApp()
  const { logins, passwords, sessions } = opened.app
  const ana = await opened.create("Ana")
  const { user } = await logins.login(login("ana", passwordOf("Ana")))

  await passwords.change(grantToOperator(ana, "root"), same("rescued"), operator)

  await expect(sessions.open(user, null)).rejects.toMatchObject({ code: "bad_login" })
})

test("when a superuser sets a password, a request already under way cannot keep a token or create a new one", async () => {
  await using opened = await openTestApp()
  const { apiTokens, passwords, sessions, tokens } = opened.app
  const ana = await opened.create("Ana")
  const token = await tokens.sign(ana, "access_token")
  await tokens.verify(token, "access_token")
  const origin = { ...operator, who: "ana" }

  await passwords.change(grantToOperator(ana, "root"), same("rescued"), operator)
  await sessions.endOthers({ user: ana, sessionHash: null, token }, origin)

  await expect(tokens.verify(token, "access_token")).rejects.toMatchObject({ code: "bad_credentials" })
  const request = { name: "Laptop", scopes: ["read"] }
  await expect(apiTokens.createOwn(ana, origin, request)).rejects.toMatchObject({ code: "bad_credentials" })
})

test("a reset mail is queued alike for known and unknown addresses: one job, due after the delay, without a token", async () => {
  await using opened = await openTestApp()
  const { config, passwords } = opened.app
  await opened.create("Ana")

  await passwords.requestReset("ana@example.com", office)
  await passwords.requestReset("nobody@example.com", office)

  const now = opened.clock.now()
  const job = (email: string) => ({
    kind: "reset_mail",
    email,
    state: "available",
    run_at: now + 3000,
    created_at: now,
  })
  const columns = "kind, payload->>'email' AS email, state, run_at, created_at"
  expect(await query(config.db, `SELECT ${columns} FROM jobs ORDER BY id`)).toEqual([
    job("ana@example.com"),
    job("nobody@example.com"),
  ])
})

test("without debug mode the mail is due at once", async () => {
  const settings = { "email.debug_mode": "false", "email.smtp_server": "smtp.example.com" }
  await using opened = await openTestApp({ settings })

  await opened.app.passwords.requestReset("ana@example.com", office)

  expect(await query(opened.app.config.db, "SELECT run_at FROM jobs")).toEqual([{ run_at: opened.clock.now() }])
})

/** How many mails are queued. */
async function queued({ app }: TestApp): Promise<number> {
  const [counted] = await query<{ count: number }>(app.config.db, "SELECT count(*) AS count FROM jobs")
  return counted?.count ?? 0
}

test("the eleventh mail to one address within 15 minutes is not sent, whatever its case and whether or not a user has it", async () => {
  await using opened = await openTestApp()
  const { passwords } = opened.app
  await opened.create("Ana")

  for (const email of ["ana@example.com", "nobody@example.com"])
    for (let source = 1; source <= 11; source++)
      await passwords.requestReset(source % 2 ? email : email.toUpperCase(), `192.0.2.${source}`)
  expect(await queued(opened)).toBe(20)
  expect(opened.logged().map((line) => JSON.parse(line).address)).toEqual(["192.0.2.11", "192.0.2.11"])
  expect(opened.logged().join()).not.toContain("@")

  opened.clock.advance(15 * 60_000)
  await passwords.requestReset("ana@example.com", office)
  expect(await queued(opened)).toBe(21)
})

test("one source may request a hundred mails in 15 minutes; other sources are not affected", async () => {
  await using opened = await openTestApp()
  const { passwords } = opened.app

  for (let person = 0; person < 110; person++)
    await passwords.requestReset(`person-${person}@example.com`, `2001:db8::${person}`)
  expect(await queued(opened)).toBe(100)

  await passwords.requestReset("person-105@example.com", office)
  expect(await queued(opened)).toBe(101)
})

test("text that is too long for an e-mail address is not stored", async () => {
  await using opened = await openTestApp()

  await opened.app.passwords.requestReset("a".repeat(255), office)
  await opened.app.passwords.requestReset(`${"a".repeat(242)}@example.com`, office)

  expect(await queued(opened)).toBe(1)
})

test("a reset mail is retried until its link would expire", async () => {
  await using opened = await openTestApp({ settings: { "security.reset_token_expire_minutes": "30" } })
  const { passwords, store } = opened.app
  await passwords.requestReset("ana@example.com", office)
  const reset = await store.jobs.claim("w1", Number.MAX_SAFE_INTEGER - 1_000, 1_000, "accounts")

  expect((reset?.retryUntil ?? 0) - (reset?.runAt ?? 0)).toBe(30 * 60_000)
})
