/**
 * Text as it comes in. It is measured before anything else is done with it: Unicode normalization of hostile text takes
 * time that grows with the square of its length (64 KB of combining marks took 10 s). Nothing else calls `normalize`.
 */

/** Normalization may shorten a text, at most to a quarter. */
const unitsPerCharacter = 4

type Form = "NFC" | "NFKC" | "NFKD"

/**
 * The text in this form. `max` is the limit of its field, in characters: a text with more than four times as many UTF-16
 * units breaks the limit in any form, and comes back as it is.
 */
export const normalized = (text: string, form: Form, max: number): string =>
  text.length > unitsPerCharacter * max ? text : text.normalize(form)

/** Whether a text has more than `max` characters. Counts them only where the number of UTF-16 units, which are one or two
 *  a character, leaves it open. */
export const isLongerThan = (text: string, max: number): boolean =>
  text.length > max && (text.length > 2 * max || [...text].length > max)

/** Control, bidi and zero-width characters, and those that show as nothing or as a blank. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u

/** One line in which every character can be seen, so that it cannot pass for another one. */
export const isLine = (text: string): boolean => text.isWellFormed() && !hidden.test(text)

/** The same on several lines, with the joiners that emoji such as 👩‍💻 and some scripts are written with. */
export const isText = (text: string): boolean =>
  isLine([/[\r\n]/g, insideEmoji, insideWords].reduce((rest, allowed) => rest.replaceAll(allowed, ""), text))

/** A variation selector, a joiner, or the tags of a flag, in the places where an emoji has them. */
const insideEmoji =
  /(?<=\p{Extended_Pictographic})\uFE0F|(?<=[0-9#*])\uFE0F(?=\u20E3)|(?<=\p{Extended_Pictographic}\uFE0F?|\p{Emoji_Modifier})\u200D(?=\p{Extended_Pictographic})|(?<=\u{1F3F4})[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{2,6}\u{E007F}/gu

/** Joiners and non-joiners between letters whose shape they change: Persian and the languages of India need them. */
const letter =
  "[\\p{sc=Arabic}\\p{sc=Bengali}\\p{sc=Devanagari}\\p{sc=Gujarati}\\p{sc=Gurmukhi}\\p{sc=Kannada}\\p{sc=Malayalam}\\p{sc=Oriya}\\p{sc=Sinhala}\\p{sc=Tamil}\\p{sc=Telugu}]"
const insideWords = new RegExp(`(?<=${letter})[\\u200C\\u200D](?=${letter})`, "gu")
