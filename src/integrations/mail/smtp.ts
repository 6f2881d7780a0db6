import type { SendMailOptions, SMTPTransportOptions, Transporter } from "nodemailer"
import type { SecretlessConfig, smtpTls } from "../../config/settings.ts"
import { isIpAddress, isPrivate } from "../../net/addresses.ts"
import { readAuthorities } from "../../net/authorities.ts"
import { addressesOf, atFirstReachable } from "../../net/connecting.ts"
import type { Resolve } from "../../net/resolver.ts"
import { type AccessTokens, createAccessTokens, type OAuthSettings } from "./access-tokens.ts"
import { failureOf, MailFailure } from "./failures.ts"
import { checked, headersOf, type Mailer, type Message } from "./mailer.ts"

export type SmtpTls = (typeof smtpTls)[number]

export interface SmtpSettings {
  readonly host: string
  readonly port: number
  readonly tls: SmtpTls
  /** Whether a public address gets mail without encryption; absent: it does not. */
  readonly allowPlain?: boolean
  /** How this server calls itself; absent: by the name of the machine. */
  readonly name?: string
  /** Absent: no authentication. Present: authentication is required. */
  readonly user?: string
  readonly password?: string
  /** Access tokens in place of a password. */
  readonly oauth?: OAuthSettings
  /** Reads the certificate authorities (PEM) to trust instead of the system's. */
  readonly ca?: () => string
  /** Time limit for connecting and for the greeting. Well below the lease of a job. */
  readonly timeoutMs?: number
  /**
   * Time limit for each answer after the greeting; absent: `timeoutMs`. Exchange and filters take half a minute for a message that
   * they already have. A client that disconnects earlier gets it delivered, and sends it again.
   */
  readonly answerMs?: number
}

/** Port 587 is for submission, which starts unencrypted, as relays do at 25 and 2525; all other ports use TLS from the start. */
export function usualTls(port: number): SmtpTls {
  if (port === 587) return "starttls"
  return port === 25 || port === 2525 ? "starttls-if-offered" : "implicit"
}

/** Of the lease of a job: a little less than the worker gives an attempt. */
const leaseShare = 0.6
/** RFC 5321, 4.5.3.2.6. */
const mostAnswerMs = 600_000

/** Null if mail is written to the debug file instead. */
export function smtpSettingsOf(
  config: Pick<SecretlessConfig, "email" | "jobs" | "server" | "webhooks">,
  resolve?: Resolve,
): SmtpSettings | null {
  const { email, jobs, server } = config
  const oauth = oauthSettingsOf(config, resolve)
  const { debug_mode, smtp_server: host, smtp_port: port, smtp_user: user, smtp_password: password, smtp_ca } = email
  if (debug_mode || host === null) return null
  const name = server.base_url === null ? null : nameOf(server.base_url)
  return {
    host,
    port,
    tls: email.smtp_tls ?? usualTls(port),
    allowPlain: email.smtp_allow_plain,
    answerMs: Math.min(jobs.lease_seconds * leaseShare * 1000, mostAnswerMs),
    ...(name !== null && { name }),
    ...(user !== null && { user }),
    ...(password !== null && { password }),
    ...(oauth !== null && { oauth }),
    ...(smtp_ca !== null && { ca: () => readAuthorities("email.smtp_ca", smtp_ca) }),
  }
}

/** Requests for tokens follow the rules of those to webhooks. Null without tokens. */
function oauthSettingsOf(
  { email, webhooks }: Pick<SecretlessConfig, "email" | "webhooks">,
  resolve: Resolve | undefined,
): OAuthSettings | null {
  const { oauth_token_url: tokenUrl, oauth_client_id: clientId, oauth_client_secret: clientSecret } = email
  if (tokenUrl === null || clientId === null) return null
  const { allow_private: allowPrivate, ports, ca } = webhooks
  const trust = ca !== null && { ca: () => readAuthorities("webhooks.ca", ca) }
  const outbound = { allowPrivate, ports, ...trust, ...(resolve && { resolve }) }
  const { oauth_refresh_token: refreshToken, oauth_scope: scope } = email
  return { tokenUrl, clientId, clientSecret, refreshToken, scope, outbound }
}

/** The host of an address as a server greets with it: an IP address stands in brackets. */
export function nameOf(url: string): string {
  const { hostname } = new URL(url)
  return isIpAddress(hostname) ? `[${hostname}]` : hostname.replace(/^\[(?=.*:)/, "[IPv6:")
}

/**
 * Sends through an SMTP server and verifies its certificate and host name, as far as it speaks TLS. `failures.ts` says what its
 * `send` throws.
 */
export function createSmtpMailer(settings: SmtpSettings, resolve?: Resolve): Mailer {
  const tokens = tokensOf(settings)
  return {
    async send(message, signal) {
      const letter = { ...letterOf(checked(message)), signal }
      try {
        await withTransport(
          settings,
          tokens,
          (transport) => transport.use("stream", quoteName).sendMail(letter),
          resolve,
        )
      } catch (error) {
        signal.throwIfAborted()
        if (Object(error).code === "EAUTH") tokens?.forget()
        throw failureOf(error)
      }
    },
  }
}

/** The library leaves a plain name bare, where other programs quote it. */
const quoteName: Parameters<Transporter["use"]>[1] = ({ message }, done) => {
  const build = message.buildHeaders.bind(message)
  message.buildHeaders = () => build().replace(/^From: ([\w ]+) </m, 'From: "$1" <')
  done()
}

function letterOf(message: Message): SendMailOptions {
  const { from, to, name = "", id, subject, text, html, pictures = [], list } = message
  return {
    // The envelope is explicit and headers are objects, so that the library never parses addresses from text.
    envelope: { from, to: [to] },
    from: { name, address: from },
    to: { name: "", address: to },
    subject,
    text,
    ...(id !== undefined && { messageId: `<${id}@${from.slice(from.lastIndexOf("@") + 1)}>` }),
    ...(html !== undefined && { html }),
    ...(pictures.length > 0 && {
      attachments: pictures.map(({ id: cid, kind, bytes }) => ({
        cid,
        content: Buffer.from(bytes),
        contentType: `image/${kind}`,
        contentDisposition: "inline",
        filename: `${cid}.${kind}`,
      })),
    }),
    ...(list !== undefined && { list: { id: { url: list.id, comment: list.name } } }),
    headers: {
      "Auto-Submitted": "auto-generated",
      "X-Auto-Response-Suppress": "All",
      ...headersOf(message),
    },
  }
}

/** Connects, verifies the certificate and logs in, but sends nothing. @throws MailFailure */
export async function verifySmtp({ answerMs: _, ...settings }: SmtpSettings): Promise<void> {
  try {
    await withTransport(settings, tokensOf(settings), (transport) => transport.verify())
  } catch (error) {
    throw failureOf(error)
  }
}

const tokensOf = ({ oauth }: SmtpSettings): AccessTokens | null => (oauth ? createAccessTokens(oauth) : null)

/**
 * Imports the library on first use: it takes a quarter of a server's start, and most processes never send mail. It gets an
 * address, because it looks names up on the thread pool.
 */
async function withTransport<T>(
  settings: SmtpSettings,
  tokens: AccessTokens | null,
  act: (transport: Transporter) => Promise<T>,
  resolve?: Resolve,
): Promise<T> {
  const { createTransport } = await import("nodemailer")
  const addresses = await addressesOf(settings.host, resolve)
  const token = await tokens?.token() // before the connection, which a mail server would not keep open for long
  return atFirstReachable(addresses, (address, withinMs) =>
    act(createTransport(transportOptions(settings, address, { connectMs: withinMs, token }))),
  )
}

/** @throws MailFailure when the address would get mail without encryption, but is not private */
export function transportOptions(
  settings: SmtpSettings,
  address: string,
  { connectMs, token }: { readonly connectMs?: number | undefined; readonly token?: string | undefined } = {},
): SMTPTransportOptions {
  const { host, port, tls, allowPlain = false, user, password = "", ca, timeoutMs = 15_000 } = settings
  const { answerMs = timeoutMs } = settings
  const name = host.replace(/\.$/, "")
  const mayBePlain = allowPlain || isPrivate(address)
  if (tls === "off" && !mayBePlain)
    throw new MailFailure(
      "operator",
      `${address} is not private, so it gets no mail without encryption`,
      "set email.smtp_tls to starttls or implicit; or set email.smtp_allow_plain to true, and anybody on the way can read the mail",
      "EPLAIN",
    )
  // Whoever could forge the certificate could as well hide that STARTTLS is offered, and relays often make their own.
  const needsNoProof = tls === "starttls-if-offered" && mayBePlain && ca === undefined
  return {
    host: address,
    port,
    secure: tls === "implicit",
    requireTLS: tls === "starttls" || (tls === "starttls-if-offered" && !mayBePlain),
    ignoreTLS: tls === "off",
    // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED in the environment cannot turn it off.
    tls: {
      rejectUnauthorized: !needsNoProof,
      minVersion: "TLSv1.2",
      ...(ca && { ca: ca() }),
      ...(!isIpAddress(name) && { servername: name }),
    },
    ...(settings.name !== undefined && { name: settings.name }),
    ...(user !== undefined && {
      auth: token === undefined ? { user, pass: password } : { type: "OAuth2", user, accessToken: token },
      forceAuth: true,
    }),
    connectionTimeout: connectMs ?? timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: answerMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
