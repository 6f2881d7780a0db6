import "reflect-metadata" // x509 requires it, and must be imported after it
import { expect, test } from "bun:test"
import { createPrivateKey, createPublicKey, generateKeyPairSync, X509Certificate } from "node:crypto"
import * as x509 from "@peculiar/x509"
import { certificateRequest, selfSigned } from "../../../src/integrations/acme/der.ts"

const key = generateKeyPairSync("ec", {
  namedCurve: "P-256",
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
}).privateKey
const many = Array.from({ length: 100 }, (_, index) => `name-${index}.a-rather-long-domain-name.example.com`)

for (const [what, domains] of [
  ["one name", ["rewards.example.com"]],
  ["a hundred names", many],
] as const)
  test(`a request for ${what} is signed with the key, and names nothing else`, async () => {
    const request = new x509.Pkcs10CertificateRequest(new Uint8Array(certificateRequest(domains, key)))
    expect(await request.verify()).toBe(true)
    expect(request.subject).toBe("")
    const [extension, ...others] = request.extensions
    if (!(extension instanceof x509.SubjectAlternativeNameExtension)) throw new Error("it has no names")
    expect(others).toEqual([])
    expect(extension.names.items.map(({ type, value }) => [type, value])).toEqual(domains.map((name) => ["dns", name]))
    const spki = createPublicKey(key).export({ type: "spki", format: "der" })
    expect(Buffer.from(request.publicKey.rawData).equals(spki)).toBe(true)
  })

test("a certificate that signs itself is for all names, from yesterday on, and fits its key", () => {
  const now = Date.UTC(2026, 10, 25, 12)
  const certificate = new X509Certificate(selfSigned(["a.example.com", "b.example.com"], key, now, 90))
  expect(certificate.checkHost("b.example.com")).toBe("b.example.com")
  expect(certificate.checkHost("c.example.com")).toBeUndefined()
  expect(certificate.checkPrivateKey(createPrivateKey(key))).toBe(true)
  expect(certificate.verify(createPublicKey(key))).toBe(true)
  expect([certificate.validFromDate, certificate.validToDate].map((date) => date.toISOString())).toEqual([
    "2026-11-24T12:00:00.000Z",
    "2027-02-23T12:00:00.000Z",
  ])
})

test("its dates are right beyond 2050 too", () => {
  const certificate = new X509Certificate(selfSigned(["a.example.com"], key, Date.UTC(2049, 11, 1), 90))
  expect(certificate.validToDate.toISOString()).toBe("2050-03-01T00:00:00.000Z")
})
