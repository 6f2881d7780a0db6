const salts = 16
const tagBytes = 16
const recordSize = 4096
/** How many bytes a message may have: what one record of 4,096 bytes holds besides the header, the tag and the delimiter. */
export const maxMessageBytes = recordSize - 86 - tagBytes - 1

/** The keys of a browser, base64url. */
interface Receiver {
  readonly p256dh: string
  readonly auth: string
}

/** Both are new for each message. Given only by a test, for the example of the RFC. */
interface Chosen {
  readonly salt: Uint8Array
  /** Base64url. */
  readonly privateKey: string
}

/** Encrypts a message for a browser alone (RFC 8291, content coding aes128gcm of RFC 8188, in one record). */
export function encrypted(message: Uint8Array, { p256dh, auth }: Receiver, chosen?: Chosen): Uint8Array {
  const crypto = process.getBuiltinModule("node:crypto")
  const salt = chosen?.salt ?? crypto.randomBytes(salts)
  const sender = crypto.createECDH("prime256v1")
  if (chosen) sender.setPrivateKey(chosen.privateKey, "base64url")
  else sender.generateKeys()
  const [own, theirs] = [sender.getPublicKey(), Buffer.from(p256dh, "base64url")]
  const derive = (ikm: Uint8Array, from: Uint8Array, info: Uint8Array, bytes: number) =>
    new Uint8Array(crypto.hkdfSync("sha256", ikm, from, info, bytes))

  const about = Buffer.concat([Buffer.from("WebPush: info\0"), theirs, own])
  const secret = derive(sender.computeSecret(theirs), Buffer.from(auth, "base64url"), about, 32)
  const key = derive(secret, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16)
  const nonce = derive(secret, salt, Buffer.from("Content-Encoding: nonce\0"), 12)
  const cipher = crypto.createCipheriv("aes-128-gcm", key, nonce)
  // The byte 2 ends the last record.
  const record = [cipher.update(message), cipher.update(new Uint8Array([2])), cipher.final(), cipher.getAuthTag()]

  const size = Buffer.alloc(4)
  size.writeUInt32BE(recordSize)
  return Buffer.concat([salt, size, new Uint8Array([own.length]), own, ...record])
}
