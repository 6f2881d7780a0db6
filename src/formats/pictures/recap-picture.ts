import { nextTick } from "../../domain/ticks.ts"
import { type Colour, createCanvas, type Shape } from "./canvas.ts"
import { type Lettering, loadLettering, type Weight } from "./lettering.ts"
import type { RecapWords } from "./recap-words.ts"

const size = { width: 1200, height: 630 }
const margin = 64
const inner = size.width - 2 * margin

const white: Colour = [255, 255, 255]
const ink: Colour = [27, 33, 29]
const muted: Colour = [89, 99, 93]
const warm: Colour = [140, 77, 22]
const sand: Colour = [245, 238, 233]
const green: Colour = [31, 122, 77]

/** The fonts are read with the first picture. */
let lettering: Promise<Lettering> | undefined

/** Draws a look back as a PNG of 1200 by 630 pixels, the size that chats and networks show. It lets the event loop run between its parts. */
export async function drawRecap(said: RecapWords): Promise<Uint8Array> {
  lettering ??= loadLettering()
  const letters = await lettering
  const canvas = createCanvas(size.width, size.height, white)
  for (const [shape, colour] of partsOf(said, letters)) {
    canvas.fill(shape, colour)
    await nextTick()
  }
  return canvas.png()
}

type Part = readonly [shape: Shape, colour: Colour]

function* partsOf(said: RecapWords, letters: Lettering): Generator<Part> {
  const draw = (
    text: string,
    place: { readonly x: number; readonly y: number; readonly size: number; readonly weight?: Weight },
    colour: Colour,
  ): Part => [letters.shapeOf(text, { weight: "regular", ...place }), colour]
  yield [rectangle(0, 0, size.width, 14), warm]

  const title = said.titles.map(letters.drawable).find((one) => one !== null) ?? null
  const initials = said.initials && letters.drawable(said.initials)
  let left = margin
  if (initials) {
    yield [circle(left + 48, 112, 48), sand]
    const width = letters.widthOf(initials, 38, "bold")
    yield draw(initials, { x: left + 48 - width / 2, y: 126, size: 38, weight: "bold" }, warm)
    left += 124
  }
  if (title) {
    const room = size.width - margin - left
    const fontSize = Math.max(40, Math.min(56, (56 * room) / Math.max(1, letters.widthOf(title, 56, "bold"))))
    const text = letters.fitted(title, { width: room, size: fontSize, weight: "bold" })
    yield draw(text, { x: left, y: 112, size: fontSize, weight: "bold" }, ink)
  }
  yield draw(said.period, { x: left, y: title ? 154 : 124, size: title ? 28 : 44 }, muted)

  const tileWidth = (inner - 24) / 2
  for (const [index, { name, number, unit, detail }] of said.figures.entries()) {
    const x = margin + index * (tileWidth + 24)
    const room = tileWidth - 56
    yield [rounded(x, 188, tileWidth, 168, 18), sand]
    yield draw(
      letters.fitted(name, { width: room, size: 24, weight: "bold" }),
      { x: x + 28, y: 230, size: 24, weight: "bold" },
      warm,
    )
    const fontSize = Math.min(76, (76 * room) / letters.widthOf(number, 76, "bold"))
    yield draw(number, { x: x + 28, y: 300, size: fontSize, weight: "bold" }, ink)
    const unitLeft = letters.widthOf(number, fontSize, "bold") + (unit.startsWith(" ") ? 14 : 2)
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
    const width = letters.widthOf(tag, 26, "bold") + 40
    if (tagLeft + width > size.width - margin) break
    yield [rounded(tagLeft, top, width, 48, 12), sand]
    yield draw(tag, { x: tagLeft + 20, y: top + 33, size: 26, weight: "bold" }, ink)
    tagLeft += width + 14
  }
  if (tags.length > 0) top += 74

  const quote = said.quotes
    .map(({ text, by }) => ({ text: letters.drawable(text), by: letters.drawable(by) }))
    .find(({ text }) => text !== null)
  if (quote?.text) {
    const lines = letters.wrapped(quote.text, { width: inner - 30, size: 30, weight: "regular", lines: 2 })
    yield [rectangle(margin, top, 6, 42 * lines.length), warm]
    for (const [index, line] of lines.entries())
      yield draw(line, { x: margin + 28, y: top + 31 + 42 * index, size: 30 }, ink)
    if (quote.by) {
      const by = letters.fitted(quote.by, { width: inner / 2, size: 24, weight: "regular" })
      yield draw(by, { x: margin + 28, y: top + 42 * lines.length + 32, size: 24 }, muted)
    }
  }

  const service = letters.drawable(said.service)
  const name = service && letters.fitted(service, { width: inner / 3, size: 24, weight: "bold" })
  const right = size.width - margin - (name ? letters.widthOf(name, 24, "bold") : 0)
  yield [rounded(right - 48, 562, 36, 36, 9), green]
  yield [star(right - 48, 562, 36), white]
  if (name) yield draw(name, { x: right, y: 589, size: 24, weight: "bold" }, ink)
}

const rectangle = (x: number, y: number, width: number, height: number): Shape => [
  [x, y, x + width, y, x + width, y + height, x, y + height],
]

const circle = (x: number, y: number, radius: number): Shape =>
  rounded(x - radius, y - radius, 2 * radius, 2 * radius, radius)

/** Straight pieces of a quarter of a circle. */
const piecesOfCorner = 16

function rounded(x: number, y: number, width: number, height: number, radius: number): Shape {
  const centres = [
    [x + width - radius, y + height - radius],
    [x + radius, y + height - radius],
    [x + radius, y + radius],
    [x + width - radius, y + radius],
  ] as const
  return [
    centres.flatMap(([centreX, centreY], corner) =>
      Array.from({ length: piecesOfCorner + 1 }, (_, piece) => {
        const angle = ((corner + piece / piecesOfCorner) * Math.PI) / 2
        return [centreX + radius * Math.cos(angle), centreY + radius * Math.sin(angle)]
      }).flat(),
    ),
  ]
}

/** The star of the logo, which the app draws on a square of 32. */
const star = (x: number, y: number, width: number): Shape => [
  [16, 6.5, 18.6, 13.4, 25.5, 16, 18.6, 18.6, 16, 25.5, 13.4, 18.6, 6.5, 16, 13.4, 13.4].map(
    (value, index) => (value * width) / 32 + (index % 2 === 0 ? x : y),
  ),
]
