/**
 * JSON that PostgreSQL accepts. Its text cannot hold the character NUL or half of a surrogate pair: each becomes U+FFFD.
 */
export const asJson = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === "string" ? part.replaceAll("\0", "\ufffd").toWellFormed() : part,
  )
