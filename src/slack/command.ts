/** A person in Slack, by id or by a name as it was typed. */
export type SlackPerson = { readonly slackUser: string } | { readonly name: string }

/** A request to give points, not yet checked. */
export interface GiveRequest {
  readonly to: SlackPerson
  readonly value: number
  readonly reason: string
  readonly tags: readonly string[]
}

/** Slack writes a person as `<@U123|ada>` and a channel as `<#C123|care>` where the app asks for it. */
const pattern =
  /^(?:<@(?<user>[UW][A-Z0-9]+)(?:\|[^>]*)?>|@?(?<name>[^\s<>]{1,254}))\s+(?<value>\d{1,16})(?:\s+(?<rest>.*))?$/s
const tag = /(?:^|\s)(?:#(?<word>[^\s#<>]+)|<#\w+\|(?<channel>[^>]+)>)(?=\s|$)/gu

/** `@ada 25 for the review #care`; null when it is nothing like that. */
export function readGive(text: string): GiveRequest | null {
  const groups = pattern.exec(text.trim())?.groups
  if (!groups) return null
  const { user, name = "", value, rest = "" } = groups
  const tags = [...rest.matchAll(tag)].map(({ groups: found }) => plain(found?.word ?? found?.channel ?? ""))
  const reason = rest
    .replaceAll(tag, "")
    .replace(/^\s*(points?|pontos?)\b/i, "")
    .replace(/^\s*(for|por|pel[oa])\s+/i, "")
  return {
    to: user === undefined ? { name: plain(name) } : { slackUser: user },
    value: Number(value),
    reason: plain(reason).trim(),
    tags: [...new Set(tags)],
  }
}

/** Slack escapes these three characters and nothing else. */
const plain = (text: string): string => text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&")

export const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
