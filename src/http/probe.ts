/** The header that shows whoever asks to have the server's secret, and when it was signed. */
export const probeHeader = "x-rewards-probe"
export const probePath = "/probe"

const validMs = 60_000

/** How a request reached the server, for whoever looks after it. */
export interface Arrival {
  /** Different in every process. */
  readonly instance: string
  /** Where the connection comes from. */
  readonly peer: string
  readonly forwardedFor: string | null
  /** The server's clock, in milliseconds since the epoch. */
  readonly now: number
}

/** What goes into the header; good for a minute, and for nothing but this. */
export const signProbe = (secret: string, now: number): string => `${now}.${signatureOf(secret, String(now))}`

export function isProbe(header: string | null, secret: string, now: number): boolean {
  const [signedAt = "", signature = ""] = header?.split(".") ?? []
  const expected = Buffer.from(signatureOf(secret, signedAt))
  const given = Buffer.from(signature)
  const isSigned = given.length === expected.length && crypto.timingSafeEqual(given, expected)
  return isSigned && Math.abs(now - Number(signedAt)) <= validMs
}

/** Tokens of this key begin with what no probe does. */
const signatureOf = (secret: string, signedAt: string): string =>
  new Bun.CryptoHasher("sha256", secret).update(`probe ${signedAt}`).digest("hex")
