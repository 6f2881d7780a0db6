import { explained, systemCodeOf, UnusableFile } from "../../support/system-errors.ts"

/** Another attempt cannot help: the server, or the library for it, refuses the message itself. */
export class Undeliverable extends Error {
  override readonly name = "Undeliverable"
}

/** The mail server could not be reached, or did not accept the message for now; another attempt may succeed. */
export class MailServerFailure extends Error {
  override readonly name = "MailServerFailure"

  constructor(
    /** The message of the mail server, or the problem with reaching it. */
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
interface SmtpError {
  readonly code?: unknown
  /** The command that failed, such as `RCPT TO`. */
  readonly command?: unknown
  /** Of the server's reply. */
  readonly responseCode?: unknown
}

const ofMessage = ["MAIL FROM", "RCPT TO", "DATA"]
/** Codes of the library for a message that it does not even send. */
const refused = ["EENVELOPE", "EMESSAGE"]
const noConnection = ["ECONNECTION", "ESOCKET", "ETIMEDOUT", "EDNS", "ENOTFOUND", "EAI_AGAIN"]
/** The server speaks another protocol, or none of its log-ins and certificates fits. */
const noSession = ["EPROTOCOL", "ETLS", "EAUTH", "ENOAUTH"]

/**
 * Which failures of mail are permanent and which are temporary; the first row that fits counts. A row says what the error is. An
 * error that fits none is a bug: its job has a limited number of attempts (`jobs.max_attempts`), whereas one with a temporary
 * failure is tried until its mail is of no use any more.
 */
const failures: readonly (readonly [kind: FailureKind, is: (error: Error & SmtpError) => boolean])[] = [
  ["permanent", (error) => error instanceof Undeliverable],
  ["temporary", (error) => error instanceof MailServerFailure],
  ["temporary", (error) => error instanceof UnusableFile], // the operator may put the file in place
  ["temporary", ({ responseCode }) => responseCode === 530], // asks for a log-in: the operator may correct the settings
  ["permanent", (error) => repliesWith(error, 5) && ofMessage.includes(String(error.command))],
  ["temporary", (error) => hasReply(error)], // 4xx, or 5xx to a greeting or a log-in, which concerns every message
  ["permanent", ({ code }) => refused.includes(String(code))],
  ["temporary", ({ code }) => [...noConnection, ...noSession].includes(String(code))],
  ["temporary", (error) => systemCodeOf(error) !== ""], // such as a full disk under the debug file
]

type FailureKind = "permanent" | "temporary"

/** Null: a bug. */
export const kindOf = (error: unknown): FailureKind | null =>
  error instanceof Error ? (failures.find(([, is]) => is(error))?.[0] ?? null) : null

const hasReply = ({ responseCode }: SmtpError): boolean => typeof responseCode === "number"

const repliesWith = ({ responseCode }: SmtpError, hundreds: number): boolean =>
  typeof responseCode === "number" && Math.floor(responseCode / 100) === hundreds

/** What to throw for an error of the library: Undeliverable, MailServerFailure, or for a bug the error itself. */
export function failureOf(error: unknown): unknown {
  const kind = kindOf(error)
  if (kind === null || !(error instanceof Error) || error instanceof UnusableFile) return error
  if (kind === "permanent") return new Undeliverable(error.message, { cause: error })
  const code = "code" in error ? String(error.code) : ""
  return new MailServerFailure(problemIn(error), cureFor(error, code), code, { cause: error })
}

/** Of an error of the system, in words. The library replaces its code, but keeps the original one beside it. */
function problemIn(error: Error): string {
  const code = systemCodeOf(error)
  if (code === "") return error.message
  return explained({ code: Object(error).originalCode ?? code }, error.message).problem
}

function cureFor(error: Error & SmtpError, code: string): string {
  const { message: problem } = error
  if (code === "EAUTH") return "check email.smtp_user and email.smtp_password"
  if (code === "ENOTFOUND" || code === "EAI_AGAIN")
    return "check the name in email.smtp_server, and that this machine can look up names"
  if (code === "ETLS" || problem.includes("WRONG_VERSION"))
    return "check email.smtp_port: 587 starts with STARTTLS, all others with TLS"
  if (problem.includes("altnames")) return "set email.smtp_server to a name in the server's certificate"
  if (problem.includes("certificate"))
    return "check the mail server's certificate; if a private authority issued it, set email.smtp_ca to that authority's file"
  if (hasReply(error)) return "the mail server refuses for now; its own log has the reason"
  return "check email.smtp_server, email.smtp_port and any firewall in between"
}
