import { invalid } from "../errors.ts"
import type { PictureKind } from "./model.ts"

/** The longest side of a picture, in pixels. Browsers hold four bytes for each pixel, however few bytes a file has. */
export const maxSide = 2048
/** The pixels of all frames of an animation: four pictures of the greatest size. */
export const maxPixels = 4 * maxSide * maxSide
/** Bytes of an uploaded picture. */
const maxBytes = 65_536
/** Passes over a JPEG. Usual ones have up to 12, and each costs as much as the whole picture. */
const maxScans = 100

/**
 * Why a picture is refused: another format; a part of it is missing; a side is too long; an animation has too many pixels.
 */
export type PictureFault = "format" | "damaged" | "size" | "frames"

/** What a file says of its picture. Every frame lies within these sides. */
interface Measure {
  readonly width: number
  readonly height: number
  readonly frames: number
}

type Size = Omit<Measure, "frames">

/** The format of a whole picture of usual size, or what is wrong with it. */
export function examinedPicture(bytes: Uint8Array): PictureKind | { readonly fault: PictureFault } {
  const kind = pictureKindOf(bytes)
  if (kind === undefined) return { fault: "format" }
  const measure = measures[kind](bytes, new DataView(bytes.buffer, bytes.byteOffset, bytes.length))
  if (measure === null || measure.width === 0 || measure.height === 0) return { fault: "damaged" }
  const { width, height, frames } = measure
  if (Math.max(width, height) > maxSide) return { fault: "size" }
  return width * height * frames > maxPixels ? { fault: "frames" } : kind
}

/** The format of an uploaded picture, of a person or a reward.
 *  @throws DomainError `invalid`, naming the field and the fault */
export function checkedPicture(bytes: Uint8Array, field: string): PictureKind {
  const kind = bytes.length > maxBytes ? { fault: "format" as const } : examinedPicture(bytes)
  if (typeof kind === "string") return kind
  throw invalid(field, rules[kind.fault])
}

const rules: Readonly<Record<PictureFault, string>> = {
  format: `a PNG, JPEG or WebP picture of at most ${maxBytes} bytes`,
  damaged: "a whole picture; this file is cut off or damaged",
  size: `a picture of at most ${maxSide} by ${maxSide} pixels`,
  frames: `an animation of at most ${maxPixels} pixels in all its frames`,
}

/** The first bytes of a file in hex; a point stands for any digit. */
const signatures = {
  png: "89504e470d0a1a0a",
  jpeg: "ffd8ff",
  webp: "52494646........57454250",
} as const
const pictureKinds = Object.keys(signatures) as PictureKind[]

/** The format of a picture by its first bytes; undefined for another one. */
function pictureKindOf(bytes: Uint8Array): PictureKind | undefined {
  const head = bytes.subarray(0, 12).toHex()
  return pictureKinds.find((kind) => new RegExp(`^${signatures[kind]}`).test(head))
}

/** What the file says of its picture; null when the file ends too early or contradicts itself. */
const measures: Readonly<Record<PictureKind, (bytes: Uint8Array, view: DataView) => Measure | null>> = {
  png: measureOfPng,
  jpeg: measureOfJpeg,
  webp: measureOfWebp,
}

/** Chunks of length, type, data and check sum. An animation (APNG) has one `fcTL` for each frame. */
function measureOfPng(bytes: Uint8Array, view: DataView): Measure | null {
  let size: Size | null = null
  let frames = 0
  let hasData = false
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = view.getUint32(at)
    const type = nameAt(bytes, at + 4)
    const data = at + 8
    const next = data + length + 4
    if (next > bytes.length || (type === "IHDR") !== (size === null)) return null
    if (Bun.hash.crc32(bytes.subarray(at + 4, next - 4)) !== view.getUint32(next - 4)) return null
    if (type === "IHDR") {
      if (length !== 13) return null
      size = { width: view.getUint32(data), height: view.getUint32(data + 4) }
    } else if (type === "fcTL") {
      if (length !== 26) return null
      const [width = 0, height = 0, left = 0, top = 0] = [4, 8, 12, 16].map((from) => view.getUint32(data + from))
      if (!isWithin(size, { width, height, left, top })) return null
      frames += 1
    } else if (type === "IDAT") hasData = true
    else if (type === "IEND") return size === null || !hasData ? null : { ...size, frames: Math.max(1, frames) }
    at = next
  }
  return null
}

/** Segments, each behind a marker; those of a scan are followed by coded data, in which ff never begins a marker. */
function measureOfJpeg(bytes: Uint8Array, view: DataView): Measure | null {
  let size: Size | null = null
  let scans = 0
  for (let at = 2; at + 2 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return null
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) {
      at += 1 // a marker may have any number of these before it
      continue
    }
    if (marker === endOfImage) return size === null || scans === 0 ? null : { ...size, frames: 1 }
    if (!isSegment(marker) || at + 4 > bytes.length) return null
    const next = at + 2 + view.getUint16(at + 2)
    if (next < at + 4 || next > bytes.length) return null
    if (isStartOfFrame(marker)) {
      if (size !== null || next < at + 9) return null
      size = { width: view.getUint16(at + 7), height: view.getUint16(at + 5) }
    }
    at = next
    if (marker !== startOfScan) continue
    scans += 1
    if (size === null || scans > maxScans) return null
    at = endOfCoded(bytes, at)
  }
  return null
}

const endOfImage = 0xd9
const startOfScan = 0xda

/**
 * Whether a length follows the marker, for every decoder. Behind others, such as a restart, decoders look for the next marker,
 * and would find a picture that a false length skips.
 */
const isSegment = (marker: number) =>
  isStartOfFrame(marker) ||
  [0xc4, 0xcc, startOfScan, 0xdb, 0xdc, 0xdd, 0xfe].includes(marker) || // tables, DNL, DRI, comments
  (marker & 0xf0) === 0xe0 // of applications

/** SOF0 to SOF15, without the tables (c4, cc) and a reserved marker (c8) between them. */
const isStartOfFrame = (marker: number) => (marker & 0xf0) === 0xc0 && ![0xc4, 0xc8, 0xcc].includes(marker)

/** Where the next marker is that ends the coded data of a scan: not a restart, nor an ff of the data, which a zero follows. */
function endOfCoded(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length; at += 1) {
    if (bytes[at] !== 0xff) continue
    const after = bytes[at + 1] ?? 0
    if (after !== 0 && (after & 0xf8) !== 0xd0) return at
  }
  return bytes.length
}

/** Chunks of name, length and data within a frame that has a length too (RIFF). */
function measureOfWebp(bytes: Uint8Array, view: DataView): Measure | null {
  const chunks = chunksIn(bytes, view, 12, 8 + view.getUint32(4, true))
  const [first] = chunks ?? []
  if (!chunks || !first) return null
  if (first.name !== "VP8X") {
    const size = sizeOfStill(view, first)
    return size && { ...size, frames: 1 }
  }
  if (first.length < 10) return null
  const { data } = first
  const size = { width: 1 + uint24(view, data + 4), height: 1 + uint24(view, data + 7) }
  const isAnimation = (view.getUint8(data) & 2) !== 0
  if (!isAnimation) return isStillOf(size, view, chunks) ? { ...size, frames: 1 } : null
  const frames = chunks.filter(({ name }) => name === "ANMF")
  return frames.length > 0 && frames.every((frame) => isFrameOf(size, bytes, view, frame))
    ? { ...size, frames: frames.length }
    : null
}

interface Chunk {
  readonly name: string
  /** Where its data begins. */
  readonly data: number
  readonly length: number
}

/** The chunks between two places; null when the last one ends behind the second, or the file before it. */
function chunksIn(bytes: Uint8Array, view: DataView, from: number, to: number): Chunk[] | null {
  if (to > bytes.length) return null
  const chunks: Chunk[] = []
  for (let at = from; at < to; ) {
    if (at + 8 > to) return null
    const chunk = { name: nameAt(bytes, at), data: at + 8, length: view.getUint32(at + 4, true) }
    at = chunk.data + chunk.length
    if (at > to) return null
    at += chunk.length % 2 // padding
    chunks.push(chunk)
  }
  return chunks
}

/** Whether a frame of an animation has a picture, in the size that it says, and lies within the canvas. */
function isFrameOf(canvas: Size, bytes: Uint8Array, view: DataView, { data, length }: Chunk): boolean {
  if (length < 16) return false
  const [left = 0, top = 0, width = 0, height = 0] = [0, 3, 6, 9].map((from) => uint24(view, data + from))
  const size = { width: width + 1, height: height + 1 }
  const chunks = chunksIn(bytes, view, data + 16, data + length)
  return isWithin(canvas, { ...size, left: 2 * left, top: 2 * top }) && isStillOf(size, view, chunks ?? [])
}

function isStillOf({ width, height }: Size, view: DataView, chunks: readonly Chunk[]): boolean {
  const still = chunks.find(({ name }) => name === "VP8 " || name === "VP8L")
  const size = still && sizeOfStill(view, still)
  return size?.width === width && size.height === height
}

/** The size of lossy (RFC 6386, section 9.1) or lossless data; null when they are neither or end too early. */
function sizeOfStill(view: DataView, { name, data, length }: Chunk): Size | null {
  if (name === "VP8 " && length >= 10) {
    const tag = uint24(view, data)
    const isKeyFrame = (tag & 1) === 0 && uint24(view, data + 3) === 0x2a019d
    if (!isKeyFrame || 10 + (tag >> 5) > length) return null
    return { width: view.getUint16(data + 6, true) & 0x3fff, height: view.getUint16(data + 8, true) & 0x3fff }
  }
  if (name !== "VP8L" || length < 5 || view.getUint8(data) !== 0x2f) return null
  const sides = view.getUint32(data + 1, true)
  return { width: 1 + (sides & 0x3fff), height: 1 + ((sides >> 14) & 0x3fff) }
}

interface Place extends Size {
  readonly left: number
  readonly top: number
}

const isWithin = (canvas: Size | null, { width, height, left, top }: Place): boolean =>
  canvas !== null && width > 0 && height > 0 && left + width <= canvas.width && top + height <= canvas.height

/** The four letters of a chunk's name. */
const nameAt = (bytes: Uint8Array, at: number): string => String.fromCharCode(...bytes.subarray(at, at + 4))

const uint24 = (view: DataView, at: number): number => view.getUint16(at, true) | (view.getUint8(at + 2) << 16)
