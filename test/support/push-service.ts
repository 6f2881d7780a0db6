import { createReceiver, type Received } from "./receiver.ts"

/** A browser that subscribed, as the push service and the browser itself know it. */
export type Subscription = Awaited<ReturnType<typeof subscription>>

/** What the browser gets of a message. */
export interface Pushed {
  readonly title: string
  readonly body: string
  readonly url: string
  readonly tag: string
}

export type PushService = Awaited<ReturnType<typeof createPushService>>

/**
 * A push service over HTTPS that checks what RFC 8030, 8188, 8291 and 8292 ask of a message, and decrypts it as a browser does. It
 * shares no code with the server.
 */
export async function createPushService(name = "push.example.test") {
  const receiver = await createReceiver(name)
  const origin = new URL(receiver.url).origin
  let browsers = 0

  receiver.alwaysAnswer({ status: 201, headers: { location: `${origin}/message/1` } })
  return {
    ...receiver,
    /** A new browser. */
    subscribe: () => subscription(`${origin}/send/${++browsers}`),
    /** The messages for this browser since the last call of `take`, decrypted. Throws when one breaks a rule. */
    async messagesFor(browser: Subscription, publicKey: string): Promise<Pushed[]> {
      const mine = receiver.received.filter(({ path }) => path === new URL(browser.endpoint).pathname)
      return Promise.all(mine.map((message) => opened(message, browser, publicKey, origin)))
    },
  }
}

async function subscription(endpoint: string) {
  const pair = await crypto.subtle.generateKey({ name: "ECDH", namedCurve: "P-256" }, true, ["deriveBits"])
  const own = new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey))
  const auth = crypto.getRandomValues(new Uint8Array(16))
  return {
    endpoint,
    own,
    auth,
    privateKey: pair.privateKey,
    /** What `PushSubscription.toJSON` says. */
    json: { endpoint, expirationTime: null, keys: { p256dh: base64url(own), auth: base64url(auth) } },
  }
}

const base64url = (bytes: Uint8Array) => bytes.toBase64({ alphabet: "base64url", omitPadding: true })
const bytesIn = (text: string) => Uint8Array.fromBase64(text, { alphabet: "base64url" })

async function opened(
  { headers, bytes }: Received,
  { own, auth, privateKey }: Subscription,
  publicKey: string,
  origin: string,
): Promise<Pushed> {
  require(headers["content-encoding"] === "aes128gcm", "the content encoding is aes128gcm")
  require(/^\d+$/.test(String(headers.ttl)), "TTL is a number of seconds")
  require(["very-low", "low", "normal", "high"].includes(String(headers.urgency)), "the urgency is one of four")
  require(bytes.length <= 4096, "a message has at most 4,096 bytes")
  await checkVapid(String(headers.authorization), publicKey, origin)

  const header = new DataView(bytes.buffer, bytes.byteOffset, 21)
  const [salt, size, idLength] = [bytes.slice(0, 16), header.getUint32(16), header.getUint8(20)]
  const sender = bytes.slice(21, 21 + idLength)
  const record = bytes.slice(21 + idLength)
  require(record.length <= size, "the message is one record")
  const theirs = await crypto.subtle.importKey("raw", sender, { name: "ECDH", namedCurve: "P-256" }, false, [])
  const shared = await crypto.subtle.deriveBits({ name: "ECDH", public: theirs }, privateKey, 256)
  const about = Buffer.concat([Buffer.from("WebPush: info\0"), own, sender])
  const secret = await hkdf(new Uint8Array(shared), auth, about, 32)
  const key = await hkdf(secret, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16)
  const iv = await hkdf(secret, salt, Buffer.from("Content-Encoding: nonce\0"), 12)
  const aes = await crypto.subtle.importKey("raw", key, "AES-GCM", false, ["decrypt"])
  const padded = new Uint8Array(await crypto.subtle.decrypt({ name: "AES-GCM", iv }, aes, record))
  const end = padded.findLastIndex((byte) => byte !== 0)
  require(padded[end] === 2, "the delimiter ends the last record")
  return JSON.parse(new TextDecoder().decode(padded.subarray(0, end)))
}

async function checkVapid(authorization: string, publicKey: string, origin: string) {
  const { token = "", key = "" } = /^vapid t=(?<token>[\w.-]+), k=(?<key>[\w-]+)$/.exec(authorization)?.groups ?? {}
  require(key === publicKey, "the key is the one with which the browser subscribed")
  const [head = "", claims = "", signature = ""] = token.split(".")
  const algorithm = { name: "ECDSA", namedCurve: "P-256" }
  const verifier = await crypto.subtle.importKey("raw", bytesIn(key), algorithm, false, ["verify"])
  const signed = Buffer.from(`${head}.${claims}`)
  const isValid = await crypto.subtle.verify({ name: "ECDSA", hash: "SHA-256" }, verifier, bytesIn(signature), signed)
  require(isValid, "the token is signed with the key")
  const { aud, exp, sub } = JSON.parse(new TextDecoder().decode(bytesIn(claims)))
  require(JSON.parse(new TextDecoder().decode(bytesIn(head))).alg === "ES256", "the algorithm is ES256")
  require(aud === origin, "the token is for this push service")
  require(/^(mailto|https):/.test(sub), "the token says how to reach the operator")
  require(Number.isInteger(exp), "the token expires")
}

async function hkdf(
  ikm: Uint8Array<ArrayBuffer>,
  salt: Uint8Array<ArrayBuffer>,
  info: Uint8Array<ArrayBuffer>,
  bytes: number,
) {
  const key = await crypto.subtle.importKey("raw", ikm, "HKDF", false, ["deriveBits"])
  return new Uint8Array(await crypto.subtle.deriveBits({ name: "HKDF", hash: "SHA-256", salt, info }, key, 8 * bytes))
}

function require(holds: boolean, rule: string) {
  if (!holds) throw new Error(`a push service refuses this message: ${rule}`)
}
