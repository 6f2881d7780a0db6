import { isEqualInConstantTime } from "../security/secrets.ts"

/** The header that proves knowledge of the server's secret: the time of signing, and the signature. */
export const probeHeader = "x-rewards-probe"
export const probePath = "/probe"

const validMs = 60_000

/** How a request reached the server, for `rewards doctor`. */
export interface ProbeReport {
  /** Different in every process. */
  readonly instance: string
  /** The IP address at the other end of the connection. */
  readonly peer: string
  readonly forwardedFor: string | null
  /** The server's clock, in milliseconds since the epoch. */
  readonly now: number
  /** How long the server took to write each of a few lines of its log, in milliseconds. */
  readonly logMs: readonly number[]
}

/** The value of the header, valid for a minute. */
export const signProbe = (secret: string, now: number): string => `${now}.${signatureOf(secret, String(now))}`

export function isProbe(header: string | null, secret: string, now: number): boolean {
  const [signedAt = "", signature = ""] = header?.split(".") ?? []
  const isSigned = isEqualInConstantTime(signature, signatureOf(secret, signedAt))
  return isSigned && Math.abs(now - Number(signedAt)) <= validMs
}

/** What a server answers that cannot speak TLS yet, to prove that it has the secret too. `header` is that of the probe. */
export const probeAnswer = (secret: string, header: string): string => signatureOf(secret, `of ${header}`)

/** The prefix keeps these signatures apart from those of tokens, which are made with the same key. */
const signatureOf = (secret: string, signedAt: string): string =>
  new Bun.CryptoHasher("sha256", secret).update(`probe ${signedAt}`).digest("hex")
