import confusables from "unhomoglyph/data.json"
import { maxLengths } from "./domain/people/fields.ts"
import { normalized } from "./domain/text.ts"

/** By character, the letters that it looks like. */
const alikes = new Map<string, string>(Object.entries(confusables))

/** Names are measured before they come here; a compatibility form can be 18 times as long. */
const maxLength = 18 * maxLengths.name

/**
 * What a reader sees of a user name: two names that share one of these cannot be told apart. Case, width, ligatures, blanks
 * and what is invisible make no difference, nor do characters that Unicode (UTS 39) calls confusable with others, such as
 * the Cyrillic а. Among the letters and digits of ASCII all count, 0 and O, 1 and l too: names are numbered with them.
 */
export function skeletonsOf(username: string): ReadonlySet<string> {
  if (/^[!-~]+( [!-~]+)*$/.test(username)) return new Set([username.toLowerCase()])
  const visible = normalized(username, "NFKC", maxLength).replaceAll(/\p{Default_Ignorable_Code_Point}|\u2800/gu, "")
  // Some look alike in their capital form alone, some in their small one.
  return new Set([folded(visible), folded(unconfused(visible)), folded(unconfused(folded(visible)))])
}

const unconfused = (text: string): string =>
  [...text].map((one) => (one > "\x7f" ? (alikes.get(one) ?? one) : one)).join("")

/** Without case; the dot over a small i is part of it. */
const folded = (text: string): string =>
  normalized(text.toLowerCase().replaceAll("ς", "σ").replaceAll("i\u0307", "i"), "NFKC", maxLength)
    .trim()
    .replaceAll(/\s+/gu, " ")
