import { createPrivateKey, createPublicKey, randomBytes, sign } from "node:crypto"

/*
 * The two structures that a certificate needs, in DER: a request for one (RFC 2986), and one that signs itself (RFC 5280).
 * Both are for keys on P-256.
 */

/** A request for a certificate for these names. `key` is PEM. */
export function certificateRequest(domains: readonly string[], key: string): Buffer {
  const extensions = sequence(namesOf(domains))
  const attribute = sequence(oid("2a864886f70d01090e"), der(0x31, extensions)) // extensionRequest
  return signed(sequence(integer(Buffer.of(0)), sequence(), publicKeyOf(key), der(0xa0, attribute)), key)
}

/** A certificate in PEM that nobody trusts, valid for `days`: for the time until an authority has given one. */
export function selfSigned(domains: readonly string[], key: string, now: number, days: number): string {
  const name = sequence(der(0x31, sequence(oid("550403"), der(0x0c, Buffer.from("Not certified yet")))))
  const validity = sequence(time(now - dayMs), time(now + days * dayMs))
  const serial = integer(Buffer.concat([Buffer.of(0x40), randomBytes(15)]))
  const version = der(0xa0, integer(Buffer.of(2)))
  const content = [version, serial, algorithm, name, validity, name, publicKeyOf(key)]
  const certificate = signed(sequence(...content, der(0xa3, sequence(namesOf(domains)))), key)
  const lines = certificate.toString("base64").replace(/.{64}(?=.)/g, "$&\n")
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`
}

const dayMs = 86_400_000

/** The extension subjectAltName. */
function namesOf(domains: readonly string[]): Buffer {
  const names = domains.map((domain) => der(0x82, Buffer.from(domain, "ascii")))
  return sequence(oid("551d11"), der(0x04, sequence(...names)))
}

function signed(content: Buffer, key: string): Buffer {
  const signature = sign("sha256", content, createPrivateKey(key))
  return sequence(content, algorithm, der(0x03, Buffer.of(0), signature))
}

const publicKeyOf = (key: string): Buffer => createPublicKey(key).export({ type: "spki", format: "der" })

function der(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content)
  const size = body.length
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff]
  return Buffer.concat([Buffer.of(tag, ...length), body])
}

const sequence = (...content: readonly Uint8Array[]): Buffer => der(0x30, ...content)

const integer = (bytes: Uint8Array): Buffer => der(0x02, bytes)

const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, "hex"))

/** GeneralizedTime is for the years from 2050 on (RFC 5280, section 4.1.2.5). */
function time(ms: number): Buffer {
  const text = `${new Date(ms).toISOString().replace(/[-:T]|\.\d+/g, "")}`
  return text < "2050" ? der(0x17, Buffer.from(text.slice(2))) : der(0x18, Buffer.from(text))
}

/** ecdsa-with-SHA256 */
const algorithm = sequence(oid("2a8648ce3d040302"))
