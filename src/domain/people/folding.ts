import { normalized } from "../text.ts"
import { maxLengths } from "./fields.ts"

/** Letters that Unicode does not take apart, as people type them who have no key for them. */
const plain: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  ł: "l",
  þ: "th",
  ħ: "h",
  ŧ: "t",
  ı: "i",
  ς: "σ",
}
const special = new RegExp(`[${Object.keys(plain).join("")}]`, "g")

/** A name without case, accents and invisible characters, its words one space apart: what is equal here is found. */
export const folded = (name: string): string =>
  normalized(name, "NFKD", maxLengths.name)
    .replace(/\s+/gu, " ")
    .replace(/[\p{Mn}\p{Cc}\p{Cf}]/gu, "")
    .toLowerCase()
    .replace(special, (letter) => plain[letter] ?? letter)
    .trim()
