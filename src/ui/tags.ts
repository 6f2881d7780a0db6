import { programme } from "./session.ts"

/** The names of the tags that a transfer may carry. */
export const knownTags = (): readonly string[] => programme.value?.tags.map(({ name }) => name) ?? []

/** `💚 #care`, or `#care` if the programme gives the tag no emoji. */
export function tagText(tag: string): string {
  const emoji = programme.value?.tags.find(({ name }) => name === tag)?.emoji ?? null
  return emoji === null ? `#${tag}` : `${emoji} #${tag}`
}
