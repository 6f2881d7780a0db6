import { maxReasonLength } from "../../domain/programme/programme-fields.ts"
import { normalized } from "../../domain/text.ts"
import { createBoundedCache } from "../../support/bounded-cache.ts"
import { families, type Renderer } from "./renderer.ts"

const weights = { regular: 400, bold: 600 } as const

export type Weight = keyof typeof weights

export interface Writing {
  readonly size: number
  readonly weight: Weight
}

/** Where a text must fit. */
interface Room extends Writing {
  readonly width: number
}

interface Place extends Writing {
  readonly x: number
  /** Of the baseline. */
  readonly y: number
  readonly colour: string
}

type Family = keyof typeof families

interface Piece {
  readonly family: Family
  text: string
}

/** What each font surely has. */
const stops: Readonly<Record<Family, string>> = { letters: "|", emoji: "⬛" }
/** Widths that are kept, each of a piece of a text. */
const keptAdvances = 2000

export type Lettering = ReturnType<typeof createLettering>

const characters = new Intl.Segmenter(undefined, { granularity: "grapheme" })
const charactersOf = (text: string) => Array.from(characters.segment(text), ({ segment }) => segment)

/** Letters, digits and marks, without those marks that only belong to emoji. */
const spoken = /[\p{L}\p{N}]|(?![\uFE0F\u20E3])\p{M}/u
const emoji = /^\p{RGI_Emoji}$/v
/** What XML cannot say. */
const unwritable = /[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u

/** Measures and writes text in the scripts that Inter has, with emoji. */
export function createLettering({ boxOf }: Pick<Renderer, "boxOf">) {
  const missing = createMissing(boxOf)

  /** Which font draws this character as a whole; null for none. */
  const familyOf = (character: string): Family | null => {
    const families: readonly Family[] = emoji.test(character) ? ["emoji", "letters"] : ["letters", "emoji"]
    return families.find((family) => !missing(character, family)) ?? null
  }

  /** Pieces of one font each. The renderer cannot mix fonts in a text whose characters are more or fewer glyphs in one of them. */
  const piecesOf = (text: string): Piece[] => {
    const pieces: Piece[] = []
    for (const character of charactersOf(text)) {
      const family = /^\s$/.test(character) ? "letters" : (familyOf(character) ?? "letters")
      const last = pieces.at(-1)
      if (last?.family === family) last.text += character
      else pieces.push({ family, text: character })
    }
    return pieces
  }

  const written = (text: string, { x, y, size, weight, colour }: Place): string => {
    let [elements, left] = ["", x]
    for (const piece of piecesOf(text)) {
      elements += elementOf(piece, { x: left, y, size, weight, colour })
      left += size * advanceOf(piece, weight)
    }
    return elements
  }

  const advances = createBoundedCache<string, number>(keptAdvances)

  /** From the beginning of a piece to that of the next one, in parts of the font size. A box ends with the ink, so a stop follows. */
  const advanceOf = (piece: Piece, weight: Weight): number => {
    const key = `${weight} ${piece.family} ${piece.text}`
    const known = advances.get(key)
    if (known !== undefined) return known
    const stop = stops[piece.family]
    const endOf = (text: string) => {
      const box = boxOf(elementOf({ ...piece, text }, { x: 0, y: 0, size: 100, weight, colour: "#000" }))
      return box ? box.x + box.width : 0
    }
    const advance = (endOf(piece.text + stop) - endOf(stop)) / 100
    advances.set(key, advance)
    return advance
  }

  const widthOf = (text: string, { size, weight }: Writing): number =>
    piecesOf(text).reduce((width, piece) => width + size * advanceOf(piece, weight), 0)

  const fitted = (text: string, { width, ...writing }: Room): string => {
    if (widthOf(text, writing) <= width) return text
    const all = charactersOf(text)
    const beginning = (count: number) => `${all.slice(0, count).join("").trimEnd()}…`
    return beginning(most(all.length, (count) => widthOf(beginning(count), writing) <= width))
  }

  return {
    written,
    widthOf,
    /** The text, or as much of its beginning as fits, with an ellipsis. */
    fitted,

    /**
     * The text without what cannot be drawn, in one line. Null when letters or digits are among it, or when nothing is left:
     * half a name is worse than none.
     */
    drawable(text: string): string | null {
      let drawn = ""
      for (const character of charactersOf(normalized(text, "NFC", maxReasonLength))) {
        const isBlank = /^\s+$/.test(character)
        if (isBlank || (!unwritable.test(character) && familyOf(character) !== null)) drawn += character
        else if (spoken.test(character)) return null
      }
      return drawn.replace(/\s+/g, " ").trim() || null
    },

    /** The text in lines of this width, at most `lines`; what is left over becomes an ellipsis. */
    wrapped(text: string, { lines, width, ...writing }: Room & { lines: number }): string[] {
      const found: string[] = []
      let rest = text.split(" ")
      while (rest.length > 0 && found.length < lines) {
        const beginning = (count: number) => rest.slice(0, count).join(" ")
        const fits = most(rest.length, (count) => widthOf(beginning(count), writing) <= width)
        const count = found.length === lines - 1 ? rest.length : Math.max(1, fits)
        found.push(fitted(beginning(count), { width, ...writing }))
        rest = rest.slice(count)
      }
      return found
    },
  }
}

/** The largest number up to `count` for which it holds, if it holds for all smaller ones; 0 for none. */
function most(count: number, holds: (count: number) => boolean): number {
  let [known, above] = [0, count + 1]
  while (above - known > 1) {
    const middle = (known + above) >> 1
    if (holds(middle)) known = middle
    else above = middle
  }
  return known
}

const elementOf = ({ family, text }: Piece, { x, y, size, weight, colour }: Place): string =>
  `<text xml:space="preserve" x="${x}" y="${y}" font-family="${families[family]}" font-size="${size}" ` +
  `font-weight="${weights[weight]}" fill="${colour}">${Bun.escapeHTML(text)}</text>`

/**
 * Returns a function that says whether a font lacks a part of a character. The renderer does not tell; but it draws the same
 * box for everything that a font lacks, also for what will never be a character.
 */
function createMissing(boxOf: Renderer["boxOf"]) {
  const known = new Map<string, boolean>()
  const sizeOf = (part: string, family: Family) => {
    const box = boxOf(`<text font-family="${families[family]}" font-size="1000">${Bun.escapeHTML(part)}</text>`)
    return box && `${box.width.toFixed(1)} ${box.height.toFixed(1)}`
  }
  const boxes = { letters: sizeOf("\u{10FFFD}", "letters"), emoji: sizeOf("\u{10FFFD}", "emoji") }
  const lacks = (part: string, family: Family): boolean => {
    const key = `${family} ${part}`
    const answer = known.get(key) ?? sizeOf(part, family) === boxes[family]
    known.set(key, answer)
    return answer
  }
  return (character: string, family: Family) => [...character].some((part) => lacks(part, family))
}
