import type { SMTPTransportOptions, Transporter } from "nodemailer"
import type { SecretlessConfig } from "../../config/settings.ts"
import { isIpAddress } from "../../net/addresses.ts"
import { readAuthorities } from "../../net/authorities.ts"
import { addressesOf, atFirstReachable } from "../../net/connecting.ts"
import type { Resolve } from "../../net/resolver.ts"
import { failureOf } from "./failures.ts"
import { checked, headersOf, type Mailer } from "./mailer.ts"

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
 * Sends through an SMTP server over TLS and verifies its certificate and host name. `failures.ts` says what its `send` throws.
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
        throw failureOf(error)
      }
    },
  }
}

/** Connects, verifies the certificate and logs in, but sends nothing. @throws MailFailure */
export async function verifySmtp(settings: SmtpSettings): Promise<void> {
  try {
    await withTransport(settings, (transport) => transport.verify())
  } catch (error) {
    throw failureOf(error)
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
