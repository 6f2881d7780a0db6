import { inflateSync } from "node:zlib"

/** The pixels of a PNG as this server writes it: eight bits for each of three colours, rows without a filter. */
export function pixelsOf(png: Uint8Array) {
  const file = Buffer.from(png)
  if (file.toString("latin1", 1, 4) !== "PNG") throw new Error("this is no PNG")
  const [width, height] = [file.readUInt32BE(16), file.readUInt32BE(20)]
  const data: Buffer[] = []
  for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at))
    if (file.toString("latin1", at + 4, at + 8) === "IDAT")
      data.push(file.subarray(at + 8, at + 8 + file.readUInt32BE(at)))
  const bytes = inflateSync(Buffer.concat(data))
  const at = (x: number, y: number): readonly number[] => {
    const from = y * (1 + 3 * width) + 1 + 3 * x
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
