/** SHA-256 in hex. Session ids and tokens are stored only as this hash, which cannot be used in place of them. */
export const sha256 = (text: string | Uint8Array): string => new Bun.CryptoHasher("sha256").update(text).digest("hex")
