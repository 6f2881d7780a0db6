import { isoCBOR } from "@simplewebauthn/server/helpers"

/** The server's options for `navigator.credentials.create` and `.get`, as far as they matter here. */
interface Options {
  readonly challenge: string
}

interface Ceremony {
  /** The origin of the page that asks. */
  readonly origin: string
  /** The id to which the passkey is bound; by default the host name of the page. */
  readonly rpId?: string
}

/** A passkey in memory (ES256) that plays browser and authenticator together, and signs every challenge. */
export async function createAuthenticator() {
  const keys = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign", "verify"])
  const { x = "", y = "" } = await crypto.subtle.exportKey("jwk", keys.publicKey)
  const id = Buffer.from(crypto.getRandomValues(new Uint8Array(16)))
  let counter = 0

  return {
    /** The response to `create`, as JSON of the browser. */
    async create({ challenge }: Options, { origin, rpId = new URL(origin).hostname }: Ceremony) {
      const cose = new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, bytesOf(x)],
        [-3, bytesOf(y)],
      ])
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, isoCBOR.encode(cose)])
      const authData = Buffer.concat([dataOf(rpId, 0x41, counter), attested])
      const attestation = new Map<string, unknown>([
        ["fmt", "none"],
        ["attStmt", new Map()],
        ["authData", new Uint8Array(authData)],
      ])
      const encoded = isoCBOR.encode(attestation as Parameters<typeof isoCBOR.encode>[0])
      return credential({
        clientDataJSON: clientData("webauthn.create", challenge, origin).toString("base64url"),
        attestationObject: Buffer.from(encoded).toString("base64url"),
        transports: ["internal"],
      })
    },

    /** The response to `get`, with a counter that grows. */
    async get({ challenge }: Options, { origin, rpId = new URL(origin).hostname }: Ceremony) {
      counter += 1
      const client = clientData("webauthn.get", challenge, origin)
      const authData = dataOf(rpId, 0x01, counter)
      const signed = Buffer.concat([authData, sha256(client)])
      const raw = await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, keys.privateKey, signed)
      return credential({
        clientDataJSON: client.toString("base64url"),
        authenticatorData: authData.toString("base64url"),
        signature: derOf(Buffer.from(raw)).toString("base64url"),
      })
    },
  }

  function credential(response: object) {
    const text = id.toString("base64url")
    return { id: text, rawId: text, type: "public-key", clientExtensionResults: {}, response }
  }
}

const clientData = (type: string, challenge: string, origin: string) =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))

function dataOf(rpId: string, flags: number, counter: number): Buffer {
  const count = Buffer.alloc(4)
  count.writeUInt32BE(counter)
  return Buffer.concat([sha256(rpId), Buffer.from([flags]), count])
}

const sha256 = (data: string | Uint8Array) => new Bun.CryptoHasher("sha256").update(data).digest()

const bytesOf = (base64url: string) => new Uint8Array(Buffer.from(base64url, "base64url"))

/** Converts a signature: WebCrypto returns two concatenated numbers, authenticators write them as DER. */
function derOf(raw: Buffer): Buffer {
  const numbers = Buffer.concat([raw.subarray(0, 32), raw.subarray(32)].map(derNumber))
  return Buffer.concat([Buffer.from([0x30, numbers.length]), numbers])
}

function derNumber(bytes: Buffer): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0)
  const shortest = bytes.subarray(first)
  const positive = (shortest[0] ?? 0) > 127 ? Buffer.concat([Buffer.from([0]), shortest]) : shortest
  return Buffer.concat([Buffer.from([2, positive.length]), positive])
}
