import type { Units } from "../../languages/units.ts"
import { allUnits } from "../named-points.ts"

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

/** Parses `@ada 25 stars for the review #care`, where points may be called `units`; null for text of any other form. */
export function parseGive(text: string, units: Units): GiveRequest | null {
  const groups = pattern.exec(text.trim())?.groups
  if (!groups) return null
  const { name = "", value, rest = "" } = groups
  const tags = [...rest.matchAll(tag)].map(({ groups: found }) => found?.word ?? "")
  const reason = withoutUnit(rest.replaceAll(tag, "").trimStart(), units).replace(
    /^\s*(for|por|pel[oa]|für|para|pour)\s+/i,
    "",
  )
  return { to: { name }, value: Number(value), reason: reason.trim(), tags: [...new Set(tags)] }
}

/** Without what points are called, in any language of this server, where the text begins with it. */
function withoutUnit(text: string, { one, many }: Units): string {
  const start = text.toLowerCase()
  const unit = [...allUnits, one, many].find(
    (name) => start.startsWith(name.toLowerCase()) && !/^[\p{L}\p{N}]/u.test(start.slice(name.length)),
  )
  return unit === undefined ? text : text.slice(unit.length)
}
