import { inflateSync } from "node:zlib"

/** The pixels of a PNG as this server writes it: eight bits for each of red, green, blue and alpha. */
export function pixelsOf(png: Uint8Array) {
  const file = Buffer.from(png)
  if (file.toString("latin1", 1, 4) !== "PNG") throw new Error("this is no PNG")
  const [width, height] = [file.readUInt32BE(16), file.readUInt32BE(20)]
  const data: Buffer[] = []
  for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at))
    if (file.toString("latin1", at + 4, at + 8) === "IDAT")
      data.push(file.subarray(at + 8, at + 8 + file.readUInt32BE(at)))
  const bytes = unfiltered(inflateSync(Buffer.concat(data)), 4 * width)
  const at = (x: number, y: number): readonly number[] => {
    const from = 4 * (y * width + x)
    return [...bytes.subarray(from, from + 3)]
  }
  return {
    width,
    height,
    at,
    /** How many pixels of this part have not the colour `of`. */
    painted(of: readonly number[], { left, top, right, bottom }: Record<"left" | "top" | "right" | "bottom", number>) {
      let count = 0
      for (let y = top; y < bottom; y += 1)
        for (let x = left; x < right; x += 1) if (at(x, y).some((value, part) => value !== of[part])) count += 1
      return count
    },
  }
}

/** Each row begins with the number of its filter: how its bytes differ from those to the left, above, and above to the left. */
function unfiltered(rows: Uint8Array, stride: number): Uint8Array {
  const bytes = new Uint8Array((rows.length / (stride + 1)) * stride)
  for (let to = 0, from = 0; to < bytes.length; from += 1) {
    const filter = rows[from]
    for (let column = 0; column < stride; column += 1, to += 1) {
      from += 1
      const [left, above, corner] = [
        column < 4 ? 0 : (bytes[to - 4] ?? 0),
        bytes[to - stride] ?? 0,
        column < 4 ? 0 : (bytes[to - stride - 4] ?? 0),
      ]
      const guess = left + above - corner
      const nearest = [left, above, corner].reduce((one, other) =>
        Math.abs(guess - other) < Math.abs(guess - one) ? other : one,
      )
      bytes[to] = (rows[from] ?? 0) + ([0, left, above, (left + above) >> 1, nearest][filter ?? 0] ?? 0)
    }
  }
  return bytes
}
