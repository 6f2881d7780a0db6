import { invalid } from "./errors.ts"

/**
 * Rules for text from outside. The length is checked before anything else: Unicode normalization of hostile text takes time
 * that grows with the square of its length (64 KB of combining marks took 10 s). Nothing else calls `normalize`.
 */

/** Normalization may shorten a text, at most to a quarter. */
const unitsPerCharacter = 4

type Form = "NFC" | "NFKC" | "NFKD"

/**
 * The text in this normalization form. `max` is the limit of its field, in characters. A text of more than four times as
 * many UTF-16 units exceeds the limit in any form, and is returned unchanged.
 */
export const normalized = (text: string, form: Form, max: number): string =>
  text.length > unitsPerCharacter * max ? text : text.normalize(form)

/** Whether a text has more than `max` characters. A character is one or two UTF-16 units: few texts need counting. */
export const isLongerThan = (text: string, max: number): boolean =>
  text.length > max && (text.length > 2 * max || [...text].length > max)

/** Whether a text has fewer than `min` characters. */
export const isShorterThan = (text: string, min: number): boolean => !isLongerThan(text, min - 1)

/** Characters that a reader cannot see: control, bidi and zero-width characters, and those that look blank or empty. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u

/** A single line in which every character is visible, so that it cannot be mistaken for another. */
export const isLine = (text: string): boolean => text.isWellFormed() && !hidden.test(text)

/** Like `isLine`, but also allows line breaks, and the joiners in emoji such as 👩‍💻 and in some scripts. */
export const isText = (text: string): boolean =>
  isLine([/[\r\n]/g, insideEmoji, insideWords].reduce((rest, allowed) => rest.replaceAll(allowed, ""), text))

/** A variation selector, a joiner, or the tags of a flag, only in the places where an emoji has them. */
const insideEmoji =
  /(?<=\p{Extended_Pictographic})\uFE0F|(?<=[0-9#*])\uFE0F(?=\u20E3)|(?<=\p{Extended_Pictographic}\uFE0F?|\p{Emoji_Modifier})\u200D(?=\p{Extended_Pictographic})|(?<=\u{1F3F4})[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{2,6}\u{E007F}/gu

/** The longest emoji has 15 UTF-16 units; the selectors for pictures may be missing or doubled. */
const maxEmojiUnits = 32

/** The text as one emoji with the selectors that Unicode recommends, which keyboards often leave out; null if it is no such
 *  emoji. */
export function emojiOf(text: string): string | null {
  if (text.length > maxEmojiUnits) return null
  const bare = text.replaceAll("\uFE0F", "")
  const asPicture = bare
    .replace(/\p{Extended_Pictographic}(?!\p{Emoji_Modifier})/gu, (one) =>
      /\p{Emoji_Presentation}/u.test(one) ? one : `${one}\uFE0F`,
    )
    .replace(/^[0-9#*](?=\u20E3)/u, "$&\uFE0F")
  return [bare, asPicture].find((one) => /^\p{RGI_Emoji}$/v.test(one)) ?? null
}

/** Joiners and non-joiners between letters whose shape they change, as in Persian and the languages of India. */
const letter =
  "[\\p{sc=Arabic}\\p{sc=Bengali}\\p{sc=Devanagari}\\p{sc=Gujarati}\\p{sc=Gurmukhi}\\p{sc=Kannada}\\p{sc=Malayalam}\\p{sc=Oriya}\\p{sc=Sinhala}\\p{sc=Tamil}\\p{sc=Telugu}]"
const insideWords = new RegExp(`(?<=${letter})[\\u200C\\u200D](?=${letter})`, "gu")

/** No script stacks more; Tibetan comes closest. Searches take time for each, and long stacks cover the lines above. */
const maxMarks = 8
const tooManyMarks = new RegExp(`(?:\\p{M}[\\u200C\\u200D]*){${maxMarks + 1}}`, "u")

/** Whether one letter of a text carries more marks, such as accents, than any script needs. Call it before normalization. */
export const hasTooManyMarks = (text: string): boolean => tooManyMarks.test(text)

/** Callers have checked the length. @throws DomainError `invalid` */
export function checkMarks(field: string, text: string): void {
  if (hasTooManyMarks(text)) throw invalid(field, `at most ${maxMarks} accents or other marks on one letter`)
}

/** A text of several lines as it is stored: trimmed, with its line breaks as \n. */
export const trimmedLines = (text: string): string => text.replace(/\r\n?/g, "\n").trim()

/** Checks a field of one line that may not be empty, with at most `max` characters.
 *  @throws DomainError `invalid`, naming the field and its rule, never the value */
export function checkLine(field: string, text: string, max: number): void {
  if (isLongerThan(text, max) || text.trim() === "" || !isLine(text))
    throw invalid(field, `1 to ${max} visible characters on one line`)
  checkMarks(field, text)
}

/** Checks a field of several lines that may be empty, with at most `max` characters. @throws DomainError `invalid` */
export function checkText(field: string, text: string, max: number): void {
  if (isLongerThan(text, max) || !isText(text))
    throw invalid(field, `text of at most ${max} visible characters; line breaks are kept`)
  checkMarks(field, text)
}

/** The one of `words` that was given. @throws DomainError `invalid`, naming the field and the words, never the value */
export function wordOf<const T extends string>(field: string, words: readonly T[], given: string): T {
  const found = words.find((word) => word === given)
  if (found === undefined) throw invalid(field, `one of ${words.join(", ")}`)
  return found
}

/** Whether text from a request can be the id of a row: a positive safe integer. */
export const isId = (text: string): boolean => /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text))

/** SHA-256 in hex. Session ids and tokens are stored only as this hash, which cannot be used in place of them. */
export const sha256 = (text: string | Uint8Array): string => new Bun.CryptoHasher("sha256").update(text).digest("hex")
