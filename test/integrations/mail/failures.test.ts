import { expect, test } from "bun:test"
import { MailServerFailure, Undeliverable } from "../../../src/integrations/mail/failures.ts"
import { sendTo } from "../../../src/integrations/mail/sending.ts"
import { createSmtpMailer } from "../../../src/integrations/mail/smtp.ts"
import { PermanentFailure, TemporaryFailure } from "../../../src/jobs/attempt.ts"
import { UnusableFile } from "../../../src/support/system-errors.ts"
import { refusalOf } from "../../storage/contract/people.ts"

const message = { from: "no-reply@rewards.example", to: "ana@example.com", subject: "Hello", text: "Hello\n" }
const never = new AbortController().signal

/** An error of the library for mail, or of the system. */
const failing = (fields: object) => Object.assign(new Error("no"), fields)
const reply = (command: string, responseCode: number, code = "EENVELOPE") => failing({ command, responseCode, code })

const outcomeOf = (error: unknown) => refusalOf(sendTo({ send: () => Promise.reject(error) }, message, never))

test.each([
  ["a sender that the server refuses", reply("MAIL FROM", 550)],
  ["a recipient that the server does not know", reply("RCPT TO", 550)],
  ["a message that the server refuses", reply("DATA", 554, "EMESSAGE")],
  ["a message larger than the server announced", failing({ command: "MAIL FROM", code: "EMESSAGE" })],
  ["an address that the library refuses", failing({ command: "API", code: "EENVELOPE" })],
  ["an address that is not plain", new Undeliverable("no")],
])("%s is a permanent failure", async (_, error) => {
  expect(await outcomeOf(error)).toBeInstanceOf(PermanentFailure)
})

test.each([
  ["a greylisted recipient", reply("RCPT TO", 450)],
  ["a full mailbox", reply("DATA", 452, "EMESSAGE")],
  ["a server that asks for a log-in", reply("MAIL FROM", 530)],
  ["a server that is closed", reply("CONN", 554, "EPROTOCOL")],
  ["a refused log-in", reply("AUTH PLAIN", 535, "EAUTH")],
  ["a reply that fits no command", reply("RCPT TO", 354)],
  ["an answer that is not SMTP", failing({ command: "CONN", code: "EPROTOCOL" })],
  ["no log-in on offer", failing({ command: "API", code: "ENOAUTH" })],
  ["no STARTTLS on offer", failing({ command: "STARTTLS", code: "ETLS" })],
  ["a certificate that is not trusted", failing({ command: "CONN", code: "ESOCKET" })],
  ["a connection that ends", failing({ command: "CONN", code: "ECONNECTION" })],
  ["no answer in time", failing({ command: "CONN", code: "ETIMEDOUT" })],
  ["an unknown name", failing({ code: "ENOTFOUND", syscall: "getaddrinfo" })],
  ["no name server", failing({ code: "EAI_AGAIN", syscall: "getaddrinfo" })],
  ["a name that the library cannot look up", failing({ code: "EDNS" })],
  ["a failure that the mailer explains", new MailServerFailure("no", "wait", "ESOCKET")],
  ["a file of authorities that cannot be read", new UnusableFile("no")],
  ["a full disk under the debug file", failing({ code: "ENOSPC", syscall: "write" })],
])("%s is a temporary failure", async (_, error) => {
  expect(await outcomeOf(error)).toBeInstanceOf(TemporaryFailure)
})

test.each([
  ["a type error", new TypeError("undefined is not a function")],
  ["an option that the library does not know", failing({ code: "ECONFIG" })],
  ["an argument that the runtime refuses", failing({ code: "ERR_INVALID_ARG_TYPE" })],
  ["something that is no error", "no"],
])("%s is a bug: its attempts are limited", async (_, error) => {
  expect(await outcomeOf(error)).toBe(error)
})

test("a bug in the way to the mail server is no failure of that server", async () => {
  const bug = new TypeError("undefined is not a function")
  const mailer = createSmtpMailer({ host: "mail.example.test", port: 465, starttls: false }, () => Promise.reject(bug))

  expect(await refusalOf(mailer.send(message, never))).toBe(bug)
})

test("a file of authorities that cannot be read is named as it is", async () => {
  const unusable = new UnusableFile("email.smtp_ca: /missing cannot be read")
  const ca = () => {
    throw unusable
  }
  const mailer = createSmtpMailer({ host: "127.0.0.1", port: 465, starttls: false, ca })

  expect(await refusalOf(mailer.send(message, never))).toBe(unusable)
})
