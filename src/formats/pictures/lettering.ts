import cyrillic from "@fontsource/inter/files/inter-cyrillic-400-normal.woff" with { type: "file" }
import boldCyrillic from "@fontsource/inter/files/inter-cyrillic-600-normal.woff" with { type: "file" }
import greek from "@fontsource/inter/files/inter-greek-400-normal.woff" with { type: "file" }
import boldGreek from "@fontsource/inter/files/inter-greek-600-normal.woff" with { type: "file" }
import latin from "@fontsource/inter/files/inter-latin-400-normal.woff" with { type: "file" }
import boldLatin from "@fontsource/inter/files/inter-latin-600-normal.woff" with { type: "file" }
import latinExt from "@fontsource/inter/files/inter-latin-ext-400-normal.woff" with { type: "file" }
import boldLatinExt from "@fontsource/inter/files/inter-latin-ext-600-normal.woff" with { type: "file" }
import vietnamese from "@fontsource/inter/files/inter-vietnamese-400-normal.woff" with { type: "file" }
import boldVietnamese from "@fontsource/inter/files/inter-vietnamese-600-normal.woff" with { type: "file" }
import { maxReasonLength } from "../../domain/programme/programme-fields.ts"
import { normalized } from "../../domain/text.ts"
import { nextTick } from "../../domain/ticks.ts"
import type { Shape } from "./canvas.ts"
import { type Font, type Glyph, readFont } from "./font.ts"

/** Inter, in parts by script; the first one that has a character draws it. */
const files = {
  regular: [latin, latinExt, vietnamese, greek, cyrillic],
  bold: [boldLatin, boldLatinExt, boldVietnamese, boldGreek, boldCyrillic],
} as const

/** Letters, digits and marks, without those marks that only belong to emoji. */
const spoken = /[\p{L}\p{N}]|(?![\uFE0F\u20E3])\p{M}/u

export type Weight = keyof typeof files

/** Where a text must fit. */
interface Room {
  readonly width: number
  readonly size: number
  readonly weight: Weight
}

export type Lettering = Awaited<ReturnType<typeof loadLettering>>

/** Draws text in Latin, Greek and Cyrillic letters. */
export async function loadLettering() {
  const load = async (paths: readonly string[]) => {
    const fonts: Font[] = []
    for (const path of paths) {
      fonts.push(readFont(await Bun.file(path).arrayBuffer()))
      await nextTick()
    }
    return fonts
  }
  const fonts: Readonly<Record<Weight, readonly Font[]>> = {
    regular: await load(files.regular),
    bold: await load(files.bold),
  }

  const glyphOf = (character: string, weight: Weight): Glyph | null => {
    for (const font of fonts[weight]) {
      const glyph = font.glyph(character)
      if (glyph) return glyph
    }
    return null
  }

  const widthOf = (text: string, size: number, weight: Weight): number =>
    [...text].reduce((width, character) => width + size * (glyphOf(character, weight)?.advance ?? 0), 0)

  /** As many characters from the beginning of the text as fit. */
  const beginningOf = (text: string, { width, size, weight }: Room): string => {
    let [left, end] = [width, 0]
    for (const character of text) {
      left -= widthOf(character, size, weight)
      if (left < 0) break
      end += character.length
    }
    return text.slice(0, end)
  }

  return {
    widthOf,

    /**
     * The text without what cannot be drawn, such as emoji, in one line. Null when letters or digits are among it, or when
     * nothing is left: half a name is worse than none.
     */
    drawable(text: string): string | null {
      const characters = [...normalized(text, "NFC", maxReasonLength)]
      const isMissing = (character: string) => /\S/u.test(character) && glyphOf(character, "regular") === null
      if (characters.some((character) => spoken.test(character) && isMissing(character))) return null
      const left = characters.filter((character) => !isMissing(character))
      return left.join("").replace(/\s+/g, " ").trim() || null
    },

    /** The text's outline, from the left end of its baseline. */
    shapeOf(text: string, { x, y, size, weight }: { x: number; y: number; size: number; weight: Weight }): Shape {
      let at = x
      const lines: number[][] = []
      for (const character of text) {
        const glyph = glyphOf(character, weight)
        for (const line of glyph?.lines ?? [])
          lines.push(line.map((value, index) => value * size + (index % 2 === 0 ? at : y)))
        at += size * (glyph?.advance ?? 0)
      }
      return lines
    },

    /** The text, or as much of its beginning as fits, with an ellipsis. */
    fitted(text: string, { width, size, weight }: Room): string {
      if (widthOf(text, size, weight) <= width) return text
      const room = { width: width - widthOf("…", size, weight), size, weight }
      return `${beginningOf(text, room).trimEnd()}…`
    },

    /** The text in lines of this width, at most `lines`; what is left over becomes an ellipsis. */
    wrapped(text: string, options: Room & { lines: number }): string[] {
      const { width, size, weight, lines } = options
      const found: string[] = []
      let rest = text.split(" ")
      while (rest.length > 0 && found.length < lines) {
        const count = wordsThatFit(rest)
        const isLast = found.length === lines - 1
        const line = isLast ? rest.join(" ") : rest.slice(0, count).join(" ")
        found.push(this.fitted(line, { width, size, weight }))
        rest = isLast ? [] : rest.slice(count)
      }
      return found

      /** At least one, which is then cut. */
      function wordsThatFit([first = "", ...others]: readonly string[]): number {
        let left = width - widthOf(first, size, weight)
        const isTooLong = (word: string) => {
          left -= widthOf(` ${word}`, size, weight)
          return left < 0
        }
        const index = others.findIndex(isTooLong)
        return 1 + (index < 0 ? others.length : index)
      }
    },
  }
}
