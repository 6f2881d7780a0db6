import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto"
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import type { SecretlessConfig } from "../../config/settings.ts"
import type { Tls } from "../../http/server.ts"
import { problemOf } from "../../support/system-errors.ts"
import { Refusal } from "./failures.ts"

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

/** The problem with the validity period of a certificate (PEM); null when there is none. */
export function lifetimeProblem(cert: string, now: number): string | null {
  const { validFromDate, validToDate } = new X509Certificate(cert)
  const [day] = validToDate.toISOString().split("T")
  if (validFromDate.getTime() > now) return "the certificate is not valid yet: check this machine's clock"
  if (validToDate.getTime() <= now) return `the certificate expired on ${day}: renew it, then restart`
  return validToDate.getTime() - now < renewWithinMs
    ? `the certificate expires on ${day}: renew it, then restart`
    : null
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
