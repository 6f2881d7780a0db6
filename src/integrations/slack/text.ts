import type { Units } from "../../languages/units.ts"
import { type GiveRequest, parseGive } from "../chat/give-request.ts"

/** Slack sends a person as `<@U123|ada>` and a channel as `<#C123|care>` if the app's manifest requests it. */
const mention = /^\s*<@(?<id>[UW][A-Z0-9]+)(?:\|[^>]*)?>(?=\s)/
const channel = /<#\w+\|([^>]+)>/g

/** Parses what was typed behind `/give`, as Slack sends it. */
export function parseSlackGive(text: string, units: Units): GiveRequest | null {
  const found = mention.exec(text)
  const id = found?.groups?.id
  const plain = unescaped(text.slice(found?.[0].length ?? 0).replaceAll(channel, "#$1"))
  if (id === undefined) return parseGive(plain, units)
  const request = parseGive(id + plain, units)
  return request && { ...request, to: { id } }
}

/** Slack escapes these three characters and nothing else. */
const unescaped = (text: string): string =>
  text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&")

export const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
