/** What is stored of a session id or a spent token: enough to recognise it, not enough to use it. */
export const sha256 = (text: string | Uint8Array): string => new Bun.CryptoHasher("sha256").update(text).digest("hex")
