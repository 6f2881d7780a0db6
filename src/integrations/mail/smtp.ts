import type { SMTPTransportOptions, Transporter } from "nodemailer"
import type { SecretlessConfig } from "../../config/settings.ts"
import { isIpAddress } from "../../net/addresses.ts"
import { readAuthorities } from "../../net/authorities.ts"
import { addressesOf, atFirstReachable } from "../../net/connecting.ts"
import type { Resolve } from "../../net/resolver.ts"
import { explained, systemCodeOf } from "../../support/system-errors.ts"
import { checked, headersOf, type Mailer, Undeliverable } from "./mailer.ts"

export interface SmtpSettings {
  readonly host: string
  readonly port: number
  /** True: the connection starts unencrypted and must be upgraded to TLS first. False: TLS from the start. */
  readonly starttls: boolean
  /** Absent: no authentication. Present: authentication is required. */
  readonly user?: string
  readonly password?: string
  /** Reads the certificate authorities (PEM) to trust instead of the system's. */
  readonly ca?: () => string
  /** Time limit for connecting, for the greeting, and for each pause after it. Well below the lease of a job. */
  readonly timeoutMs?: number
}

/** Port 587 is for submission, which starts unencrypted; all other ports use TLS from the start. */
export const usesStarttls = (port: number): boolean => port === 587

/** Null if mail is written to the debug file instead. */
export function smtpSettingsOf(email: SecretlessConfig["email"]): SmtpSettings | null {
  const { debug_mode, smtp_server: host, smtp_port: port, smtp_user: user, smtp_password: password, smtp_ca } = email
  if (debug_mode || host === null) return null
  return {
    host,
    port,
    starttls: usesStarttls(port),
    ...(user !== null && { user }),
    ...(password !== null && { password }),
    ...(smtp_ca !== null && { ca: () => readAuthorities("email.smtp_ca", smtp_ca) }),
  }
}

/**
 * Sends through an SMTP server over TLS and verifies its certificate and host name. Its `send` throws Undeliverable
 * when the server refuses sender, recipient or message with 5xx; after a MailServerFailure, another attempt may
 * succeed.
 */
export function createSmtpMailer(settings: SmtpSettings, resolve?: Resolve): Mailer {
  return {
    async send(message, signal) {
      const { from, to, subject, text, html } = checked(message)
      const letter = {
        // The envelope is explicit and headers are objects, so that the library never parses addresses from text.
        envelope: { from, to: [to] },
        from: { name: "", address: from },
        to: { name: "", address: to },
        subject,
        text,
        ...(html !== undefined && { html }),
        headers: headersOf(message),
        signal,
      }
      try {
        await withTransport(settings, (transport) => transport.sendMail(letter), resolve)
      } catch (error) {
        signal.throwIfAborted()
        throw isRefusal(error) ? new Undeliverable(error.message, { cause: error }) : mailServerFailure(error)
      }
    },
  }
}

/** Connects, verifies the certificate and logs in, but sends nothing. @throws MailServerFailure, UnusableFile */
export async function verifySmtp(settings: SmtpSettings): Promise<void> {
  try {
    await withTransport(settings, (transport) => transport.verify())
  } catch (error) {
    throw mailServerFailure(error)
  }
}

/**
 * Imports the library on first use: it takes a quarter of a server's start, and most processes never send mail. It gets an
 * address, because it looks names up on the thread pool.
 */
async function withTransport<T>(
  settings: SmtpSettings,
  act: (transport: Transporter) => Promise<T>,
  resolve?: Resolve,
): Promise<T> {
  const { createTransport } = await import("nodemailer")
  const addresses = await addressesOf(settings.host, resolve)
  return atFirstReachable(addresses, (address, withinMs) =>
    act(createTransport(transportOptions(settings, address, withinMs))),
  )
}

function transportOptions(settings: SmtpSettings, address: string, connectMs?: number): SMTPTransportOptions {
  const { host, port, starttls, user, password = "", ca, timeoutMs = 15_000 } = settings
  const name = host.replace(/\.$/, "")
  return {
    host: address,
    port,
    secure: !starttls,
    requireTLS: starttls,
    // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED in the environment cannot turn it off.
    tls: {
      rejectUnauthorized: true,
      minVersion: "TLSv1.2",
      ...(ca && { ca: ca() }),
      ...(!isIpAddress(name) && { servername: name }),
    },
    ...(user === undefined ? {} : { auth: { user, pass: password }, forceAuth: true }),
    connectionTimeout: connectMs ?? timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

interface SmtpError extends Error {
  readonly command?: unknown
  readonly responseCode?: unknown
  readonly permanent?: unknown
}

/**
 * Whether the server refuses the message for good. 530, which asks for a log-in, does not count, because the operator
 * may correct the settings while the job waits.
 */
const isRefusal = (error: unknown): error is SmtpError =>
  error instanceof Error &&
  "permanent" in error &&
  error.permanent === true &&
  "responseCode" in error &&
  error.responseCode !== 530 &&
  "command" in error &&
  ["MAIL FROM", "RCPT TO", "DATA"].includes(String(error.command))

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

function mailServerFailure(error: unknown): MailServerFailure {
  const message = error instanceof Error ? error.message : String(error)
  const code = error instanceof Error && "code" in error ? String(error.code) : ""
  return new MailServerFailure(problemIn(error, message), cureFor(error, code, message), code, { cause: error })
}

/** Of an error of the system, in words. The library replaces its code, but keeps the original one beside it. */
function problemIn(error: unknown, message: string): string {
  const code = systemCodeOf(error)
  if (code === "") return message
  return explained({ code: Object(error).originalCode ?? code }, message).problem
}

function cureFor(error: unknown, code: string, problem: string): string {
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

const hasReply = (error: unknown): boolean =>
  error instanceof Error && "responseCode" in error && typeof error.responseCode === "number"
