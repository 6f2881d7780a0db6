import "reflect-metadata" // x509 requires it, and must be imported after it
import * as x509 from "@peculiar/x509"

export interface Validity {
  readonly notBefore: Date
  readonly notAfter: Date
}

/** A new certificate authority; only clients that are given `pem` trust it. */
export interface Authority {
  readonly pem: string
  /** A key and a certificate for these host names and addresses, in PEM; valid for a day by default. */
  issue(names: readonly string[], validity?: Validity): Promise<{ key: string; cert: string }>
  /** A certificate for the holder of another key, in PEM. */
  certify(publicKey: x509.PublicKeyType, names: readonly string[], validity?: Validity): Promise<string>
}

export async function createAuthority(): Promise<Authority> {
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" }
  const makeKeys = () => crypto.subtle.generateKey(algorithm, true, ["sign", "verify"])
  const hour = 3_600_000
  const validity = (): Validity => ({
    notBefore: new Date(Date.now() - hour),
    notAfter: new Date(Date.now() + 24 * hour),
  })

  const keys = await makeKeys()
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    ...validity(),
    name: `CN=Test authority ${crypto.randomUUID()}`,
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
    ],
  })

  const certify: Authority["certify"] = async (publicKey, names, period = validity()) => {
    const certificate = await x509.X509CertificateGenerator.create({
      ...period,
      subject: `CN=${names[0]}`,
      issuer: root.subject,
      publicKey,
      signingKey: keys.privateKey,
      signingAlgorithm: algorithm,
      extensions: [
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
        new x509.SubjectAlternativeNameExtension(names.map(generalName)),
      ],
    })
    return certificate.toString("pem")
  }

  return {
    pem: root.toString("pem"),
    async issue(names, period) {
      const own = await makeKeys()
      const key = await crypto.subtle.exportKey("pkcs8", own.privateKey)
      const cert = await certify(own.publicKey, names, period)
      return { key: x509.PemConverter.encode(key, "PRIVATE KEY"), cert }
    },
    certify,
  }
}

const generalName = (value: string): x509.JsonGeneralName => ({ type: /^[\d.]+$/.test(value) ? "ip" : "dns", value })
