import { inflateSync } from "node:zlib"

/** The outline of a character: closed lines of x, y, x, y, … in parts of the font size, y downwards from the baseline. */
export interface Glyph {
  /** How far the next character is, in parts of the font size. */
  readonly advance: number
  readonly lines: readonly (readonly number[])[]
}

export interface Font {
  /** Null when the font lacks the character. */
  glyph(character: string): Glyph | null
}

/**
 * Reads a WOFF file with TrueType outlines, such as those of @fontsource. Only what is asked for is read. Ligatures and kerning
 * are ignored.
 */
export function readFont(file: ArrayBuffer): Font {
  const table = tablesIn(file)
  const [head, metrics, places, outlines] = [table("head"), table("hmtx"), table("loca"), table("glyf")]
  const unitsPerEm = head.getUint16(18)
  const hasLongPlaces = head.getInt16(50) === 1
  const metricsCount = table("hhea").getUint16(34)
  const numberOf = numbersIn(table("cmap"))
  const known = new Map<number, Glyph>()

  return {
    glyph(character) {
      const number = numberOf(character.codePointAt(0) ?? 0)
      if (number === 0) return null
      const glyph = known.get(number) ?? {
        advance: metrics.getUint16(4 * Math.min(number, metricsCount - 1)) / unitsPerEm,
        lines: contoursOf(number).map((contour) => flattened(contour).map((value) => value / unitsPerEm)),
      }
      known.set(number, glyph)
      return glyph
    },
  }

  /** The outline of a glyph in units of the font. `depth` bounds glyphs that consist of others. */
  function contoursOf(number: number, depth = 0): Contour[] {
    const at = (index: number) => (hasLongPlaces ? places.getUint32(4 * index) : 2 * places.getUint16(2 * index))
    const [begin, end] = [at(number), at(number + 1)]
    if (begin === end || depth > 4) return []
    const glyph = new DataView(outlines.buffer, outlines.byteOffset + begin, end - begin)
    const count = glyph.getInt16(0)
    return count >= 0 ? simpleContours(glyph, count) : composed(glyph, depth)
  }

  function composed(glyph: DataView, depth: number): Contour[] {
    const parts: Contour[] = []
    for (let at = 10, more = true; more; ) {
      const flags = glyph.getUint16(at)
      const number = glyph.getUint16(at + 2)
      at += 4
      const isWide = (flags & 1) !== 0
      const [dx, dy] = isWide
        ? [glyph.getInt16(at), glyph.getInt16(at + 2)]
        : [glyph.getInt8(at), glyph.getInt8(at + 1)]
      at += isWide ? 4 : 2
      const scale = () => {
        at += 2
        return glyph.getInt16(at - 2) / 16_384
      }
      let [xx, xy, yx, yy] = [1, 0, 0, 1]
      if ((flags & 0x08) !== 0) xx = yy = scale()
      else if ((flags & 0x40) !== 0) [xx, yy] = [scale(), scale()]
      else if ((flags & 0x80) !== 0) [xx, xy, yx, yy] = [scale(), scale(), scale(), scale()]
      for (const contour of contoursOf(number, depth + 1))
        parts.push(contour.map(({ x, y, isOn }) => ({ x: x * xx + y * yx + dx, y: x * xy + y * yy + dy, isOn })))
      more = (flags & 0x20) !== 0
    }
    return parts
  }
}

interface Point {
  readonly x: number
  readonly y: number
  /** Whether the outline passes through it; otherwise it bends the outline. */
  readonly isOn: boolean
}

type Contour = readonly Point[]

/** Returns a function that unpacks a table of the file. */
function tablesIn(file: ArrayBuffer): (name: string) => DataView {
  const view = new DataView(file)
  if (view.getUint32(0) !== 0x774f4646) throw new Error("the font is no WOFF file")
  const entries = new Map<string, number>()
  for (let index = 0; index < view.getUint16(12); index += 1) {
    const at = 44 + 20 * index
    entries.set(String.fromCharCode(...new Uint8Array(file, at, 4)), at)
  }
  return (name) => {
    const at = entries.get(name)
    if (at === undefined) throw new Error(`the font has no table ${name}`)
    const [offset, packedLength, length] = [view.getUint32(at + 4), view.getUint32(at + 8), view.getUint32(at + 12)]
    const packed = new Uint8Array(file, offset, packedLength)
    const bytes = packedLength < length ? inflateSync(packed) : packed
    return new DataView(bytes.buffer, bytes.byteOffset, length)
  }
}

/** Returns a function that finds the number of a character's glyph in the table `cmap`; 0 for none. */
function numbersIn(cmap: DataView): (codePoint: number) => number {
  for (let index = 0; index < cmap.getUint16(2); index += 1) {
    const at = cmap.getUint32(8 + 8 * index)
    if (cmap.getUint16(at) === 4) return (codePoint) => numberIn(cmap, at, codePoint)
  }
  throw new Error("the font has no table of characters in format 4")
}

/** Format 4: segments of characters, ascending by their last one. */
function numberIn(cmap: DataView, at: number, codePoint: number): number {
  const length = cmap.getUint16(at + 6)
  const [ends, starts, deltas, offsets] = [0, length + 2, 2 * length + 2, 3 * length + 2].map((skip) => at + 14 + skip)
  if (ends === undefined || starts === undefined || deltas === undefined || offsets === undefined) return 0
  for (let segment = 0; segment < length; segment += 2) {
    if (cmap.getUint16(ends + segment) < codePoint) continue
    const start = cmap.getUint16(starts + segment)
    if (start > codePoint) return 0
    const delta = cmap.getUint16(deltas + segment)
    const offset = cmap.getUint16(offsets + segment)
    if (offset === 0) return (codePoint + delta) & 0xffff
    const number = cmap.getUint16(offsets + segment + offset + 2 * (codePoint - start))
    return number === 0 ? 0 : (number + delta) & 0xffff
  }
  return 0
}

function simpleContours(glyph: DataView, count: number): Contour[] {
  const ends = Array.from({ length: count }, (_, index) => glyph.getUint16(10 + 2 * index))
  const total = (ends.at(-1) ?? -1) + 1
  let at = 10 + 2 * count
  at += 2 + glyph.getUint16(at)
  const flags: number[] = []
  while (flags.length < total) {
    const flag = glyph.getUint8(at)
    const times = (flag & 8) === 0 ? 1 : 1 + glyph.getUint8(at + 1)
    at += (flag & 8) === 0 ? 1 : 2
    for (let time = 0; time < times; time += 1) flags.push(flag)
  }
  const xs = coordinates(2, 16)
  const ys = coordinates(4, 32)
  return ends.map((end, index) =>
    flags.slice((ends[index - 1] ?? -1) + 1, end + 1).map((flag, place) => {
      const of = (ends[index - 1] ?? -1) + 1 + place
      return { x: xs[of] ?? 0, y: ys[of] ?? 0, isOn: (flag & 1) !== 0 }
    }),
  )

  /** Each is the difference to the one before: in a byte (`short`), whose sign is in `same`, in two, or none (`same`). */
  function coordinates(short: number, same: number): number[] {
    let value = 0
    return flags.map((flag) => {
      if ((flag & short) !== 0) {
        value += (flag & same) !== 0 ? glyph.getUint8(at) : -glyph.getUint8(at)
        at += 1
      } else if ((flag & same) === 0) {
        value += glyph.getInt16(at)
        at += 2
      }
      return value
    })
  }
}

/** Straight pieces of a curve: no edge is visible in letters of 100 pixels. */
const pieces = 6

/** The contour as a line of x, y, x, y, …, with y downwards. Between two bends that follow each other lies a point of the outline. */
function flattened(contour: Contour): number[] {
  const points = contour.flatMap((point, index) => {
    const next = contour[(index + 1) % contour.length] ?? point
    return point.isOn || next.isOn ? [point] : [point, middleOf(point, next)]
  })
  const begin = points.findIndex(({ isOn }) => isOn)
  if (begin === -1) return []
  const line: number[] = []
  for (let step = 0; step < points.length; step += 1) {
    const [from, by, to] = [0, 1, 2].map((ahead) => points[(begin + step + ahead) % points.length])
    if (!from || !by || !to) continue
    if (from.isOn) line.push(from.x, -from.y)
    if (from.isOn && !by.isOn)
      for (let piece = 1; piece < pieces; piece += 1) {
        const t = piece / pieces
        const [a, b, c] = [(1 - t) * (1 - t), 2 * t * (1 - t), t * t]
        line.push(a * from.x + b * by.x + c * to.x, -(a * from.y + b * by.y + c * to.y))
      }
  }
  return line
}

const middleOf = (one: Point, other: Point): Point => ({
  x: (one.x + other.x) / 2,
  y: (one.y + other.y) / 2,
  isOn: true,
})
