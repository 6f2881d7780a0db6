import { X509Certificate } from "node:crypto"
import { isIP } from "node:net"
import type { SecretlessConfig } from "../../config/settings.ts"
import { certificateOf, lifetimeProblem } from "../certificate.ts"
import { Refusal } from "../failures.ts"
import type { Surroundings } from "../surroundings.ts"
import { bad, type Finding, orOk, warn } from "./finding.ts"

/** The files of server.tls_cert and server.tls_key; nothing when TLS is a proxy's matter. */
export function checkCertificate(
  config: Pick<SecretlessConfig, "server">,
  { cwd, now }: Pick<Surroundings, "cwd" | "now">,
): readonly Finding[] {
  const { tls_cert, base_url } = config.server
  try {
    const tls = certificateOf(config, cwd)
    if (tls === null) return []
    const problem = lifetimeProblem(tls.cert, now())
    const name = base_url === null ? null : new URL(base_url).hostname.replace(/^\[|\]$/g, "")
    return orOk(
      [
        ...(problem === null ? [] : [warn("certificate", problem, `put the new one into ${tls_cert}`)]),
        ...(name === null || isFor(name, tls.cert)
          ? []
          : [bad("certificate", `it is not for ${name}`, "get one for the name in server.base_url")]),
      ],
      "certificate",
      `${tls_cert} and its key fit`,
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
