import type { Lettering, Weight } from "./lettering.ts"
import type { RecapWords } from "./recap-words.ts"

const size = { width: 1200, height: 630 }
const margin = 64
const inner = size.width - 2 * margin

const white = "#ffffff"
const ink = "#1b211d"
const muted = "#59635d"
const warm = "#8c4d16"
const sand = "#f5eee9"
const green = "#1f7a4d"

/** The picture of a look back as SVG. */
export function recapSvg(said: RecapWords, letters: Lettering): string {
  const { width, height } = size
  const parts = [...partsOf(said, letters)].join("")
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${rectangle(0, 0, width, height, white)}${parts}</svg>`
}

function* partsOf(said: RecapWords, letters: Lettering): Generator<string> {
  const draw = (
    text: string,
    place: { readonly x: number; readonly y: number; readonly size: number; readonly weight?: Weight },
    colour: string,
  ) => letters.written(text, { weight: "regular", ...place, colour })
  yield rectangle(0, 0, size.width, 14, warm)

  const title = said.titles.map(letters.drawable).find((one) => one !== null) ?? null
  const initials = said.initials && letters.drawable(said.initials)
  let left = margin
  if (initials) {
    yield rounded(left, 64, 96, 96, 48, sand)
    const width = letters.widthOf(initials, { size: 38, weight: "bold" })
    yield draw(initials, { x: left + 48 - width / 2, y: 126, size: 38, weight: "bold" }, warm)
    left += 124
  }
  if (title) {
    const room = size.width - margin - left
    const width = letters.widthOf(title, { size: 56, weight: "bold" })
    const fontSize = Math.max(40, Math.min(56, (56 * room) / width))
    const text = letters.fitted(title, { width: room, size: fontSize, weight: "bold" })
    yield draw(text, { x: left, y: 112, size: fontSize, weight: "bold" }, ink)
  }
  yield draw(said.period, { x: left, y: title ? 154 : 124, size: title ? 28 : 44 }, muted)

  const tileWidth = (inner - 24) / 2
  for (const [index, { name, number, unit, detail }] of said.figures.entries()) {
    const x = margin + index * (tileWidth + 24)
    const room = tileWidth - 56
    yield rounded(x, 188, tileWidth, 168, 18, sand)
    yield draw(
      letters.fitted(name, { width: room, size: 24, weight: "bold" }),
      { x: x + 28, y: 230, size: 24, weight: "bold" },
      warm,
    )
    const fontSize = Math.min(76, (76 * room) / letters.widthOf(number, { size: 76, weight: "bold" }))
    yield draw(number, { x: x + 28, y: 300, size: fontSize, weight: "bold" }, ink)
    const unitLeft = letters.widthOf(number, { size: fontSize, weight: "bold" }) + (unit.startsWith(" ") ? 14 : 2)
    const counted = letters.drawable(unit)
    if (counted && unitLeft + 60 < room) {
      const text = letters.fitted(counted, { width: room - unitLeft, size: 30, weight: "regular" })
      yield draw(text, { x: x + 28 + unitLeft, y: 300, size: 30 }, ink)
    }
    yield draw(
      letters.fitted(detail, { width: room, size: 24, weight: "regular" }),
      { x: x + 28, y: 338, size: 24 },
      muted,
    )
  }

  let top = 384
  const tags = said.tags.flatMap((tag) => letters.drawable(tag) ?? [])
  let tagLeft = margin
  for (const tag of tags) {
    const width = letters.widthOf(tag, { size: 26, weight: "bold" }) + 40
    if (tagLeft + width > size.width - margin) break
    yield rounded(tagLeft, top, width, 48, 12, sand)
    yield draw(tag, { x: tagLeft + 20, y: top + 33, size: 26, weight: "bold" }, ink)
    tagLeft += width + 14
  }
  if (tags.length > 0) top += 74

  const quote = said.quotes.find(({ text }) => letters.drawable(text) !== null)
  const words = quote && letters.drawable(quote.text)
  if (words) {
    const lines = letters.wrapped(words, { width: inner - 30, size: 30, weight: "regular", lines: 2 })
    yield rectangle(margin, top, 6, 42 * lines.length, warm)
    for (const [index, line] of lines.entries())
      yield draw(line, { x: margin + 28, y: top + 31 + 42 * index, size: 30 }, ink)
    const author = letters.drawable(quote.by)
    if (author) {
      const by = letters.fitted(author, { width: inner / 2, size: 24, weight: "regular" })
      yield draw(by, { x: margin + 28, y: top + 42 * lines.length + 32, size: 24 }, muted)
    }
  }

  const service = letters.drawable(said.service)
  const name = service && letters.fitted(service, { width: inner / 3, size: 24, weight: "bold" })
  const right = size.width - margin - (name ? letters.widthOf(name, { size: 24, weight: "bold" }) : 0)
  yield rounded(right - 48, 562, 36, 36, 9, green)
  yield star(right - 48, 562, 36)
  if (name) yield draw(name, { x: right, y: 589, size: 24, weight: "bold" }, ink)
}

const rectangle = (x: number, y: number, width: number, height: number, colour: string): string =>
  rounded(x, y, width, height, 0, colour)

const rounded = (x: number, y: number, width: number, height: number, radius: number, colour: string): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${colour}"/>`

/** The star of the logo, which the app draws on a square of 32. */
const star = (x: number, y: number, width: number): string =>
  `<path transform="translate(${x} ${y}) scale(${width / 32})" fill="${white}" ` +
  `d="M16 6.5l2.6 6.9 6.9 2.6-6.9 2.6-2.6 6.9-2.6-6.9-6.9-2.6 6.9-2.6z"/>`
