/** A person in a chat, by id there or by a typed name. */
export type ChatPerson = { readonly id: string } | { readonly name: string }

/** A request to give points, not yet validated. */
export interface GiveRequest {
  readonly to: ChatPerson
  readonly value: number
  readonly reason: string
  readonly tags: readonly string[]
}

const pattern = /^@?(?<name>[^\s<>]{1,254})\s+(?<value>\d{1,16})(?:\s+(?<rest>.*))?$/s
const tag = /(?:^|\s)#(?<word>[^\s#<>]+)(?=\s|$)/gu

/** Parses `@ada 25 for the review #care`; null for text of any other form. */
export function parseGive(text: string): GiveRequest | null {
  const groups = pattern.exec(text.trim())?.groups
  if (!groups) return null
  const { name = "", value, rest = "" } = groups
  const tags = [...rest.matchAll(tag)].map(({ groups: found }) => found?.word ?? "")
  const reason = rest
    .replaceAll(tag, "")
    .replace(/^\s*(points?|pontos?)\b/i, "")
    .replace(/^\s*(for|por|pel[oa])\s+/i, "")
  return { to: { name }, value: Number(value), reason: reason.trim(), tags: [...new Set(tags)] }
}
