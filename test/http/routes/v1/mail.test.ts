import { expect, test } from "bun:test"
import { createSmtpMailer } from "../../../../src/integrations/mail/smtp.ts"
import { ok, refused } from "../../../support/answers.ts"
import { type ScriptedSmtp, startScriptedSmtp } from "../../../support/scripted-smtp.ts"
import { startTestServer, type TestServer } from "../../../support/server.ts"
import { until } from "../../../support/until.ts"

interface Queued {
  readonly id: number
  readonly kind: string
  readonly to: string
  readonly state: string
  readonly attempts: number
  readonly last_answer: string | null
  readonly cause: string | null
  readonly cure: string | null
  readonly next_at: string | null
}
type Items = { readonly items: readonly Queued[]; readonly next: string | null }

const day = 86_400_000

/** A server that sends its mail through a scripted one, at once. */
async function startWith(smtp: ScriptedSmtp) {
  const settings = { "email.debug_delay_seconds": "0" }
  return startTestServer({ settings, mailer: createSmtpMailer(smtp.settings) })
}

async function settled({ app }: TestServer) {
  app.worker.wake()
  await until(async () => (await app.store.health.read(Number.MAX_SAFE_INTEGER)).jobs.running === 0)
}

/** Waits until each of these mails has been tried so often, or is away. */
async function tried(server: TestServer, attempts: number) {
  server.app.worker.wake()
  await until(async () => {
    const mails = await server.app.store.jobs.mail({ before: undefined, limit: 100 })
    return mails.every((mail) => mail.attempts >= attempts && (mail.state === "discarded" || mail.lastAnswer !== null))
  })
  await settled(server)
}

test.each([
  ["MAIL", "550 5.7.60 SMTP; Client does not have permissions to send as this sender", "email.smtp_sender"],
  ["dot", "550 5.4.5 Daily user sending limit exceeded", "limit"],
  ["RCPT", "554 5.7.1 <ana@example.com>: Relay access denied", "relay"],
  ["dot", "554 Message rejected: Email address is not verified", "confirmed"],
  ["EHLO", "550 5.7.1 Helo refused", "server.base_url"],
  ["CONNECT", "554 5.7.1 Client host rejected", "this machine"],
] as const)("mail waits when the mail server blames the operator at %s: %j", async (step, answer, cure) => {
  await using smtp = await startScriptedSmtp()
  await using server = await startWith(smtp)
  const [admin, ana] = [await server.admin(), await server.person("Ana")]
  for (const at of step === "EHLO" ? (["EHLO", "HELO"] as const) : [step]) smtp.sayAlways(at, answer)
  const readiness = async () => (await admin.get<{ checks: { mail: object } }>("/readyz")).body.checks.mail

  await server.anybody.post("/user/pwd_reset_token/", { email: ana.email })
  await admin.post("/api/v1/users", { name: "Bo", email: "bo@example.com", dept: "sales" })
  await tried(server, 1)

  const { body } = await admin.get<Items>("/api/v1/mail")
  expect(body.items.map(({ kind, to, state, attempts, cause }) => ({ kind, to, state, attempts, cause }))).toEqual([
    { kind: "invitation", to: "bo@example.com", state: "waiting", attempts: 1, cause: "operator" },
    { kind: "reset_mail", to: ana.email, state: "waiting", attempts: 1, cause: "operator" },
  ])
  for (const mail of body.items) {
    expect(mail.last_answer).toContain(answer)
    expect(mail.cure).toContain(cure)
    expect(mail.next_at).toMatch(/Z$/)
  }
  server.clock.advance(1000)
  expect(await readiness()).toMatchObject({ ok: false, reason: expect.stringContaining(`2 mails wait: `) })
  expect(await readiness()).toMatchObject({ reason: expect.stringContaining(cure) })
  expect(await server.anybody.get("/readyz")).toMatchObject({ status: 200 })

  for (const at of [step, "HELO"] as const) smtp.sayAlways(at, null)
  expect(await admin.post("/api/v1/mail/retry")).toEqual(ok({ count: 2 }))
  await until(() => smtp.messages.length === 2)
  await settled(server)
  expect(await admin.get("/api/v1/mail")).toEqual(ok({ items: [], next: null }))
  server.clock.advance(1000)
  expect(await readiness()).toEqual({ ok: true, reason: "none is refused" })
})

test("mail to an unknown recipient is given up at once, and can be sent again when the address is right", async () => {
  await using smtp = await startScriptedSmtp()
  await using server = await startWith(smtp)
  const admin = await server.admin()
  smtp.say("RCPT", "550 5.1.1 User unknown")

  await admin.post("/api/v1/users", { name: "Bo", email: "bo@example.com", dept: "sales" })
  await tried(server, 1)

  const { body } = await admin.get<Items>("/api/v1/mail?state=discarded")
  expect(body.items).toMatchObject([{ to: "bo@example.com", state: "discarded", cause: "recipient", next_at: null }])
  expect((await admin.get<Items>("/api/v1/mail?state=waiting")).body.items).toEqual([])
  expect(await admin.post("/api/v1/mail/retry")).toEqual(ok({ count: 0 }))
  expect(await admin.post(`/api/v1/mail/${body.items[0]?.id}/retry`)).toEqual(ok({ count: 1 }))
  await until(() => smtp.messages.length === 1)
  await settled(server)
  expect(await admin.post(`/api/v1/mail/${body.items[0]?.id}/retry`)).toEqual(
    refused(404, "No such mail waits, and none was given up"),
  )
  expect(await server.app.store.audit.list({ limit: 1 })).toMatchObject([
    { who: "admin", action: "mail_retried", detail: `mail ${body.items[0]?.id}`, count: 1 },
  ])
})

test("what the mail server asks to try later is sent later, and so is mail that does not reach it", async () => {
  await using smtp = await startScriptedSmtp()
  await using server = await startWith(smtp)
  const admin = await server.admin()
  smtp.say("dot", "450 4.2.0 greylisted")

  await admin.post("/api/v1/users", { name: "Bo", email: "bo@example.com", dept: "sales" })
  await tried(server, 1)

  expect((await admin.get<Items>("/api/v1/mail")).body.items).toMatchObject([
    { state: "waiting", cause: "unreachable" },
  ])
  server.clock.advance(60_000)
  server.app.worker.wake()
  await until(() => smtp.messages.length === 1)
  const ids = smtp.seen.map((message) => /^Message-ID: (<\w{40}@localhost>)$/im.exec(message)?.[1])
  expect(ids).toEqual([ids[0], ids[0]])
  expect(ids[0]).toBeString()

  await admin.post("/api/v1/mail/test")
  await until(() => smtp.messages.length === 2)
  expect(smtp.messages[1]).not.toContain(ids[0] ?? "")
})

test("mail waits as long as it is useful: a link its lifetime, an invitation a week; each can be sent again with a new link", async () => {
  await using smtp = await startScriptedSmtp()
  await using server = await startWith(smtp)
  const ana = await server.person("Ana")
  smtp.sayAlways("MAIL", "550 5.7.60 no")
  const states = async () =>
    (await server.app.store.jobs.mail({ before: undefined, limit: 100 })).map(({ kind, state }) => `${kind} ${state}`)
  const admin = await server.admin()
  await server.anybody.post("/user/pwd_reset_token/", { email: ana.email })
  await admin.post("/api/v1/users", { name: "Bo", email: "bo@example.com", dept: "sales" })
  await tried(server, 1)

  server.clock.advance(10 * 60_000)
  await tried(server, 2)
  expect(await states()).toEqual(["invitation waiting", "reset_mail discarded"])
  server.clock.advance(7 * day)
  await tried(server, 2)
  await until(async () => (await states())[0] === "invitation discarded")

  smtp.sayAlways("MAIL", null)
  expect(await (await server.admin()).post("/api/v1/mail/retry")).toEqual(ok({ count: 2 }))
  await until(() => smtp.messages.length === 2)
  await settled(server)
  const reset = smtp.messages.find((message) => message.includes("Password reset")) ?? ""
  const token = /pwd_reset_token=3D([\s\S]*?)\n\n/.exec(reset)?.[1]?.replaceAll("=\n", "") ?? ""
  const password = { password: "a new password of Ana", password_confirm: "a new password of Ana" }
  expect(await server.anybody.post(`/user/ana/password/?pwd_reset_token=${token}`, password)).toMatchObject({
    status: 200,
  })
})

test("a superuser sends a test to the own address; nobody else sees or sends mail", async () => {
  await using smtp = await startScriptedSmtp()
  await using server = await startWith(smtp)
  const [admin, ana] = [await server.admin(), await server.person("Ana")]

  expect(await admin.post("/api/v1/mail/test")).toMatchObject({
    status: 201,
    body: { kind: "test_mail", to: "admin@localhost", state: "waiting", attempts: 0, last_answer: null, cause: null },
  })
  await until(() => smtp.messages.length === 1)
  expect(smtp.messages[0]).toContain("A test of the mail of Rewards")
  smtp.sayAlways("MAIL", "550 5.7.60 no")
  await admin.post("/api/v1/mail/test")
  await tried(server, 1)
  const [mail] = (await admin.get<Items>("/api/v1/mail")).body.items
  for (const answer of [
    await ana.get("/api/v1/mail"),
    await ana.post("/api/v1/mail/retry"),
    await ana.post("/api/v1/mail/test"),
    await ana.post(`/api/v1/mail/${mail?.id}/retry`),
  ])
    expect(answer).toEqual(refused(403, "Not a super user"))
  expect(await admin.get("/api/v1/mail?state=sent")).toEqual(refused(422, "state: one of waiting, discarded"))
})

test("the list comes in pages, and names the address of every kind of mail", async () => {
  await using server = await startTestServer()
  const [admin, ana, bo] = [await server.admin(), await server.person("Ana"), await server.person("Bo")]
  await server.app.worker.stop(0)
  const idOf = async ({ username }: { username: string }) => (await server.app.store.users.byUsername(username))?.id
  await admin.patch("/api/v1/users/ana", { manager: bo.username })
  await server.grant(ana, 5)
  const at = server.clock.now()
  const payloads = {
    digest_mail: { userId: await idOf(ana) },
    redemption_mail: { to: await idOf(bo), redemption: 1, about: "request" },
    thanks_mail: { transactionId: 1 },
    newcomer_mail: { userId: await idOf(ana) },
    push: { userId: await idOf(ana), transactionId: 1, deviceId: 1 },
  }
  for (const [kind, payload] of Object.entries(payloads))
    await server.app.store.jobs.enqueue({ kind, payload, maxAttempts: 1, retryUntil: at, runAt: at, createdAt: at })

  const first = (await admin.get<Items>("/api/v1/mail?size=3")).body
  const second = (await admin.get<Items>(`/api/v1/mail?size=3&before=${first.next}`)).body
  const named = [...first.items, ...second.items].map(({ kind, to }) => [kind, to])
  expect(named).toEqual([
    ["newcomer_mail", bo.email],
    ["thanks_mail", ana.email],
    ["redemption_mail", bo.email],
    ["digest_mail", ana.email],
  ])
  expect(second.next).toBeNull()
})
