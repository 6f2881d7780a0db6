import { X509Certificate } from "node:crypto"
import { isIP } from "node:net"
import { cautions } from "../../config/rules.ts"
import type { SecretlessConfig } from "../../config/settings.ts"
import type { Fault } from "../../config/sources.ts"
import { MailFailure } from "../../integrations/mail/failures.ts"
import { type SmtpSettings, verifySmtp } from "../../integrations/mail/smtp.ts"
import { certificateOf, lifetimeProblem } from "../support/certificate.ts"
import type { CommandContext } from "../support/command.ts"
import { Refusal } from "../support/failures.ts"
import { bad, type Finding, ok, orOk, warn } from "./finding.ts"

/** Settings that keep the server from starting. */
export const faultFindings = (faults: readonly Fault[]): Finding[] =>
  faults.map(({ path, source, expected }) =>
    bad("settings", `${path ?? source} cannot be used`, `give ${expected} (${source})`),
  )

/** A version that is older than this has missed a year of mended faults. */
const oldMs = 365 * 24 * 3_600_000

interface Version {
  readonly version: string
  /** The day. */
  readonly released: string
}

/** Whether this version is recent. */
export function checkVersion(now: number, { version, released }: Version): Finding {
  const found = `${version}, released on ${released}`
  return now - Date.parse(released) <= oldMs
    ? ok("version", found)
    : warn(
        "version",
        `${found}, is more than a year old`,
        "install a newer one; its `rewards upgrade --check` says what it changes",
      )
}

/** Valid settings that make the service less safe than it could be. */
export const checkSettings = (config: SecretlessConfig): readonly Finding[] =>
  orOk(
    cautions(config).map(({ about, problem, cure }) => warn("settings", `${about}: ${problem}`, cure)),
    "settings",
    "no unsafe setting",
  )

/** Checks the files of server.tls_cert and server.tls_key; no finding when they are not set. */
export function checkCertificate(
  config: Pick<SecretlessConfig, "server">,
  { cwd, now }: Pick<CommandContext, "cwd" | "now">,
): readonly Finding[] {
  const { tls_cert, base_url } = config.server
  try {
    const tls = certificateOf(config, cwd)
    if (tls === null) return []
    const problem = lifetimeProblem(tls.cert, now())
    const name = base_url === null ? null : new URL(base_url).hostname.replace(/^\[|\]$/g, "")
    return orOk(
      [
        ...(problem === null ? [] : [warn("certificate", problem, `put the new certificate into ${tls_cert}`)]),
        ...(name === null || isFor(name, tls.cert)
          ? []
          : [bad("certificate", `it is not for ${name}`, "get one for the name in server.base_url")]),
      ],
      "certificate",
      `${tls_cert} and its key match`,
    )
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return error.message.split("\n").map((line) => bad("certificate", line, "see server.tls_cert and server.tls_key"))
  }
}

function isFor(name: string, cert: string): boolean {
  const certificate = new X509Certificate(cert)
  return (isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name)) !== undefined
}

/** Connects to the mail server, checks its certificate and logs in. `settings` are null when mail is not sent. */
export async function checkMail(settings: SmtpSettings | null, sender: string): Promise<readonly Finding[]> {
  if (settings === null) return [ok("mail", "written to a file instead of sent (email.debug_mode)")]
  const { host, port, user } = settings
  try {
    await verifySmtp(settings)
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error
    return [bad("mail", `${host}:${port}: ${error.problem}`, error.cure)]
  }
  const findings = sender.endsWith("@localhost")
    ? [warn("mail", `mail servers reject the sender ${sender}`, "set email.smtp_sender")]
    : []
  return orOk(findings, "mail", `${host}:${port} accepts mail${user === undefined ? "" : ` from ${user}`}`)
}
