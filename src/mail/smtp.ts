import { readFileSync } from "node:fs"
import type { SMTPTransportOptions } from "nodemailer"
import type { SecretlessConfig } from "../config/settings.ts"
import { problemOf, UnusableFile } from "../system-errors.ts"
import { mailServerFailure } from "./failure.ts"
import { checked, type Mailer, Undeliverable } from "./mailer.ts"

export interface SmtpSettings {
  readonly host: string
  readonly port: number
  /** True: the connection begins in the clear and must be upgraded before anything is said. False: TLS from the start. */
  readonly starttls: boolean
  /** Absent: no authentication. Present: never without. */
  readonly user?: string
  readonly password?: string
  /** Reads the certificate authorities (PEM) that are trusted instead of the system's. */
  readonly ca?: () => string
  /** For each of: until the greeting, and each silence after it. Far inside a job's lease. */
  readonly timeoutMs?: number
}

/** Port 587 is for submission, which begins in the clear; every other one is TLS from the start. */
export const usesStarttls = (port: number): boolean => port === 587

/** Null while mail is not sent. */
export function smtpSettingsOf(email: SecretlessConfig["email"]): SmtpSettings | null {
  const { debug_mode, smtp_server: host, smtp_port: port, smtp_user: user, smtp_password: password, smtp_ca } = email
  if (debug_mode || host === null) return null
  return {
    host,
    port,
    starttls: usesStarttls(port),
    ...(user !== null && { user }),
    ...(password !== null && { password }),
    ...(smtp_ca !== null && { ca: () => readAuthorities(smtp_ca) }),
  }
}

/**
 * The certificates in the file that `email.smtp_ca` names.
 * @throws UnusableFile when it cannot be read, or holds no certificates or something else besides
 */
function readAuthorities(path: string): string {
  const pem = readPem(path)
  const blocks = pem.match(/-----BEGIN [^-]+-----.*?-----END [^-]+-----/gs) ?? []
  if (blocks.length === 0 || !blocks.every(isCertificate))
    throw new UnusableFile(`email.smtp_ca: ${path} must hold certificates in PEM form and nothing else`)
  return pem
}

function readPem(path: string): string {
  try {
    return readFileSync(path, "utf8")
  } catch (error) {
    throw new UnusableFile(`email.smtp_ca: ${path} cannot be read: ${problemOf(error)}`, { cause: error })
  }
}

function isCertificate(pem: string): boolean {
  // Importing it at the top would slow down every command.
  const { X509Certificate } = process.getBuiltinModule("node:crypto")
  try {
    return new X509Certificate(pem).raw.length > 0
  } catch {
    return false
  }
}

/**
 * Sends through an SMTP server over TLS (contract, "POST /user/pwd_reset_token/"); certificate and host name are verified.
 * A refusal of sender, recipient or message with 5xx is Undeliverable; everything else is worth another attempt.
 */
export function createSmtpMailer(settings: SmtpSettings): Mailer {
  return {
    async send(message, signal) {
      const { from, to, subject, text } = checked(message)
      const transport = await createTransport(settings)
      try {
        await transport.sendMail({
          // The envelope is said outright and the headers are objects: nothing is parsed out of text.
          envelope: { from, to: [to] },
          from: { name: "", address: from },
          to: { name: "", address: to },
          subject,
          text,
          signal,
        })
      } catch (error) {
        signal.throwIfAborted()
        throw isRefusal(error) ? new Undeliverable(error.message, { cause: error }) : mailServerFailure(error)
      }
    },
  }
}

/** Connects, checks the certificate and logs in, and sends nothing. @throws MailServerFailure, UnusableFile */
export async function proveSmtp(settings: SmtpSettings): Promise<void> {
  const transport = await createTransport(settings)
  try {
    await transport.verify()
  } catch (error) {
    throw mailServerFailure(error)
  }
}

/** Loading the library takes a quarter of a server's start, and most processes never send. */
async function createTransport(settings: SmtpSettings) {
  const { createTransport } = await import("nodemailer")
  return createTransport(transportOptions(settings))
}

function transportOptions(settings: SmtpSettings): SMTPTransportOptions {
  const { host, port, starttls, user, password = "", ca, timeoutMs = 15_000 } = settings
  return {
    host,
    port,
    secure: !starttls,
    requireTLS: starttls,
    // Said outright: NODE_TLS_REJECT_UNAUTHORIZED in the environment must not turn it off.
    tls: { rejectUnauthorized: true, minVersion: "TLSv1.2", ...(ca && { ca: ca() }) },
    ...(user === undefined ? {} : { auth: { user, pass: password }, forceAuth: true }),
    connectionTimeout: timeoutMs,
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

/** 530 asks for a login: that is a matter of the settings, which may be put right while the job waits. */
const isRefusal = (error: unknown): error is SmtpError =>
  error instanceof Error &&
  "permanent" in error &&
  error.permanent === true &&
  "responseCode" in error &&
  error.responseCode !== 530 &&
  "command" in error &&
  ["MAIL FROM", "RCPT TO", "DATA"].includes(String(error.command))
