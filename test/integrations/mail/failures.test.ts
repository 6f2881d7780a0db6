import { expect, test } from "bun:test"
import type { FailureCause } from "../../../src/domain/jobs/ports.ts"
import { defaultProgramme } from "../../../src/domain/programme/model.ts"
import { MailFailure } from "../../../src/integrations/mail/failures.ts"
import { type MailOptions, send } from "../../../src/integrations/mail/sending.ts"
import { createSmtpMailer } from "../../../src/integrations/mail/smtp.ts"
import { PermanentFailure, TemporaryFailure } from "../../../src/jobs/attempt.ts"
import { UnusableFile } from "../../../src/support/system-errors.ts"
import { refusalOf } from "../../storage/contract/people.ts"

const options: MailOptions = {
  mailer: { send: () => Promise.resolve() },
  sender: "no-reply@rewards.example",
  service: { name: "Rewards", language: "en", time_zone: "UTC" },
  programme: { current: async () => defaultProgramme },
  address: { url: "https://rewards.example" },
  logo: null,
  faceOf: async ({ name }) => ({ name, picture: null }),
}
const message = { from: options.sender, to: "ana@example.com", subject: "Hello", text: "Hello\n" }
const letter = { to: "ana@example.com", subject: "Hello", text: "Hello\n" }
const run = { signal: new AbortController().signal, attempt: 1, key: "mail 1" }

/** An error of the library for mail, or of the system. */
const failing = (fields: object) => Object.assign(new Error("no"), fields)
const reply = (command: string, response: string) =>
  failing({ command, response, responseCode: Number(response.slice(0, 3)), code: "EENVELOPE" })

const outcomeOf = (error: unknown) =>
  refusalOf(send({ ...options, mailer: { send: () => Promise.reject(error) } }, letter, run))

/** What mail servers answer, by step. The recipient is at fault only where the server says so of the recipient. */
const answers: readonly (readonly [step: string, response: string, cause: FailureCause, cure?: RegExp])[] = [
  ["RCPT TO", "550 5.1.1 <ana@example.com>: Recipient address rejected: User unknown", "recipient", /address/],
  ["RCPT TO", "550-5.1.1 The email account that you tried to reach\n550 5.1.1 does not exist.", "recipient"],
  ["RCPT TO", "550 5.1.10 RESOLVER.ADR.RecipientNotFound", "recipient"],
  ["RCPT TO", "550 5.1.2 The domain is not valid", "recipient"],
  ["RCPT TO", "556 5.1.10 Null MX", "recipient"],
  ["RCPT TO", "550-Sorry,\n550 5.1.1 nobody has this mailbox", "recipient"],
  ["RCPT TO", "550 #5.1.1 User unknown", "recipient"],
  ["RCPT TO", "550  (5.1.1) User unknown", "recipient"],
  ["RCPT TO", "550 5.1.1.3 is on a list", "operator"],
  ["RCPT TO", "550 sorry, no mailbox here by that name (#5.1.1)", "recipient"],
  ["RCPT TO", "550 5.1.1 <ana@sender.example>: Recipient address rejected: User unknown", "recipient"],
  ["RCPT TO", "550 5.1.1 Recipient unknown; the sender should verify the address", "recipient"],
  ["RCPT TO", "550 4.1.1 unknown for now", "unreachable", /its own log/],
  ["RCPT TO", "550 5.2.1 The account is disabled", "recipient"],
  ["RCPT TO", "552 5.2.2 The mailbox is full", "unreachable", /mailbox/],
  ["RCPT TO", "552 mailbox full", "unreachable", /mailbox/],
  ["DATA", "552 5.2.2 mailbox full", "unreachable", /mailbox/],
  ["MAIL FROM", "552 5.2.2 over quota", "operator", /limit/],
  ["RCPT TO", "550 5.1.8 Sender address rejected: Domain not found", "operator", /smtp_sender/],
  ["RCPT TO", "550 5.1.7 Bad sender's mailbox address syntax", "operator", /smtp_sender/],
  ["RCPT TO", "550 5.1.0 <kudos@example.com>: Sender address rejected: User unknown", "operator", /smtp_sender/],
  ["RCPT TO", "554 5.7.1 <ana@example.com>: Relay access denied", "operator", /relay/],
  ["RCPT TO", "553 5.7.1 Sender is not allowed to relay emails", "operator"],
  ["RCPT TO", "553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)", "operator", /relay/],
  ["RCPT TO", "550 5.4.1 Recipient address rejected: Access denied", "operator", /way to this domain/],
  ["RCPT TO", "550 5.4.4 Unable to route", "operator", /way to this domain/],
  ["RCPT TO", "530 5.7.0 Must issue a STARTTLS command first", "operator", /smtp_tls/],
  ["RCPT TO", "550 5.5.3 Too many recipients", "operator"],
  ["RCPT TO", "550 5.7.1 relaying denied", "operator", /smtp_sender$/],
  ["RCPT TO", "550 relaying denied", "operator", /relay/],
  ["RCPT TO", "550 no such mailbox", "operator", /correct the e-mail address/],
  ["RCPT TO", "450 4.2.0 greylisted", "unreachable"],
  ["RCPT TO", "450 4.1.1 unknown for now", "unreachable"],
  ["RCPT TO", "354 go on", "unreachable"],
  ["MAIL FROM", "550 5.7.60 SMTP; Client does not have permissions to send as this sender", "operator", /smtp_sender/],
  ["MAIL FROM", "550 5.1.1 unknown", "operator", /smtp_sender/],
  ["MAIL FROM", "553 5.1.8 Sender address rejected", "operator", /smtp_sender/],
  ["MAIL FROM", "530 5.7.0 Authentication required", "operator", /smtp_user/],
  ["MAIL FROM", "552 5.3.4 Message size exceeds fixed limit", "operator", /limit/],
  ["MAIL FROM", "451 4.3.0 try again", "unreachable"],
  ["DATA", "503 5.5.1 No valid recipients", "operator", /smtp_sender/],
  ["DATA", "550 5.4.5 Daily user sending limit exceeded", "operator", /limit/],
  ["DATA", "554 Message rejected: Email address is not verified", "operator", /confirmed/],
  ["DATA", "550 5.1.1 never", "operator"],
  ["DATA", "554 5.7.1 Spam", "operator"],
  ["DATA", "452 4.2.2 full", "unreachable"],
  ["AUTH PLAIN", "535 5.7.8 Error: authentication failed", "operator", /smtp_password/],
  ["AUTH LOGIN", "535 5.7.139 Authentication unsuccessful, basic authentication is disabled.", "operator", /oauth/],
  [
    "AUTH LOGIN",
    "535 5.7.139 Authentication unsuccessful, the user credentials were incorrect.",
    "operator",
    /password/,
  ],
  ["AUTH XOAUTH2", "535 5.7.139 SmtpClientAuthentication is disabled for the Mailbox.", "operator", /allow auth/],
  ["AUTH PLAIN", "530 5.7.0 Must issue a STARTTLS command first", "operator", /smtp_tls/],
  ["AUTH PLAIN", "538 5.7.11 Encryption required", "operator", /smtp_tls/],
  ["STARTTLS", "454 4.7.0 TLS not available due to a local problem", "unreachable", /STARTTLS.*for now/],
  ["AUTH XOAUTH2", "550 5.1.1 no", "operator"],
  ["AUTH PLAIN", "454 4.7.0 Temporary authentication failure", "unreachable"],
  ["EHLO", "550 5.7.1 you are not welcome", "operator", /base_url/],
  ["HELO", "501 5.5.2 Helo command rejected: Invalid name", "operator", /base_url/],
  ["CONN", "554 5.7.1 Service unavailable; Client host blocked", "operator", /this machine/],
  ["CONN", "421 4.3.2 going down", "unreachable"],
]

test.each([...answers])("the answer to %s %j blames the %s", async (step, response, cause, cure = /./) => {
  const outcome = await outcomeOf(reply(step, response))

  expect(outcome).toBeInstanceOf(cause === "recipient" ? PermanentFailure : TemporaryFailure)
  expect(outcome).toMatchObject({ blame: cause, cure: expect.stringMatching(cure) })
})

const withoutAnswer: readonly (readonly [what: string, error: unknown, cause: FailureCause])[] = [
  ["a message larger than the server announced", failing({ command: "MAIL FROM", code: "EMESSAGE" }), "operator"],
  ["an address that the library refuses", failing({ command: "API", code: "EENVELOPE" }), "operator"],
  ["an answer that is not SMTP", failing({ command: "CONN", code: "EPROTOCOL" }), "unreachable"],
  ["no log-in on offer", failing({ command: "API", code: "ENOAUTH" }), "operator"],
  ["a certificate that has expired", new Error("certificate has expired"), "operator"],
  ["no STARTTLS on offer", failing({ command: "STARTTLS", code: "ETLS" }), "operator"],
  ["a connection that is not made", failing({ command: "CONN", code: "ESOCKET" }), "unreachable"],
  ["a connection that ends", failing({ command: "CONN", code: "ECONNECTION" }), "unreachable"],
  [
    "no answer to a step in time",
    failing({ command: "CONN", code: "ETIMEDOUT", timeoutType: "SOCKET_TIMEOUT" }),
    "unreachable",
  ],
  [
    "a code that is none",
    failing({ command: "RCPT TO", code: "EENVELOPE", response: "999 x", responseCode: 999 }),
    "unreachable",
  ],
  ["words without a code", failing({ command: "DATA", code: "EMESSAGE", response: "hello" }), "unreachable"],
  ["no answer in time", failing({ command: "CONN", code: "ETIMEDOUT" }), "unreachable"],
  ["an unknown name", failing({ code: "ENOTFOUND", syscall: "getaddrinfo" }), "unreachable"],
  ["no name server", failing({ code: "EAI_AGAIN", syscall: "getaddrinfo" }), "unreachable"],
  ["a name that the library cannot look up", failing({ code: "EDNS" }), "unreachable"],
  ["a failure that the mailer explains", new MailFailure("unreachable", "no", "wait", "ESOCKET"), "unreachable"],
  ["a file of authorities that cannot be read", new UnusableFile("no"), "operator"],
  ["a full disk under the debug file", failing({ code: "ENOSPC", syscall: "write" }), "operator"],
]

test.each([...withoutAnswer])("%s waits", async (_, error, cause) => {
  const outcome = await outcomeOf(error)

  expect(outcome).toBeInstanceOf(TemporaryFailure)
  expect(outcome).toMatchObject({ blame: cause, cure: expect.stringMatching(/./) })
})

test.each([
  ["a type error", new TypeError("undefined is not a function")],
  ["an option that the library does not know", failing({ code: "ECONFIG" })],
  ["an argument that the runtime refuses", failing({ code: "ERR_INVALID_ARG_TYPE" })],
  ["something that is no error", "no"],
])("%s is a bug: its attempts are limited", async (_, error) => {
  expect(await outcomeOf(error)).toBe(error)
})

test("an answer of many lines is told in one", async () => {
  const error = Object.assign(reply("RCPT TO", "550-5.7.1 Not from you\r\n550 5.7.1 see the manual"), {
    message: "Refused: 550-5.7.1 Not from you\n550 5.7.1 see the manual",
  })
  expect(await outcomeOf(error)).toMatchObject({ message: "Refused: 550-5.7.1 Not from you 5.7.1 see the manual" })
})

test("a bug in the way to the mail server is no failure of that server", async () => {
  const bug = new TypeError("undefined is not a function")
  const mailer = createSmtpMailer({ host: "mail.example.test", port: 465, tls: "implicit" }, () => Promise.reject(bug))

  expect(await refusalOf(mailer.send(message, run.signal))).toBe(bug)
})

test("a file of authorities that cannot be read is named", async () => {
  const unusable = new UnusableFile("email.smtp_ca: /missing cannot be read")
  const ca = () => {
    throw unusable
  }
  const mailer = createSmtpMailer({ host: "127.0.0.1", port: 465, tls: "implicit", ca })

  expect(await refusalOf(mailer.send(message, run.signal))).toMatchObject({
    blame: "operator",
    problem: unusable.message,
    cure: "see email.smtp_ca",
  })
})
