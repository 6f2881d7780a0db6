import { afterEach, beforeEach, expect, test } from "bun:test"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { NewJob } from "../../../src/domain/jobs/ports.ts"
import { defaultProgramme } from "../../../src/domain/programme/model.ts"
import { type AccountMailOptions, createResetMail } from "../../../src/integrations/mail/account-mail.ts"
import { createDebugFileMailer, type Mailer } from "../../../src/integrations/mail/mailer.ts"
import { createSmtpMailer } from "../../../src/integrations/mail/smtp.ts"
import { PermanentFailure } from "../../../src/jobs/attempt.ts"
import { createWorker, type JobWorker } from "../../../src/jobs/worker.ts"
import { openTestJobs, type TestJobs } from "../../jobs/support.ts"
import { createTestClock } from "../../support/clock.ts"
import { type SmtpServer, startSmtpServer } from "../../support/smtp.ts"

let clock: ReturnType<typeof createTestClock>
let house: TestJobs
let smtp: SmtpServer
let worker: JobWorker | undefined
let signed: string[]

beforeEach(async () => {
  clock = createTestClock()
  house = await openTestJobs(clock.now)
  smtp = await startSmtpServer()
  signed = []
  await house.store.users.create({
    email: "Ana@example.com",
    username: "ana-souza",
    name: "Ana Souza",
    dept: "sales",
    currency: "USD",
    avatar: null,
    bio: null,
    password: "$".repeat(60),
  })
})
afterEach(async () => {
  await worker?.stop(0)
  worker = undefined
  await smtp.stop()
  await house.close()
})

const overSmtp = (): Mailer =>
  createSmtpMailer({ host: smtp.host, port: smtp.port, ca: () => smtp.ca, tls: "implicit" })

const handler = (mailer: Mailer, options: Partial<AccountMailOptions> = {}) =>
  createResetMail({
    store: house.store,
    async signToken({ username }) {
      signed.push(username)
      return `token-${signed.length}`
    },
    mailer,
    sender: "no-reply@rewards.example",
    service: { name: "Rewards", language: "en", time_zone: "UTC" },
    programme: { current: async () => defaultProgramme },
    address: { url: "https://rewards.example" },
    logo: null,
    faceOf: async ({ name }) => ({ name, picture: null }),
    resetUrl: () => "https://rewards.example/reset-password",
    expireMinutes: 10,
    passwordLogin: "all",
    ...options,
  })

function start(mailer: Mailer): JobWorker {
  worker = createWorker({
    jobs: house.jobs,
    log: house.log,
    clock: clock.now,
    elapsed: clock.now,
    handlers: { reset_mail: handler(mailer) },
    leaseMs: 60_000,
    resultTtlMs: 500_000,
    random: () => 0.5,
    pollMs: 3_600_000,
  })
  worker.start()
  return worker
}

const request = (payload: unknown, job: Partial<NewJob> = {}) => house.enqueue({ kind: "reset_mail", payload, ...job })
const run = { signal: new AbortController().signal, attempt: 1, key: "mail 1" }

test("a reset mail has sender, stored address, subject, link and the lifetime of the link", async () => {
  const id = await request({ email: "ana@EXAMPLE.com" })
  start(overSmtp())
  await house.settled(1)

  expect(smtp.mails).toMatchObject([
    {
      envelope: { from: "no-reply@rewards.example", to: ["Ana@example.com"] },
      headers: {
        from: '"Rewards" <no-reply@rewards.example>',
        "list-id": '"Rewards" <rewards.example>',
        to: "Ana@example.com",
        subject: "Password reset for Rewards",
        "content-type": expect.stringMatching(/^multipart\/alternative; /),
      },
      text: `Someone, hopefully you, asked to reset the password of your account at Rewards.
Open this link to choose a new one:

https://rewards.example/reset-password?pwd_reset_token=token-1

The link expires in 10 minutes.
If it was not you, ignore this mail: your password stays as it is.
`,
      secure: true,
      types: ["multipart/alternative", "text/plain", "text/html"],
      html: expect.stringContaining(
        '<p><a class="button" href="https://rewards.example/reset-password?pwd_reset_token=token-1">Choose a new password</a></p>',
      ),
    },
  ])
  expect(house.row(id)).toMatchObject({ state: "completed", result: "sent", attempts: 1 })
  expect(signed).toEqual(["ana-souza"])
})

test("the mail is in the language of the person, whatever the service speaks", async () => {
  const ana = await house.store.users.byEmail("ana@example.com")
  await house.store.mail.choose(ana?.id ?? 0, { language: "pt" })
  await request({ email: "ana@example.com" })
  start(overSmtp())
  await house.settled(1)

  expect(smtp.mails[0]?.headers.subject).toBe("Nova senha para Rewards")
  expect(smtp.mails[0]?.text).toContain("O link expira em 10 minutos.")
})

test("if no user has the address, nothing is sent and no token is signed", async () => {
  const id = await request({ email: "nobody@example.com" })
  start(overSmtp())
  await house.settled(1)

  expect(house.row(id)).toMatchObject({ state: "completed", result: "no user" })
  expect(smtp.mails).toEqual([])
  expect(signed).toEqual([])
})

test("in debug mode the message is appended to the file, addressed to the stored e-mail", async () => {
  const folder = await mkdtemp(join(tmpdir(), "rewards-mail-"))
  const path = join(folder, "email.log")

  await handler(createDebugFileMailer({ path }), { expireMinutes: 1 })({ email: "ana@example.com" }, run)

  const lines = (await readFile(path, "utf8")).split("\n")
  expect(lines.slice(0, 5)).toEqual([
    "--- START EMAIL Ana@example.com ---",
    "From: no-reply@rewards.example",
    "To: Ana@example.com",
    "Subject: Password reset for Rewards",
    "",
  ])
  expect(lines).toContain("https://rewards.example/reset-password?pwd_reset_token=token-1")
  expect(lines).toContain("The link expires in 1 minute.")
  expect(lines.slice(-2)).toEqual(["--- END OF EMAIL ---", ""])
  await rm(folder, { recursive: true })
})

test("mail to somebody whom the mail server does not know is not retried", async () => {
  smtp.next("RCPT", { code: 550, text: "5.1.1 no such mailbox" })
  const id = await request({ email: "ana@example.com" })
  start(overSmtp())
  await house.settled(1)

  expect(house.row(id)).toMatchObject({
    state: "discarded",
    attempts: 1,
    last_error: expect.stringMatching(/550 5.1.1 no such mailbox$/),
    cause: "recipient",
  })
  expect(house.logged()).toEqual([
    {
      level: "error",
      message: "job discarded",
      kind: "reset_mail",
      id,
      attempt: 1,
      error: "EENVELOPE",
      cure: expect.any(String),
    },
  ])
})

test("mail to a busy mailbox is sent by a later attempt, with a new token", async () => {
  smtp.next("RCPT", { code: 450, text: "mailbox busy" })
  smtp.next("CONNECT", "drop")
  const id = await request({ email: "ana@example.com" })
  const woken = start(overSmtp())

  await house.settled(1)
  expect(house.row(id)).toMatchObject({ state: "available", attempts: 1, run_at: clock.now() + 5_000 })
  clock.advance(5_000)
  woken.wake()
  await house.settled(2)
  expect(house.row(id)).toMatchObject({ state: "available", attempts: 2, run_at: clock.now() + 10_000 })
  expect(smtp.mails).toEqual([])
  clock.advance(10_000)
  woken.wake()
  await house.settled(3)

  expect(house.row(id)).toMatchObject({ state: "completed", attempts: 3, result: "sent" })
  expect(smtp.mails).toHaveLength(1)
  expect(smtp.mails[0]?.text).toContain("?pwd_reset_token=token-3\n")
})

test("no invitation is lost when the mail server answers 450 for an hour, even with few attempts allowed", async () => {
  const id = await request({ email: "ana@example.com" }, { maxAttempts: 1, retryUntil: clock.now() + 3 * 86_400_000 })
  const wellAt = clock.now() + 3_600_000
  const woken = start({
    async send(message, signal) {
      if (clock.now() < wellAt) smtp.next("RCPT", { code: 450, text: "try again later" })
      await overSmtp().send(message, signal)
    },
  })

  for (let attempt = 1; ; attempt += 1) {
    await house.settled(attempt)
    const row = house.row(id)
    if (row?.state !== "available") break
    clock.advance(Number(row.run_at) - clock.now())
    woken.wake()
  }

  expect(house.row(id)).toMatchObject({ state: "completed", result: "sent" })
  expect(clock.now()).toBeLessThan(wellAt + 900_000)
  expect(smtp.mails).toHaveLength(1)
})

test("an attempt whose mail server does not respond is aborted at two thirds of the lease", async () => {
  const { given } = smtp.next("DATA", "hang")
  const id = await request({ email: "ana@example.com" })
  const woken = start(overSmtp())
  await given

  clock.advance(40_000)
  woken.wake()
  await house.settled(1)

  expect(house.row(id)).toMatchObject({ state: "available", attempts: 1, run_at: clock.now() + 5_000 })
})

test.each([[null], ["ana@example.com"], [{}], [{ email: 5 }], [{ mail: "ana@example.com" }]])(
  "a payload of the wrong shape is discarded: %j",
  async (payload) => {
    const sending = handler(overSmtp())(payload, run)

    await expect(sending).rejects.toBeInstanceOf(PermanentFailure)
    expect(smtp.mails).toEqual([])
  },
)

test("neither address nor token is logged", async () => {
  await request({ email: "ana@example.com" })
  smtp.next("RCPT", { code: 450, text: "<Ana@example.com> is busy" })
  const woken = start(overSmtp())
  await house.settled(1)
  clock.advance(5_000)
  woken.wake()
  await house.settled(2)

  expect(smtp.mails).toHaveLength(1)
  expect(JSON.stringify(house.logged())).not.toMatch(/ana@example\.com|token-/i)
})
