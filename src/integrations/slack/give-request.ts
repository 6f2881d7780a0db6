/** A person in Slack, by id or by a typed name. */
export type SlackPerson = { readonly slackUser: string } | { readonly name: string }

/** A request to give points, not yet validated. */
export interface GiveRequest {
  readonly to: SlackPerson
  readonly value: number
  readonly reason: string
  readonly tags: readonly string[]
}

/** Slack sends a person as `<@U123|ada>` and a channel as `<#C123|care>` if the app's manifest requests it. */
const pattern =
  /^(?:<@(?<user>[UW][A-Z0-9]+)(?:\|[^>]*)?>|@?(?<name>[^\s<>]{1,254}))\s+(?<value>\d{1,16})(?:\s+(?<rest>.*))?$/s
const tag = /(?:^|\s)(?:#(?<word>[^\s#<>]+)|<#\w+\|(?<channel>[^>]+)>)(?=\s|$)/gu

/** Parses `@ada 25 for the review #care`; null for text of any other form. */
export function parseGive(text: string): GiveRequest | null {
  const groups = pattern.exec(text.trim())?.groups
  if (!groups) return null
  const { user, name = "", value, rest = "" } = groups
  const tags = [...rest.matchAll(tag)].map(({ groups: found }) => unescaped(found?.word ?? found?.channel ?? ""))
  const reason = rest
    .replaceAll(tag, "")
    .replace(/^\s*(points?|pontos?)\b/i, "")
    .replace(/^\s*(for|por|pel[oa])\s+/i, "")
  return {
    to: user === undefined ? { name: unescaped(name) } : { slackUser: user },
    value: Number(value),
    reason: unescaped(reason).trim(),
    tags: [...new Set(tags)],
  }
}

/** Slack escapes these three characters and nothing else. */
const unescaped = (text: string): string =>
  text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&")

export const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
