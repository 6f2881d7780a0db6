import { describe, expect, test } from "bun:test"
import { examinedPicture, maxPixels, maxSide } from "../../../src/domain/people/pictures.ts"
import { pictures, pngOf, webpOf } from "../../support/pictures.ts"

const kinds = {
  png: "png",
  jpeg: "jpeg",
  progressive: "jpeg",
  lossy: "webp",
  lossless: "webp",
  translucent: "webp",
  animatedWebp: "webp",
  animatedPng: "png",
} as const
const whole = Object.entries(pictures).map(([name, bytes]) => [name, bytes] as const)
const [damaged, size, frames] = [{ fault: "damaged" }, { fault: "size" }, { fault: "frames" }] as const

/** A copy with these bytes from there on. */
function changed(bytes: Uint8Array, at: number, ...values: readonly number[]): Uint8Array {
  const copy = Uint8Array.from(bytes)
  copy.set(values, at)
  return copy
}

/** Where these letters are in a file. */
const placeOf = (bytes: Uint8Array, name: string): number => Buffer.from(bytes).indexOf(name)

test.each(whole)("a whole picture (%s) is known by its content, also with bytes behind its end", (name, bytes) => {
  expect(examinedPicture(bytes)).toBe(kinds[name as keyof typeof kinds])
  expect(examinedPicture(Buffer.concat([bytes, Buffer.alloc(100)]))).toBe(kinds[name as keyof typeof kinds])
})

test.each(whole)("a picture (%s) that is cut off anywhere is refused", (_, bytes) => {
  for (let length = 0; length < bytes.length; length += 1)
    expect(examinedPicture(bytes.subarray(0, length))).toEqual({
      fault: length < 12 && length < signatureLength(bytes) ? "format" : "damaged",
    })
})

const signatureLength = (bytes: Uint8Array) => ({ 137: 8, 255: 3, 82: 12 })[bytes[0] ?? 0] ?? 0

test("another format is none: GIF, AVIF, SVG, a page, nothing", () => {
  const avif = Buffer.from("\0\0\0\x20ftypavif\0\0\0\0avifmif1miafMA1B", "latin1")
  for (const bytes of [Buffer.from("GIF89a"), avif, Buffer.from("<svg/>"), Buffer.from("<!doctype html>"), Buffer.of()])
    expect(examinedPicture(bytes)).toEqual({ fault: "format" })
})

describe("a side of at most 2,048 pixels", () => {
  test("PNG", () => {
    expect(examinedPicture(pngOf({ width: maxSide, height: maxSide }))).toBe("png")
    expect(examinedPicture(pngOf({ width: maxSide + 1 }))).toEqual(size)
    expect(examinedPicture(pngOf({ height: maxSide + 1 }))).toEqual(size)
    expect(examinedPicture(pngOf({ width: 20_000, height: 20_000 }))).toEqual(size)
    expect(examinedPicture(pngOf({ width: 0xffff_ffff, height: 0xffff_ffff }))).toEqual(size)
    expect(examinedPicture(pngOf({ width: 0 }))).toEqual(damaged)
  })

  test.each(["jpeg", "progressive"] as const)("JPEG (%s)", (name) => {
    const bytes = pictures[name]
    const at = Buffer.from(bytes).indexOf(Buffer.from(name === "jpeg" ? "ffc0" : "ffc2", "hex")) + 5
    expect(examinedPicture(changed(bytes, at, 8, 0, 8, 0))).toBe("jpeg")
    expect(examinedPicture(changed(bytes, at, 8, 1))).toEqual(size)
    expect(examinedPicture(changed(bytes, at + 2, 8, 1))).toEqual(size)
    expect(examinedPicture(changed(bytes, at, 0, 0))).toEqual(damaged)
  })

  test("WebP, lossy", () => {
    const at = placeOf(pictures.lossy, "VP8 ") + 14
    expect(examinedPicture(changed(pictures.lossy, at, 0, 8, 0, 8))).toBe("webp")
    expect(examinedPicture(changed(pictures.lossy, at, 1, 8))).toEqual(size)
    expect(examinedPicture(changed(pictures.lossy, at + 2, 1, 8))).toEqual(size)
    expect(examinedPicture(changed(pictures.lossy, at, 0, 0))).toEqual(damaged)
  })

  test("WebP, lossless", () => {
    const at = placeOf(pictures.lossless, "VP8L") + 9
    const sides = (width: number, height: number) => {
      const bytes = new Uint8Array(4)
      new DataView(bytes.buffer).setUint32(0, (width - 1) | ((height - 1) << 14), true)
      return changed(pictures.lossless, at, ...bytes)
    }
    expect(examinedPicture(sides(maxSide, maxSide))).toBe("webp")
    expect(examinedPicture(sides(maxSide + 1, 1))).toEqual(size)
    expect(examinedPicture(sides(1, maxSide + 1))).toEqual(size)
    expect(examinedPicture(sides(16_384, 16_384))).toEqual(size)
  })

  test("WebP with a canvas, whose picture must have its size", () => {
    const bytes = pictures.translucent
    const [canvas, still] = [placeOf(bytes, "VP8X") + 12, placeOf(bytes, "VP8 ") + 14]
    const grown = changed(changed(bytes, canvas, 0, 8, 0), still, 1, 8)
    expect(examinedPicture(grown)).toEqual(size)
    expect(examinedPicture(changed(bytes, canvas, 0x0c, 0, 0))).toEqual(damaged)
    expect(examinedPicture(changed(bytes, still, 0xff, 0x3f))).toEqual(damaged)
  })
})

describe("an animation", () => {
  const canvas = { width: 1000, height: 1000 }
  const many = (count: number) => Array<typeof canvas>(count).fill({ width: 10, height: 10 })
  const most = Math.floor(maxPixels / 1_000_000)

  test("has a bounded number of pixels: its canvas for each frame, which browsers hold whole", () => {
    expect(examinedPicture(pngOf({ ...canvas, frames: many(most) }))).toBe("png")
    expect(examinedPicture(pngOf({ ...canvas, frames: many(most + 1) }))).toEqual(frames)
    expect(examinedPicture(webpOf(canvas, many(most)))).toBe("webp")
    expect(examinedPicture(webpOf(canvas, many(most + 1)))).toEqual(frames)
    expect(examinedPicture(webpOf({ width: maxSide + 1, height: 10 }, many(1)))).toEqual(size)
  })

  test("has no frame beyond its canvas, nor an empty one", () => {
    const inside = { width: 400, height: 400, left: 600, top: 600 }
    for (const [frame, expected] of [
      [inside, null],
      [{ ...inside, left: 602 }, damaged],
      [{ ...inside, top: 602 }, damaged],
      [{ ...inside, width: 20_000 }, damaged],
      [{ ...inside, height: 20_000 }, damaged],
    ] as const) {
      expect(examinedPicture(pngOf({ ...canvas, frames: [frame] }))).toEqual(expected ?? "png")
      if (frame.width <= 16_384 && frame.height <= 16_384)
        expect(examinedPicture(webpOf(canvas, [frame]))).toEqual(expected ?? "webp")
    }
    expect(examinedPicture(pngOf({ ...canvas, frames: [{ width: 0, height: 1 }] }))).toEqual(damaged)
    expect(examinedPicture(webpOf(canvas, []))).toEqual(damaged)
  })

  test("in WebP has a picture in each frame, of the size that the frame says", () => {
    const bytes = pictures.animatedWebp
    const frame = placeOf(bytes, "ANMF")
    expect(examinedPicture(changed(bytes, frame + 24, 0x58))).toEqual(damaged) // "XP8 "
    expect(examinedPicture(changed(bytes, frame + 8 + 6, 5))).toEqual(damaged)
  })
})

describe("a picture that contradicts itself is damaged", () => {
  test("PNG: no header first, a second one, no pixels, a chunk beyond the end", () => {
    const { png } = pictures
    expect(examinedPicture(changed(png, placeOf(png, "IHDR"), 0x58))).toEqual(damaged)
    expect(examinedPicture(changed(png, placeOf(png, "IHDR") - 1, 14))).toEqual(damaged)
    expect(examinedPicture(changed(png, placeOf(png, "IDAT"), 0x58))).toEqual(damaged)
    expect(examinedPicture(changed(png, placeOf(png, "IDAT") - 4, 0x7f))).toEqual(damaged)
    const second = Buffer.concat([png.subarray(0, 33), png.subarray(8)])
    expect(examinedPicture(second)).toEqual(damaged)
    const apng = pictures.animatedPng
    expect(examinedPicture(changed(apng, placeOf(apng, "fcTL") - 1, 25))).toEqual(damaged)
  })

  test.each(["png", "animatedPng"] as const)("PNG (%s): a chunk that is not as it was written", (name) => {
    const bytes = pictures[name]
    for (let at = 8; at < bytes.length; at += 1)
      expect(examinedPicture(changed(bytes, at, (bytes[at] ?? 0) ^ 1))).toEqual(damaged)
  })

  test("JPEG: pixels without a size, two sizes, an endless segment, no marker where one must be", () => {
    const { jpeg } = pictures
    const frame = Buffer.from(jpeg).indexOf(Buffer.from("ffc0", "hex"))
    const scan = Buffer.from(jpeg).indexOf(Buffer.from("ffda", "hex"))
    expect(examinedPicture(changed(jpeg, frame + 1, 0xe5))).toEqual(damaged)
    expect(examinedPicture(changed(jpeg, 3, 0xc0))).toEqual(damaged)
    expect(examinedPicture(changed(jpeg, 4, 0xff, 0xff))).toEqual(damaged)
    expect(examinedPicture(changed(jpeg, 4, 0, 1))).toEqual(damaged)
    expect(examinedPicture(changed(jpeg, scan, 0))).toEqual(damaged)
    expect(examinedPicture(Buffer.concat([jpeg.subarray(0, scan), Buffer.of(0xff, 0xd9)]))).toEqual(damaged)
    expect(examinedPicture(changed(jpeg, frame + 3, 6))).toEqual(damaged)
  })

  test("JPEG: a larger picture behind a marker that has no length, where decoders find it", () => {
    const { jpeg } = pictures
    const frame = Buffer.from(jpeg).indexOf(Buffer.from("ffc0", "hex"))
    const large = changed(jpeg, frame + 5, 0x4e, 0x20, 0x4e, 0x20).subarray(2, -2)
    const behind = (marker: number) => {
      const length = large.length + 2
      return Buffer.concat([Buffer.of(0xff, 0xd8, 0xff, marker, length >> 8, length), large, jpeg.subarray(2)])
    }
    expect(examinedPicture(behind(0xe1))).toBe("jpeg") // as the small picture of a photograph
    expect(examinedPicture(behind(0xfe))).toBe("jpeg")
    for (const marker of [0x00, 0x01, 0x02, 0xbf, 0xc8, 0xd0, 0xd7, 0xd8, 0xde, 0xdf, 0xf0, 0xfd])
      expect([marker, examinedPicture(behind(marker))]).toEqual([marker, damaged])
  })

  test("JPEG: fill bytes, restarts and an ff of the data are no markers; more than a hundred scans are no picture", () => {
    const { jpeg } = pictures
    const scan = Buffer.from(jpeg).indexOf(Buffer.from("ffda", "hex"))
    const filled = Buffer.concat([jpeg.subarray(0, scan), Buffer.of(0xff, 0xff), jpeg.subarray(scan)])
    expect(examinedPicture(filled)).toBe("jpeg")
    const end = jpeg.length - 2
    const data = Buffer.concat([jpeg.subarray(0, end), Buffer.of(0xff, 0, 0xff, 0xd0, 0xff, 0xd7), jpeg.subarray(end)])
    expect(examinedPicture(data)).toBe("jpeg")
    const scans = (count: number) =>
      Buffer.concat([jpeg.subarray(0, scan), ...Array(count).fill(jpeg.subarray(scan, end)), jpeg.subarray(end)])
    expect(examinedPicture(scans(100))).toBe("jpeg")
    expect(examinedPicture(scans(101))).toEqual(damaged)
  })

  test("WebP: lengths beyond the end, a canvas without a picture, no key frame, a part beyond its data", () => {
    const { lossy, translucent } = pictures
    const still = placeOf(lossy, "VP8 ")
    expect(examinedPicture(changed(lossy, 4, 0xff))).toEqual(damaged)
    expect(examinedPicture(changed(lossy, 4, 4, 0, 0, 0))).toEqual(damaged)
    expect(examinedPicture(changed(lossy, still + 4, 0xff))).toEqual(damaged)
    expect(examinedPicture(changed(lossy, still + 8, (lossy[still + 8] ?? 0) | 1))).toEqual(damaged)
    expect(examinedPicture(changed(lossy, still + 11, 0))).toEqual(damaged)
    expect(examinedPicture(changed(lossy, still + 9, 0xff))).toEqual(damaged)
    expect(examinedPicture(changed(lossy, still, 0x58))).toEqual(damaged)
    expect(examinedPicture(changed(translucent, placeOf(translucent, "VP8 "), 0x58))).toEqual(damaged)
    expect(examinedPicture(changed(translucent, placeOf(translucent, "VP8X") + 4, 8))).toEqual(damaged)
  })
})

test("whatever bytes a file has, it is a picture or has one of the faults", () => {
  const faults = ["damaged", "size", "frames", "format"]
  let seed = 1
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  for (const [name, bytes] of whole)
    for (let round = 0; round < 3000; round += 1) {
      const copy = Uint8Array.from(bytes)
      for (let change = 0; change <= random(4); change += 1) copy[random(copy.length)] = random(256)
      const result = examinedPicture(random(3) === 0 ? copy.subarray(0, random(copy.length)) : copy)
      if (typeof result === "string") expect(["png", "jpeg", "webp"]).toContain(result)
      else expect([name, faults.includes(result.fault)]).toEqual([name, true])
    }
  for (const head of [pictures.png.subarray(0, 8), pictures.jpeg.subarray(0, 3), pictures.lossy.subarray(0, 12)])
    for (let round = 0; round < 300; round += 1) {
      const noise = Uint8Array.from({ length: 500 }, () => random(256))
      noise.set(head)
      examinedPicture(noise)
    }
})
