import { readFileSync } from "node:fs"
import confusables from "unhomoglyph/data.json" with { type: "file" }
import { maxLengths } from "../domain/people/fields.ts"
import { normalized } from "../domain/text.ts"

let lookalikes: ReadonlyMap<string, string> | undefined

/**
 * Maps each character to the letters that it looks like (Unicode, UTS 39). Read on first use, because it takes 7 ms.
 */
function lookalikesOf(): ReadonlyMap<string, string> {
  lookalikes ??= new Map(Object.entries<string>(JSON.parse(readFileSync(confusables, "utf8"))))
  return lookalikes
}

/** The compatibility form of a name can be 18 times as long as the name, whose length callers have checked. */
const maxLength = 18 * maxLengths.name

/**
 * The forms by which names are compared: two names that share a form look alike. Case, width, ligatures, white space
 * and invisible characters make no difference, nor do characters that Unicode calls confusable, such as the Cyrillic а.
 * ASCII letters and digits all differ, even 0 and O, 1 and l, because people number names with them.
 */
export function confusableForms(name: string): ReadonlySet<string> {
  if (/^[!-~]+( [!-~]+)*$/.test(name)) return new Set([name.toLowerCase()])
  const visible = normalized(name, "NFKC", maxLength).replaceAll(/\p{Default_Ignorable_Code_Point}|\u2800/gu, "")
  // Some characters look alike only in upper case, some only in lower case.
  return new Set([folded(visible), folded(unconfused(visible)), folded(unconfused(folded(visible)))])
}

function unconfused(text: string): string {
  const table = lookalikesOf()
  return [...text].map((one) => (one > "\x7f" ? (table.get(one) ?? one) : one)).join("")
}

/** Ignores case. Drops a dot above a small i, because the letter already has one. */
const folded = (text: string): string =>
  normalized(text.toLowerCase().replaceAll("ς", "σ").replaceAll("i\u0307", "i"), "NFKC", maxLength)
    .trim()
    .replaceAll(/\s+/gu, " ")
