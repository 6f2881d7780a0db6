/** How long a push service may accept a token; the RFC allows a day. */
const lifetimeSeconds = 12 * 3600

export interface VapidKeys {
  /** A point of P-256, base64url. */
  readonly publicKey: string
  /** Base64url. */
  readonly privateKey: string
}

export function newVapidKeys(): VapidKeys {
  const pair = process.getBuiltinModule("node:crypto").createECDH("prime256v1")
  const publicKey = pair.generateKeys("base64url")
  // Without zeros at the beginning the key of a few would be shorter than JWK allows.
  const privateKey = pair.getPrivateKey().toString("hex").padStart(64, "0")
  return { publicKey, privateKey: Buffer.from(privateKey, "hex").toString("base64url") }
}

/**
 * The header with which this server identifies itself to a push service (RFC 8292). `subject` is an address at which the
 * service reaches the operator.
 */
export function vapidHeader(
  endpoint: string,
  { publicKey, privateKey }: VapidKeys,
  subject: string,
  now: number,
): string {
  const { createPrivateKey, sign } = process.getBuiltinModule("node:crypto")
  const point = Buffer.from(publicKey, "base64url")
  const x = point.subarray(1, 33).toString("base64url")
  const y = point.subarray(33).toString("base64url")
  const key = createPrivateKey({ format: "jwk", key: { kty: "EC", crv: "P-256", x, y, d: privateKey } })
  const claims = { aud: new URL(endpoint).origin, exp: Math.floor(now / 1000) + lifetimeSeconds, sub: subject }
  const unsigned = [{ typ: "JWT", alg: "ES256" }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".")
  const signature = sign("sha256", Buffer.from(unsigned), { key, dsaEncoding: "ieee-p1363" }).toString("base64url")
  return `vapid t=${unsigned}.${signature}, k=${publicKey}`
}
