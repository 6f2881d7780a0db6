import { promisify } from "node:util"
import { crc32, deflate } from "node:zlib"

export type Colour = readonly [red: number, green: number, blue: number]

/** Closed lines of x, y, x, y, … */
export type Shape = readonly (readonly number[])[]

/** A picture in memory. Shapes are filled with smooth edges. */
export function createCanvas(width: number, height: number, [red, green, blue]: Colour) {
  // Rows as PNG stores them: a zero before each, which says that the bytes are as they are.
  const stride = 1 + 3 * width
  const bytes = new Uint8Array(stride * height)
  for (let at = 1; at < stride; at += 3) paint(at, [red, green, blue])
  for (let row = 1; row < height; row += 1) bytes.copyWithin(row * stride, 0, stride)

  return {
    /**
     * Fills a shape. Each edge adds to the pixels of its rows by how much of them lies to its right, with a sign by its
     * direction; the sum from the left is how much of a pixel is inside (the way of the library font-rs).
     */
    fill(shape: Shape, colour: Colour) {
      const box = boxOf(shape, width, height)
      if (box === null) return
      const { left, top, columns, rows } = box
      const cover = new Float32Array((columns + 2) * rows)
      for (const line of shape)
        for (let at = 0; at < line.length; at += 2) {
          const next = (at + 2) % line.length
          addEdge(
            cover,
            { columns: columns + 2, rows },
            { x: (line[at] ?? 0) - left, y: (line[at + 1] ?? 0) - top },
            { x: (line[next] ?? 0) - left, y: (line[next + 1] ?? 0) - top },
          )
        }
      for (let row = 0; row < rows; row += 1) {
        let inside = 0
        for (let column = 0; column < columns; column += 1) {
          inside += cover[row * (columns + 2) + column] ?? 0
          const share = Math.abs(inside)
          if (share > 0.998) paint((top + row) * stride + 1 + 3 * (left + column), colour)
          else if (share > 0.002) blend((top + row) * stride + 1 + 3 * (left + column), share, colour)
        }
      }
    },

    /** The picture as a PNG file. It is compressed beside the event loop. */
    async png(): Promise<Uint8Array> {
      const header = new DataView(new ArrayBuffer(13))
      header.setUint32(0, width)
      header.setUint32(4, height)
      header.setUint16(8, 0x0802) // eight bits for each of three colours
      const packed = await promisify(deflate)(bytes)
      return Buffer.concat([
        Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
        chunk("IHDR", new Uint8Array(header.buffer)),
        chunk("IDAT", packed),
        chunk("IEND", new Uint8Array()),
      ])
    },
  }

  function paint(at: number, [red, green, blue]: Colour) {
    bytes[at] = red
    bytes[at + 1] = green
    bytes[at + 2] = blue
  }

  function blend(at: number, share: number, [red, green, blue]: Colour) {
    const [redBefore = 0, greenBefore = 0, blueBefore = 0] = [bytes[at], bytes[at + 1], bytes[at + 2]]
    bytes[at] = redBefore + share * (red - redBefore) + 0.5
    bytes[at + 1] = greenBefore + share * (green - greenBefore) + 0.5
    bytes[at + 2] = blueBefore + share * (blue - blueBefore) + 0.5
  }
}

/** Whole pixels around a shape, within the picture; null when it is empty, or reaches beyond. */
function boxOf(shape: Shape, width: number, height: number) {
  let [left, top, right, bottom] = [width, height, 0, 0]
  for (const line of shape)
    for (let at = 0; at < line.length; at += 2) {
      const [x = 0, y = 0] = [line[at], line[at + 1]]
      left = Math.min(left, Math.floor(x))
      right = Math.max(right, Math.ceil(x))
      top = Math.min(top, Math.floor(y))
      bottom = Math.max(bottom, Math.ceil(y))
    }
  const isWithin = left >= 0 && top >= 0 && right <= width && bottom <= height
  return isWithin && left < right && top < bottom ? { left, top, columns: right - left, rows: bottom - top } : null
}

interface Place {
  readonly x: number
  readonly y: number
}

function addEdge(
  cover: Float32Array,
  { columns, rows }: { readonly columns: number; readonly rows: number },
  from: Place,
  to: Place,
) {
  if (from.y === to.y) return
  const sign = from.y < to.y ? 1 : -1
  const [upper, lower] = sign === 1 ? [from, to] : [to, from]
  const slope = (lower.x - upper.x) / (lower.y - upper.y)
  let x = upper.x
  for (let row = Math.floor(upper.y); row < Math.min(rows, Math.ceil(lower.y)); row += 1) {
    const height = Math.min(row + 1, lower.y) - Math.max(row, upper.y)
    const next = x + slope * height
    addRow(cover, row * columns, Math.min(x, next), Math.max(x, next), sign * height)
    x = next
  }
}

/** The part of an edge within one row, from `left` to `right`. `height` has the sign of the edge. */
function addRow(cover: Float32Array, row: number, left: number, right: number, height: number) {
  const add = (column: number, share: number) => {
    cover[row + column] = (cover[row + column] ?? 0) + height * share
  }
  const [first, last] = [Math.floor(left), Math.ceil(right)]
  if (last <= first + 1) {
    const middle = (left + right) / 2 - first
    add(first, 1 - middle)
    add(first + 1, middle)
    return
  }
  // The edge crosses several pixels: how much lies to its right grows with the square, then evenly, then with the square.
  const perPixel = 1 / (right - left)
  const shareOf = (column: number): number => {
    const reached = (at: number) => Math.min(Math.max(at - left, 0), right - left)
    const [begin, end] = [reached(column), reached(column + 1)]
    const before = perPixel * begin
    const gained = perPixel * (end - begin)
    const crossed = end - begin
    return before + gained * (column + 1 - Math.max(column, left) - crossed / 2)
  }
  let known = 0
  for (let column = first; column < last; column += 1) {
    const share = shareOf(column)
    add(column, share - known)
    known = share
  }
  add(last, 1 - known)
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
