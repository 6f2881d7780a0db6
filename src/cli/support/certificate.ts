import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto"
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import type { SecretlessConfig } from "../../config/settings.ts"
import type { Tls } from "../../http/server.ts"
import type { Log } from "../../support/log.ts"
import { problemOf } from "../../support/system-errors.ts"
import type { CommandContext } from "./command.ts"
import { Refusal } from "./failures.ts"

/** How often files that may have changed are read: often enough for somebody who waits for it. */
const lookEveryMs = 5000
/** How long before a certificate expires warnings begin. */
export const renewWithinMs = 14 * 24 * 3_600_000

/**
 * The certificate and key that the settings name; null without TLS.
 * @throws Refusal with one line for each unusable file
 */
export function certificateOf({ server }: Pick<SecretlessConfig, "server">, cwd: string): Tls | null {
  const { tls_cert, tls_key } = server
  if (tls_cert === null || tls_key === null) return null
  const problems: string[] = []
  const cert = readPem(resolve(cwd, tls_cert))
  const key = readPem(resolve(cwd, tls_key))
  const certificate = cert.text === null ? null : certificateIn(cert.text)
  const privateKey = key.text === null ? null : keyIn(key.text)
  if (!certificate) problems.push(`server.tls_cert: ${tls_cert} ${cert.problem ?? "holds no certificate in PEM form"}`)
  if (!privateKey)
    problems.push(
      `server.tls_key: ${tls_key} ${key.problem ?? "holds no private key in PEM form without a passphrase"}`,
    )
  if (certificate && privateKey && !certificate.checkPrivateKey(privateKey))
    problems.push(`server.tls_key: ${tls_key} is not the key of the first certificate in ${tls_cert}`)
  if (problems.length > 0 || cert.text === null || key.text === null) throw new Refusal(problems.join("\n"))
  return { cert: cert.text, key: key.text }
}

/** The certificate that a server begins with, and those that take its place. */
export interface CertificateSource {
  readonly tls: Tls
  /** Hands each newer one to `use`, and whether clients could trust the one before. Returns what ends this. */
  follow(use: (tls: Tls, wasTrusted: boolean) => void): () => void
  /** The answer to a challenge of an authority that gives certificates. */
  readonly answerTo?: (token: string) => string | undefined
}

/** Certificates by ACME; null unless the settings name domains. @throws UnusableFile */
export async function acmeCertificates(
  config: SecretlessConfig,
  context: Pick<CommandContext, "cwd" | "now">,
  log: Log,
): Promise<CertificateSource | null> {
  if (config.server.acme_domains.length === 0) return null
  const { acmeSettingsOf, createCertificates } = await import("../../integrations/acme/renewal.ts")
  return createCertificates(acmeSettingsOf(config, context.cwd), { clock: context.now, log })
}

/**
 * The files that the settings name; null without them. They are followed: a pair that does not fit together is usually half
 * written, so the one before it stays, and the log says so once.
 * @throws Refusal as `certificateOf`
 */
export function certificateFiles(
  config: Pick<SecretlessConfig, "server">,
  { cwd, now }: Pick<CommandContext, "cwd" | "now">,
  log: Pick<Log, "info" | "warn">,
): CertificateSource | null {
  const tls = certificateOf(config, cwd)
  if (tls === null) return null
  const warnOfEnd = (tls: Tls) => {
    const problem = lifetimeProblem(tls.cert, now())
    if (problem !== null) log.warn(`server.tls_cert: ${problem}`)
  }

  return {
    tls,
    follow(use) {
      warnOfEnd(tls)
      let inUse = tls
      let warned = ""
      const look = () => {
        try {
          const found = certificateOf(config, cwd)
          warned = ""
          if (found === null || (found.cert === inUse.cert && found.key === inUse.key)) return
          use(found, !isOver(inUse.cert, now()))
          inUse = found
          log.info("new connections get the new certificate")
          warnOfEnd(found)
        } catch (error) {
          const message = error instanceof Error ? error.message : String(error)
          if (message !== warned)
            log.warn("the new certificate cannot be used; the one before it stays", { error: message })
          warned = message
        }
      }
      const timer = setInterval(look, lookEveryMs)
      return () => clearInterval(timer)
    },
  }
}

const isOver = (cert: string, now: number): boolean => new X509Certificate(cert).validToDate.getTime() <= now

/** The problem with the validity period of a certificate (PEM); null when there is none. */
export function lifetimeProblem(cert: string, now: number): string | null {
  const { validFromDate, validToDate } = new X509Certificate(cert)
  const [day] = validToDate.toISOString().split("T")
  if (validFromDate.getTime() > now) return "the certificate is not valid yet: check this machine's clock"
  if (validToDate.getTime() <= now) return `the certificate expired on ${day}: renew it`
  return validToDate.getTime() - now < renewWithinMs ? `the certificate expires on ${day}: renew it` : null
}

type Pem = { readonly text: string; readonly problem: null } | { readonly text: null; readonly problem: string }

function readPem(path: string): Pem {
  try {
    return { text: readFileSync(path, "utf8"), problem: null }
  } catch (error) {
    return { text: null, problem: `cannot be read: ${problemOf(error)}` }
  }
}

function certificateIn(text: string): X509Certificate | null {
  try {
    return new X509Certificate(text)
  } catch {
    return null
  }
}

function keyIn(text: string): KeyObject | null {
  try {
    return createPrivateKey(text)
  } catch {
    return null
  }
}
