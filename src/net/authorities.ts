import { readFileSync } from "node:fs"
import { problemOf, UnusableFile } from "../support/system-errors.ts"

/**
 * The certificate authorities in the PEM file that this setting names.
 * @throws UnusableFile when it cannot be read, holds no certificate, or holds anything else
 */
export function readAuthorities(setting: string, path: string): string {
  const pem = readPem(setting, path)
  const blocks = pem.match(/-----BEGIN [^-]+-----.*?-----END [^-]+-----/gs) ?? []
  if (blocks.length === 0 || !blocks.every(isCertificate))
    throw new UnusableFile(`${setting}: ${path} must hold certificates in PEM form and nothing else`)
  return pem
}

function readPem(setting: string, path: string): string {
  try {
    return readFileSync(path, "utf8")
  } catch (error) {
    throw new UnusableFile(`${setting}: ${path} cannot be read: ${problemOf(error)}`, { cause: error })
  }
}

function isCertificate(pem: string): boolean {
  // An import at the top of the file would slow down every command.
  const { X509Certificate } = process.getBuiltinModule("node:crypto")
  try {
    return new X509Certificate(pem).raw.length > 0
  } catch {
    return false
  }
}
