import { withoutAddresses } from "../../domain/jobs/jobs.ts"
import type { FailureCause } from "../../domain/jobs/ports.ts"
import { explained, systemCodeOf, UnusableFile } from "../../support/system-errors.ts"

/** Why a message was not sent. */
export class MailFailure extends Error {
  override readonly name = "MailFailure"

  constructor(
    /** Only a failure of the recipient is final: all others wait for the mail server or for the operator. */
    readonly blame: FailureCause,
    /** What the mail server said, or the problem with reaching it. */
    readonly problem: string,
    /** What an operator can do about it. Names no person, so that it can be logged. */
    readonly cure: string,
    /** The library's code, such as `EAUTH`. */
    readonly code: string,
    options?: ErrorOptions,
  ) {
    super(`${problem}; ${cure}`, options)
  }
}

/** What errors of the library for mail have, and those of the system. */
interface SmtpError extends Error {
  readonly code?: unknown
  /** The command that failed, such as `RCPT TO`. */
  readonly command?: unknown
  /** What the server said, and the number at its beginning. */
  readonly response?: unknown
  readonly responseCode?: unknown
  /** Of a limit of time: which. */
  readonly timeoutType?: unknown
}

/** An answer that refuses: the step at which it came, and its codes. */
interface Answer {
  readonly step: "connect" | "EHLO" | "AUTH" | "MAIL" | "RCPT" | "DATA"
  readonly code: number
  /** `5.1.1` is class 5, subject 1, detail 1 (RFC 3463); null where the server says none. */
  readonly class: number | null
  readonly subject: number | null
  readonly detail: number | null
  /** Whether this server logs in with an access token. */
  readonly hasToken: boolean
  readonly text: string
}

type Verdict = readonly [blame: FailureCause, cure: string]

const forNow = "the mail server refuses for now; its own log has the reason"
const login = "check email.smtp_user and email.smtp_password"
const tokenLogin =
  "let the application of email.oauth_client_id send as email.smtp_user, and check email.smtp_user and email.oauth_scope"
const sender = "set email.smtp_sender to an address from which the account at the mail server may send"
const relay =
  "let the mail server relay for this machine, or set email.smtp_user and email.smtp_password; and check email.smtp_sender"
const limit = "raise the limit of the account at the mail server, or wait until it ends"
const unknown = "correct the e-mail address of the account"
const encryption = "the mail server wants encryption: set email.smtp_tls to starttls or implicit"
const route = `see to it that the mail server knows a way to this domain, or ${unknown}`

/** What an answer that refuses says; the first row that fits counts. */
const answers: readonly (readonly [verdict: Verdict, is: (answer: Answer) => boolean])[] = [
  [["unreachable", forNow], ({ code, class: enhanced }) => code < 500 || enhanced === 4],
  [["operator", sender], (answer) => answer.step === "RCPT" && isAboutSender(answer)],
  [["recipient", unknown], (answer) => answer.step === "RCPT" && isAboutRecipient(answer)],
  // Such as a full one: it concerns this person alone, and passes.
  [["unreachable", "the mailbox takes no mail for now; its owner has to see to it"], isAboutMailbox],
  [
    ["operator", encryption],
    ({ code, text }) => code === 538 || (code === 530 && /STARTTLS|\bTLS\b|encrypt/i.test(text)),
  ],
  [
    ["operator", "allow authenticated SMTP for the mailbox of email.smtp_user"],
    ({ step, text }) => step === "AUTH" && /SmtpClientAuthentication is disabled/i.test(text),
  ],
  [["operator", tokenLogin], ({ step, hasToken }) => step === "AUTH" && hasToken],
  [
    ["operator", "this mail server takes no password from programs: set email.oauth_token_url instead"],
    ({ step, text }) => step === "AUTH" && /basic authentication/i.test(text),
  ],
  [["operator", login], ({ step, code }) => step === "AUTH" || code === 530],
  [
    ["operator", "have the mail server accept connections from this machine; check email.smtp_server"],
    ({ step }) => step === "connect",
  ],
  [["operator", "set server.base_url: the mail server is greeted with its host name"], ({ step }) => step === "EHLO"],
  [["operator", limit], isAboutLimit],
  [["operator", route], ({ step, subject }) => step === "RCPT" && subject === 4],
  // Without an enhanced code the words may be about either, and no mail is given up for a guess.
  [
    ["operator", `${relay}. If only this address is refused, ${unknown}`],
    ({ step, class: enhanced }) => step === "RCPT" && enhanced === null,
  ],
  [["operator", relay], ({ step }) => step === "RCPT"],
  [["operator", sender], ({ step }) => step === "MAIL"],
  [["operator", "check email.smtp_sender, and the account at the mail server: is it confirmed, and may it send?"], any],
]

function any(): boolean {
  return true
}

/** Servers that check the sender late say so where they are asked about the recipient. */
function isAboutSender({ subject, detail, text }: Answer): boolean {
  const words = withoutAddresses(text)
  const namesSender = /\bsender\b/i.test(words) && !/\brecipient\b/i.test(words)
  return subject === 1 && (detail === 7 || detail === 8 || namesSender)
}

function isAboutRecipient({ subject, detail }: Answer): boolean {
  return subject === 1 || (subject === 2 && detail === 1)
}

/** Also after the message, which has one recipient. At MAIL it would be the sender's. Without an enhanced code 552 says it (RFC 5321). */
function isAboutMailbox({ step, code, subject }: Answer): boolean {
  const isFull = step === "RCPT" && code === 552 && subject === null
  return isFull || (subject === 2 && (step === "RCPT" || step === "DATA"))
}

function isAboutLimit({ code, subject, detail, text }: Answer): boolean {
  return code === 552 || (subject === 4 && detail === 5) || (subject === 5 && detail === 3) || tooMuch.test(text)
}

const tooMuch = /\b(limit|quota|too many|exceed(s|ed)?)\b/i

/** What the library says without an answer of the server; the first row that fits counts. */
const problems: readonly (readonly [verdict: Verdict, is: (error: SmtpError) => boolean])[] = [
  [
    [
      "unreachable",
      "what answers does not speak SMTP: check email.smtp_server, email.smtp_port and anything in between",
    ],
    ({ response, responseCode }) => typeof response === "string" && response !== "" && !isReply(responseCode),
  ],
  [["operator", login], ({ code }) => isOneOf(code, "EAUTH", "ENOAUTH")],
  [
    ["unreachable", "check the name in email.smtp_server, and that this machine can look up names"],
    ({ code }) => isOneOf(code, "ENOTFOUND", "EAI_AGAIN", "EDNS"),
  ],
  [
    ["operator", "set email.smtp_server to a name in the server's certificate"],
    ({ message }) => message.includes("altnames"),
  ],
  [
    ["operator", "have the mail server's certificate renewed, and check the clock of this machine"],
    ({ message }) => /certificate (has expired|is not yet valid)/.test(message),
  ],
  [
    [
      "operator",
      "check the mail server's certificate; if a private authority or the server itself issued it, set email.smtp_ca to a file with that certificate",
    ],
    ({ message }) => message.includes("certificate"),
  ],
  [
    [
      "operator",
      "the mail server does not begin with TLS: set email.smtp_tls to starttls, or to off if it offers none; or check email.smtp_port",
    ],
    ({ message }) => message.includes("WRONG_VERSION"),
  ],
  [
    ["unreachable", "the mail server offers STARTTLS and cannot do it for now; its own log has the reason"],
    ({ command, responseCode }) => command === "STARTTLS" && Number(responseCode) >= 400 && Number(responseCode) < 500,
  ],
  [
    [
      "operator",
      "the mail server offers no STARTTLS: set email.smtp_tls to implicit, or to off if it is in your own network; or check email.smtp_port",
    ],
    ({ code }) => code === "ETLS",
  ],
  [
    [
      "unreachable",
      "check email.smtp_server, email.smtp_port and any firewall in between; a server that begins with TLS needs email.smtp_tls = implicit",
    ],
    ({ message }) => message.includes("Greeting never received"),
  ],
  [
    [
      "unreachable",
      "its own log has the reason; if the mail server takes longer for each mail, raise jobs.lease_seconds, so that none is sent twice",
    ],
    ({ timeoutType }) => timeoutType === "SOCKET_TIMEOUT",
  ],
  [
    ["operator", "the message is larger than the mail server takes: raise its limit"],
    ({ code }) => code === "EMESSAGE",
  ],
  [["operator", sender], ({ code }) => code === "EENVELOPE"],
  [
    ["unreachable", "check email.smtp_server, email.smtp_port and any firewall in between"],
    ({ code }) => isOneOf(code, "ECONNECTION", "ESOCKET", "ETIMEDOUT", "EPROTOCOL"),
  ],
  // Such as a full disk under the debug file.
  [["operator", "see to it that email.debug_file can be written"], (error) => systemCodeOf(error) !== ""],
]

const isOneOf = (code: unknown, ...codes: readonly string[]): boolean => codes.includes(String(code))

/**
 * What to throw for an error of the library for mail: a MailFailure, or for a bug the error itself. A bug uses up the attempts of
 * its job (`jobs.max_attempts`), whereas a failure is tried again until its mail is of no use any more.
 */
export function failureOf(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof MailFailure) return error
  const code = "code" in error ? String(error.code) : error.name
  // The operator may put the file in place. The message names the setting.
  if (error instanceof UnusableFile)
    return new MailFailure("operator", error.message, "see email.smtp_ca", code, { cause: error })
  const answer = answerIn(error)
  const [verdict] =
    (answer === null ? problems.find(([, is]) => is(error)) : answers.find(([, is]) => is(answer))) ?? []
  return verdict === undefined
    ? error
    : new MailFailure(verdict[0], problemIn(error), verdict[1], code, { cause: error })
}

function answerIn({ command, response, responseCode: code }: SmtpError): Answer | null {
  if (!isReply(code) || command === "STARTTLS") return null // `problems` has what a refused STARTTLS means
  const text = String(response ?? "")
  const [, enhanced = null, subject = null, detail = null] = enhancedCode.exec(text) ?? []
  return {
    step: stepOf(String(command)),
    code,
    class: numberOrNull(enhanced),
    subject: numberOrNull(subject),
    detail: numberOrNull(detail),
    hasToken: command === "AUTH XOAUTH2",
    text,
  }
}

const isReply = (code: unknown): code is number => typeof code === "number" && code >= 200 && code <= 599

/** At the beginning of a line, which need not be the first; some servers write it in brackets, or behind a number sign anywhere. */
const enhancedCode = /(?:^\d{3}[ -]\s*[([]?|#)([45])\.(\d{1,3})\.(\d{1,3})(?![\d.])/m

const numberOrNull = (digits: string | null): number | null => (digits === null ? null : Number(digits))

function stepOf(command: string): Answer["step"] {
  const [first = ""] = command.split(" ")
  if (first === "AUTH" || first === "MAIL" || first === "RCPT" || first === "DATA") return first
  return first === "EHLO" || first === "HELO" ? "EHLO" : "connect"
}

/**
 * Of an error of the system, in words. The library replaces its code, but keeps the original one beside it. An answer of many lines
 * is one, without the code that each line begins with.
 */
function problemIn(error: Error): string {
  const code = systemCodeOf(error)
  if (code === "") return error.message.replace(/\s*[\r\n]+(?:\d{3}[ -])?/g, " ")
  return explained({ code: Object(error).originalCode ?? code }, error.message).problem
}
