import { deflateSync } from "node:zlib"
import type { Browser } from "playwright-core"

/** The same picture in at most 256 colours, which a screen of this app hardly has more of: a third of the size. */
export async function quantise(browser: Browser, png: Uint8Array): Promise<Uint8Array> {
  const { width, height, pixels } = await decode(browser, png)
  const { palette, indexes } = paletteOf(pixels)
  const rows = new Uint8Array((width + 1) * height) // the first byte of each says: as they are
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rows[y * (width + 1) + x + 1] = indexes.get(pixels[y * width + x] ?? 0) ?? 0

  const header = new DataView(new ArrayBuffer(13))
  header.setUint32(0, width)
  header.setUint32(4, height)
  header.setUint8(8, 8) // bits of an index
  header.setUint8(9, 3) // colours by index
  return Buffer.concat([
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk("IHDR", new Uint8Array(header.buffer)),
    chunk("PLTE", Uint8Array.from(palette.flatMap(channelsOf))),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", new Uint8Array()),
  ])
}

/** By the browser, which knows how. A pixel is red in its lowest byte, then green, then blue. */
async function decode(browser: Browser, png: Uint8Array) {
  const page = await browser.newPage()
  const { width, height, rgba } = await page.evaluate(async (data) => {
    const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob())
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
    const context = canvas.getContext("2d")
    context?.drawImage(bitmap, 0, 0)
    const drawn = context?.getImageData(0, 0, bitmap.width, bitmap.height).data ?? new Uint8ClampedArray()
    const reader = new FileReader()
    const { promise, resolve } = Promise.withResolvers<void>()
    reader.onload = () => resolve()
    reader.readAsDataURL(new Blob([drawn]))
    await promise
    return { width: bitmap.width, height: bitmap.height, rgba: String(reader.result) }
  }, png.toBase64())
  await page.close()
  const bytes = Uint8Array.fromBase64(rgba.slice(rgba.indexOf(",") + 1))
  return { width, height, pixels: new Uint32Array(bytes.buffer).map((pixel) => pixel & 0xffffff) }
}

/** At most 256 colours, taken one by one: each time the one that would be furthest off on most pixels. */
function paletteOf(pixels: Uint32Array) {
  const counts = new Map<number, number>()
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1)
  const colours = [...counts].map(([colour, count]) => ({ colour, count, index: 0, off: Number.POSITIVE_INFINITY }))
  const palette: number[] = []
  while (palette.length < Math.min(256, colours.length)) {
    const worst = colours.reduce((one, other) => (other.off * other.count > one.off * one.count ? other : one))
    const index = palette.push(worst.colour) - 1
    for (const one of colours) {
      const off = distance(one.colour, worst.colour)
      if (off < one.off) Object.assign(one, { off, index })
    }
  }
  return { palette, indexes: new Map(colours.map(({ colour, index }) => [colour, index])) }
}

const channelsOf = (colour: number): [number, number, number] => [
  colour & 0xff,
  (colour >> 8) & 0xff,
  (colour >> 16) & 0xff,
]

function distance(one: number, other: number): number {
  const [red, green, blue] = channelsOf(other)
  const [ownRed, ownGreen, ownBlue] = channelsOf(one)
  return (ownRed - red) ** 2 + (ownGreen - green) ** 2 + (ownBlue - blue) ** 2
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const content = Buffer.concat([Buffer.from(type, "latin1"), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(Bun.hash.crc32(content))
  return Buffer.concat([length, content, sum])
}
