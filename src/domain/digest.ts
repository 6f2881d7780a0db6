/** SHA-256 in hex. Of session ids and tokens only this is stored: enough to recognize one, not enough to use it. */
export const sha256 = (text: string | Uint8Array): string => new Bun.CryptoHasher("sha256").update(text).digest("hex")
