import { expect, test } from "bun:test"
import { checkMail, checkVersion } from "../../../src/cli/doctor/settings.ts"
import type { SmtpSettings } from "../../../src/integrations/mail/smtp.ts"
import { createAuthority } from "../../support/authority.ts"
import { type SmtpServerOptions, startSmtpServer } from "../../support/smtp.ts"

const stranger = await createAuthority()
const login = { user: "rewards", password: "right" }

/** What is found of a mail server like this with settings like these; its port is shown as PORT. */
async function lookAt(server: SmtpServerOptions, settings: Partial<SmtpSettings> = {}, hangs = false) {
  const { host, port, ca, next, stop, mails } = await startSmtpServer(server)
  if (hangs) next("CONNECT", "hang")
  const sound = {
    host,
    port,
    ca: () => ca,
    tls: server.starttls ? ("starttls" as const) : ("implicit" as const),
    timeoutMs: hangs ? 500 : 60_000,
  }
  const [found, ...more] = await checkMail({ ...sound, ...settings }, "rewards@example.com")
  await stop()
  expect({ more, mails }).toEqual({ more: [], mails: [] })
  return { ...found, message: found?.message.replace(String(port), "PORT") }
}

test("a mail server that accepts the log-in is fine, and no mail is sent", async () => {
  expect(await lookAt({})).toEqual({ check: "mail", verdict: "ok", message: "127.0.0.1:PORT accepts mail", cure: null })
  expect(await lookAt({ starttls: true, login }, { user: "rewards", password: "right" })).toEqual({
    check: "mail",
    verdict: "ok",
    message: "127.0.0.1:PORT accepts mail from rewards",
    cure: null,
  })
})

for (const [what, server, settings, hangs, message, cure] of [
  ["a wrong password", { login }, { user: "rewards", password: "wrong" }, false, "Invalid login", "smtp_password"],
  [
    "a certificate for another name",
    { names: ["mail.example.com"] },
    {},
    false,
    "altnames",
    "the server's certificate",
  ],
  ["a certificate of nobody known", {}, { ca: () => stranger.pem }, false, "certificate", "email.smtp_ca"],
  ["TLS where STARTTLS is spoken", { starttls: true }, { tls: "implicit" }, false, "WRONG_VERSION", "smtp_tls"],
  ["STARTTLS that is not on offer", { starttls: true, offersStarttls: false }, {}, false, "STARTTLS", "smtp_tls"],
  ["a server that says nothing", {}, {}, true, "Greeting never received", "any firewall"],
  ["a port where nobody listens", {}, { port: 1 }, false, "connection refused", "any firewall"],
  ["a name that is not known", {}, { host: "mail.invalid" }, false, "the name is unknown", "look up names"],
] as const)
  test(`${what} is bad, with its cure`, async () => {
    expect(await lookAt(server, settings, hangs)).toEqual({
      check: "mail",
      verdict: "bad",
      message: expect.stringContaining(message),
      cure: expect.stringContaining(cure),
    })
  })

test("without sending mail no mail server is needed; a sender at localhost is a warning", async () => {
  expect(await checkMail(null, "no-reply@localhost")).toEqual([
    { check: "mail", verdict: "ok", message: "written to a file instead of sent (email.debug_mode)", cure: null },
  ])
  const server = await startSmtpServer()
  const { host, port, ca } = server
  expect(await checkMail({ host, port, ca: () => ca, tls: "implicit" }, "no-reply@localhost")).toEqual([
    {
      check: "mail",
      verdict: "warn",
      message: "mail servers reject the sender no-reply@localhost",
      cure: "set email.smtp_sender",
    },
  ])
  await server.stop()
})

test("a version that is more than a year old is a warning", () => {
  const version = { version: "0.1.0", released: "2026-11-24" }

  expect(checkVersion(Date.UTC(2027, 10, 24), version)).toMatchObject({
    verdict: "ok",
    message: "0.1.0, released on 2026-11-24",
  })
  expect(checkVersion(Date.UTC(2027, 10, 25), version)).toMatchObject({
    verdict: "warn",
    message: "0.1.0, released on 2026-11-24, is more than a year old",
  })
})
