import { afterEach, expect, test } from "bun:test"
import { loadConfig } from "../../../src/config/load.ts"
import { MailFailure } from "../../../src/integrations/mail/failures.ts"
import type { Message } from "../../../src/integrations/mail/mailer.ts"
import {
  createSmtpMailer,
  nameOf,
  type SmtpSettings,
  smtpSettingsOf,
  transportOptions,
  usualTls,
  verifySmtp,
} from "../../../src/integrations/mail/smtp.ts"
import { createAuthority } from "../../support/authority.ts"
import { fullListenerAt } from "../../support/full-listener.ts"
import { startScriptedSmtp } from "../../support/scripted-smtp.ts"
import { type SmtpServer, type SmtpServerOptions, startSmtpServer } from "../../support/smtp.ts"

const message: Message = {
  from: "no-reply@rewards.example",
  to: "ana@example.com",
  subject: "Password reset for Rewards",
  text: `Open this link to set one:\n\nhttps://rewards.example/reset-password?pwd_reset_token=${"abc.".repeat(60)}\n`,
}

const servers: SmtpServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop()
})

async function start(options?: SmtpServerOptions): Promise<SmtpServer> {
  const server = await startSmtpServer(options)
  servers.push(server)
  return server
}

const mailerFor = ({ host, port, ca }: SmtpServer, settings: Partial<SmtpSettings> = {}) =>
  createSmtpMailer({ host, port, ca: () => ca, tls: "implicit", timeoutMs: 5_000, ...settings })

const never = new AbortController().signal

/** What a send was refused with; a send that goes through fails the test. */
async function failureOf(sending: Promise<void>): Promise<Error & { code?: string }> {
  try {
    await sending
  } catch (error) {
    if (error instanceof Error) return error
  }
  throw new Error("the message was sent")
}

test("a message is sent through an SMTP server over TLS, with envelope, headers and a text body", async () => {
  const server = await start()

  await mailerFor(server).send(message, never)

  const [mail] = server.mails
  expect(mail).toEqual({
    envelope: { from: "no-reply@rewards.example", to: ["ana@example.com"] },
    headers: {
      from: "no-reply@rewards.example",
      to: "ana@example.com",
      subject: "Password reset for Rewards",
      "message-id": expect.stringMatching(/^<[-0-9a-f]+@rewards\.example>$/),
      "content-transfer-encoding": "quoted-printable",
      date: expect.stringMatching(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d \+0000$/),
      "mime-version": "1.0",
      "auto-submitted": "auto-generated",
      "x-auto-response-suppress": "All",
      "content-type": "text/plain; charset=utf-8",
    },
    text: message.text,
    html: null,
    types: ["text/plain"],
    raw: expect.any(String),
    login: null,
    secure: true,
  })
  expect(server.mails).toHaveLength(1)
})

test("a body arrives unchanged: lines of dots, long lines and every script", async () => {
  const server = await start()
  const text = `.\n..\nPrämien für Zoë: 🎉 = 100 %\n${"x".repeat(2_000)}\n`

  await mailerFor(server).send({ ...message, subject: "Password reset for Prämien 🎉", text }, never)

  expect(server.mails[0]?.text).toBe(text)
  expect(server.mails[0]?.headers.subject).toBe("Password reset for Prämien 🎉")
})

test("a certificate of an unknown authority is refused before anything is sent", async () => {
  const server = await start()
  const other = await createAuthority()

  for (const mailer of [
    mailerFor(server, { ca: () => other.pem }),
    createSmtpMailer({ host: server.host, port: server.port, tls: "implicit" }),
  ])
    expect((await failureOf(mailer.send(message, never))).message).toMatch(/certificate/)
  expect(server.mails).toEqual([])
})

test("a certificate for another host name is refused", async () => {
  const server = await start({ names: ["mail.example.com", "127.0.0.2"] })

  const failure = await failureOf(mailerFor(server).send(message, never))

  expect(failure.message).toMatch(/does not match certificate's altnames/)
  expect(server.mails).toEqual([])
})

test("certificate checks cannot be turned off by the environment", async () => {
  const server = await start({ names: ["mail.example.com"] })
  const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0"

  const failure = await failureOf(mailerFor(server).send(message, never)).finally(() => {
    if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
    else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before
  })

  expect(failure.message).toMatch(/does not match certificate's altnames/)
})

test("by default port 587 uses STARTTLS, 25 and 2525 if it is offered, and all others TLS from the start", () => {
  expect([587, 25, 2525, 465, 2587].map(usualTls)).toEqual([
    "starttls",
    "starttls-if-offered",
    "starttls-if-offered",
    "implicit",
    "implicit",
  ])
})

test("a relay without encryption gets mail at a private address, by off and by starttls-if-offered", async () => {
  await using server = await startScriptedSmtp({ tls: "plain", offers: [] })

  for (const tls of ["off", "starttls-if-offered"] as const)
    await createSmtpMailer({ ...server.settings, tls }).send(message, never)
  const failures = await Promise.all(
    (["starttls", "implicit"] as const).map((tls) =>
      failureOf(createSmtpMailer({ ...server.settings, tls }).send(message, never)),
    ),
  )

  expect(server.messages).toHaveLength(2)
  for (const failure of failures)
    expect(failure).toMatchObject({ blame: "operator", cure: expect.stringContaining("email.smtp_tls") })
})

test("starttls-if-offered encrypts where it can, and off does not", async () => {
  const server = await start({ starttls: true })

  await mailerFor(server, { tls: "starttls-if-offered" }).send(message, never)
  await mailerFor(server, { tls: "off" }).send(message, never)

  expect(server.mails.map(({ secure }) => secure)).toEqual([true, false])
})

test("where mail may go without encryption, starttls-if-offered takes any certificate, unless an authority is set", async () => {
  const server = await start({ starttls: true, names: ["mail.example.com"] })
  const { pem } = await createAuthority()
  const settings = { host: server.host, port: server.port, tls: "starttls-if-offered" } as const

  await createSmtpMailer(settings).send(message, never)
  const failure = await failureOf(createSmtpMailer({ ...settings, ca: () => pem }).send(message, never))

  expect(server.mails.map(({ secure }) => secure)).toEqual([true])
  expect(failure.message).toMatch(/certificate/)
  const atPublic = transportOptions({ host: "mail.example.test", port: 25, tls: "starttls-if-offered" }, "8.8.8.8")
  expect(atPublic.tls).toMatchObject({ rejectUnauthorized: true })
})

test("a public address gets no mail without encryption, unless a second setting allows it", async () => {
  const settings: SmtpSettings = { host: "mail.example.test", port: 25, tls: "off" }
  const at = (address: string, more: Partial<SmtpSettings> = {}) => transportOptions({ ...settings, ...more }, address)
  const byOffer = { tls: "starttls-if-offered" } as const

  const refused = await failureOf(
    createSmtpMailer(settings, async () => [{ address: "203.0.113.25", family: 4 }]).send(message, never),
  )

  expect(refused).toMatchObject({
    blame: "operator",
    problem: "203.0.113.25 is not private, so it gets no mail without encryption",
    cure: expect.stringContaining("email.smtp_allow_plain"),
  })
  expect(() => at("::ffff:8.8.8.8")).toThrow("is not private")
  for (const address of ["127.0.0.1", "10.1.2.3", "192.168.0.9", "172.31.0.1", "::1", "fd00::25"])
    expect(at(address)).toMatchObject({ ignoreTLS: true })
  expect(at("8.8.8.8", { allowPlain: true })).toMatchObject({ ignoreTLS: true, requireTLS: false })
  expect(at("8.8.8.8", byOffer)).toMatchObject({ requireTLS: true })
  expect(at("8.8.8.8", { ...byOffer, allowPlain: true })).toMatchObject({ requireTLS: false })
})

test("the server greets with the name of its own address", async () => {
  await using server = await startScriptedSmtp()

  await verifySmtp({ ...server.settings, name: nameOf("https://kudos.example.com:8443/a") })

  expect(server.commands[0]).toBe("EHLO kudos.example.com")
  expect(["http://192.0.2.1:8000", "http://[2001:db8::1]/"].map(nameOf)).toEqual(["[192.0.2.1]", "[IPv6:2001:db8::1]"])
})

test("mail says whose it is and that a machine wrote it, and has the same Message-ID at every attempt", async () => {
  await using server = await startScriptedSmtp()
  const mailer = createSmtpMailer(server.settings)
  const own = { name: "Example Kudos", id: "abc", list: { id: "kudos.example.com", name: "Example Kudos" } }
  server.say("dot", "451 4.3.0 later")

  await failureOf(mailer.send({ ...message, ...own }, never))
  await mailer.send({ ...message, ...own }, never)
  await mailer.send({ ...message, ...own, name: 'Prämien "&" Co.\r\nBcc: evil@example.org' }, never)

  const [plain = "", other = ""] = server.messages
  for (const line of [
    'From: "Example Kudos" <no-reply@rewards.example>',
    "Auto-Submitted: auto-generated",
    "X-Auto-Response-Suppress: All",
    "Message-ID: <abc@rewards.example>",
    'List-ID: "Example Kudos" <kudos.example.com>',
  ])
    expect(plain.split("\n").map((line) => line.toLowerCase())).toContain(line.toLowerCase())
  expect(plain.match(/^From:/gm)).toHaveLength(1)
  expect(other).toMatch(/^From: =\?UTF-8\?\S+\?=(\s+=\?UTF-8\?\S+\?=)* <no-reply@rewards\.example>$/m)
  expect(other).not.toMatch(/^Bcc/m)
})

test("a mail server may look at a message for longer than a connection may take, so that none is sent twice", async () => {
  await using server = await startScriptedSmtp({ tls: "plain" })
  server.pause(600)
  const mailer = (answerMs: number) => createSmtpMailer({ ...server.settings, timeoutMs: 300, answerMs })

  await mailer(5_000).send(message, never)
  expect(server.messages).toHaveLength(1)
  expect(await failureOf(mailer(300).send(message, never))).toMatchObject({
    blame: "unreachable",
    cure: expect.stringContaining("jobs.lease_seconds"),
  })
})

test("an answer may take most of the lease of a job, and ten minutes at most", () => {
  const answerMs = (seconds: string) => {
    const env = {
      REWARDS_JOBS__LEASE_SECONDS: seconds,
      REWARDS_EMAIL__SMTP_SERVER: "a",
      REWARDS_EMAIL__DEBUG_MODE: "false",
    }
    const sources = { cwd: import.meta.dir, configPath: null, env, flags: {}, underTest: true, needsSecret: false }
    return smtpSettingsOf(loadConfig(sources))?.answerMs
  }

  expect(["60", "3600"].map(answerMs)).toEqual([36_000, 600_000])
})

test("with STARTTLS the connection is upgraded before the message is sent", async () => {
  const server = await start({ starttls: true })

  await mailerFor(server, { tls: "starttls" }).send(message, never)

  expect(server.mails).toMatchObject([{ secure: true, text: message.text, envelope: { to: ["ana@example.com"] } }])
})

test("with STARTTLS, an unknown authority and a certificate for another host name are refused", async () => {
  const server = await start({ starttls: true })
  const other = await start({ starttls: true, names: ["mail.example.com"] })
  const { pem } = await createAuthority()

  const unknown = await failureOf(mailerFor(server, { tls: "starttls", ca: () => pem }).send(message, never))
  const wrongName = await failureOf(mailerFor(other, { tls: "starttls" }).send(message, never))

  expect(unknown.message).toMatch(/certificate/)
  expect(wrongName.message).toMatch(/does not match certificate's altnames/)
  expect([...server.mails, ...other.mails]).toEqual([])
})

test("a server that does not offer STARTTLS gets no mail", async () => {
  const server = await start({ starttls: true, offersStarttls: false })

  const failure = await failureOf(mailerFor(server, { tls: "starttls" }).send(message, never))

  expect(failure).toMatchObject({ code: "ETLS" })
  expect(server.mails).toEqual([])
})

test("the log-in uses the user and password of the settings", async () => {
  const server = await start({ login: { user: "rewards", password: "s3cret" } })

  await mailerFor(server, { user: "rewards", password: "s3cret" }).send(message, never)

  expect(server.mails).toMatchObject([{ login: "rewards", text: message.text }])
})

test("a log-in that is refused, required or not offered is tried again, because the operator can correct the settings", async () => {
  const demanding = await start({ login: { user: "rewards", password: "s3cret" } })
  const open = await start()

  const failures = [
    await failureOf(mailerFor(demanding, { user: "rewards", password: "wrong" }).send(message, never)),
    await failureOf(mailerFor(demanding).send(message, never)),
    await failureOf(mailerFor(open, { user: "rewards", password: "s3cret" }).send(message, never)),
  ]

  expect(failures.map(({ code }) => code)).toEqual(["EAUTH", "EENVELOPE", "EAUTH"])
  expect(failures.map((failure) => failure instanceof MailFailure && failure.blame)).toEqual(Array(3).fill("operator"))
  expect([...demanding.mails, ...open.mails]).toEqual([])
})

test.each([
  ["CONNECT", "554 5.7.1 go away", "operator"],
  ["EHLO", "550 5.7.1 who are you", "operator"],
  ["AUTH", "535 5.7.139 basic authentication is disabled", "operator"],
  ["MAIL", "550 5.7.60 Client does not have permissions to send as this sender", "operator"],
  ["RCPT", "554 5.7.1 Relay access denied", "operator"],
  ["RCPT", "550 5.1.1 User unknown", "recipient"],
  ["RCPT", "450 4.2.1 busy", "unreachable"],
  ["DATA", "550 5.4.5 Daily user sending limit exceeded", "operator"],
  ["dot", "554 Message rejected: Email address is not verified", "operator"],
] as const)("a server that says at %s %j blames the %s; the next message is sent", async (step, answer, blame) => {
  await using server = await startScriptedSmtp()
  const mailer = createSmtpMailer({ ...server.settings, user: "rewards", password: "s3cret" })

  server.say(step, answer)
  if (step === "EHLO") server.say("HELO", answer)
  const failure = await failureOf(mailer.send(message, never))
  await mailer.send(message, never)

  expect(failure).toMatchObject({ blame, problem: expect.stringContaining(answer) })
  expect(server.messages).toHaveLength(1)
})

test("a server that refuses every connection is tried again", async () => {
  const server = await start()
  server.next("CONNECT", { code: 554, text: "closed today" })

  const failure = await failureOf(mailerFor(server).send(message, never))

  expect(failure.message).toContain("554")
  expect(failure).not.toMatchObject({ blame: "recipient" })
})

test.each(["CONNECT", "MAIL", "RCPT", "DATA"] as const)(
  "a server that stops responding at %s is given up",
  async (stage) => {
    const server = await start()
    server.next(stage, "hang")

    const failure = await failureOf(mailerFor(server, { timeoutMs: 300 }).send(message, never))

    expect(failure).toMatchObject({ code: "ETIMEDOUT" })
    expect(failure).not.toMatchObject({ blame: "recipient" })
  },
)

test.each(["CONNECT", "MAIL", "RCPT", "DATA"] as const)("a connection lost at %s is tried again", async (stage) => {
  const server = await start()
  server.next(stage, "drop")

  const failure = await failureOf(mailerFor(server).send(message, never))

  expect(failure).toMatchObject({ code: "ECONNECTION" })
  expect(failure).not.toMatchObject({ blame: "recipient" })
})

test("an unreachable server is tried again", async () => {
  const server = await start()
  await server.stop()

  const failure = await failureOf(mailerFor(server).send(message, never))

  expect(failure).toMatchObject({ code: "ESOCKET", cause: { originalCode: "ECONNREFUSED" } })
  expect(failure).not.toMatchObject({ blame: "recipient" })
})

test("an aborted attempt ends at once and sends nothing", async () => {
  const server = await start()
  const silence = server.next("RCPT", "hang")
  const controller = new AbortController()

  const sending = failureOf(mailerFor(server).send(message, controller.signal))
  await silence.given
  controller.abort()

  expect(await sending).toMatchObject({ name: "AbortError" })
  expect(await failureOf(mailerFor(server).send(message, controller.signal))).toMatchObject({ name: "AbortError" })
  expect(server.mails).toEqual([])
})

const severalInOne = [
  "ana@example.com, evil@example.org",
  "ana@example.com;evil@example.org",
  "ana@example.com\r\nRCPT TO:<evil@example.org>",
  "ana@example.com\nBcc: evil@example.org",
  "Ana <evil@example.org>",
  '"evil@example.org"@example.com',
  "ana@example.com evil@example.org",
  "ana@example.com>",
  "friends: evil@example.org;",
  "ana",
  "",
]

test.each(severalInOne)("mail to an address that is not one plain address is not sent: %j", async (address) => {
  const server = await start()

  const [to, from] = [{ to: address }, { from: address }].map((wrong) =>
    failureOf(mailerFor(server).send({ ...message, ...wrong }, never)),
  )
  expect(await to).toMatchObject({ blame: "recipient" })
  expect(await from).toMatchObject({ blame: "operator" })

  expect(server.mails).toEqual([])
})

test("a line break in the subject starts no new header", async () => {
  const server = await start()

  await mailerFor(server).send({ ...message, subject: "Password reset\r\nBcc: evil@example.org" }, never)

  const [mail] = server.mails
  expect(mail?.headers.subject).toBe("Password reset Bcc: evil@example.org")
  expect(mail?.headers).not.toHaveProperty("bcc")
  expect(mail?.envelope.to).toEqual(["ana@example.com"])
})

test("a message with HTML has both parts, and the one-click unsubscribe headers in one line each", async () => {
  const server = await start()
  const unsubscribeUrl = `https://rewards.example/unsubscribe?token=12345.${"x".repeat(43)}`
  await mailerFor(server).send({ ...message, html: "<p>Olá</p>", unsubscribeUrl }, never)

  const [mail] = server.mails
  expect(mail?.headers).toMatchObject({
    "content-type": expect.stringMatching(/^multipart\/alternative; boundary=/),
    "list-unsubscribe": `<${unsubscribeUrl}>`,
    "list-unsubscribe-post": "List-Unsubscribe=One-Click",
  })
  expect(mail?.raw).toMatch(
    /text\/plain; charset=utf-8[\s\S]*Open this link[\s\S]*text\/html; charset=utf-8[\s\S]*<p>Ol=C3=A1<\/p>/,
  )
})

test("the server is looked up without the library, and checked by its name", async () => {
  const names = ["mail.example.test"]
  const resolve = async () => ["127.0.0.9", "127.0.0.1"].map((address) => ({ address, family: 4 }))
  for (const starttls of [false, true]) {
    const { port, ca, mails } = await start({ names, starttls })
    const settings = { port, ca: () => ca, tls: starttls ? "starttls" : "implicit", timeoutMs: 5_000 } as const

    await createSmtpMailer({ ...settings, host: "mail.example.test" }, resolve).send(message, never)
    const other = await failureOf(createSmtpMailer({ ...settings, host: "evil.test" }, resolve).send(message, never))

    expect(mails).toHaveLength(1)
    expect(other.message).toContain("altnames")
  }
})

test("the next address is tried when one drops what arrives, and a name may end with a dot", async () => {
  const { port, ca, mails } = await start({ names: ["mail.example.test"], starttls: true })
  using _ = await fullListenerAt("127.0.0.2", port)
  const resolve = async () => ["127.0.0.2", "127.0.0.1"].map((address) => ({ address, family: 4 }))
  const settings = { host: "mail.example.test.", port, ca: () => ca, tls: "starttls", timeoutMs: 10_000 } as const
  await createSmtpMailer(settings, resolve).send(message, AbortSignal.timeout(4_000))
  expect(mails).toHaveLength(1)
})

test.each(["ENOTFOUND", "EAI_AGAIN"])(
  "a server that cannot be looked up (%s) is tried again, with the cure",
  async (code) => {
    const resolve = async () => {
      throw Object.assign(new Error(code), { code, syscall: "getaddrinfo" })
    }
    const mailer = createSmtpMailer({ host: "mail.example.test", port: 465, tls: "implicit" }, resolve)

    expect(await failureOf(mailer.send(message, never))).toMatchObject({
      problem: code === "ENOTFOUND" ? "the name is unknown" : "the name cannot be looked up",
      cure: "check the name in email.smtp_server, and that this machine can look up names",
    })
  },
)
