import { DomainError } from "../domain/errors.ts"
import { nextTick } from "../domain/ticks.ts"

/** What spreadsheets and personnel systems write. */
export type Encoding = "UTF-8" | "UTF-16" | "Windows-1252"

/** A text of unknown encoding, and the encoding that was found. */
export interface Decoded {
  readonly text: string
  readonly encoding: Encoding
}

/** Bytes that are decoded in one tick: a few milliseconds of work. */
const bytesAtOnce = 262_144

/**
 * Detects the encoding: by the byte order mark, by the zeros of UTF-16, else UTF-8, else Windows-1252. Every text can be
 * read as Windows-1252, so whoever shows the text should say what was detected.
 * @throws DomainError `invalid`, saying how to save the file
 */
export async function decodedText(bytes: Uint8Array): Promise<Decoded> {
  if (workbooks.some((start) => start.every((byte, index) => bytes[index] === byte)))
    throw faultIn("file", `must be text, not a workbook; ${saveAgain}`)
  const utf16 = utf16Of(bytes)
  if (utf16 !== null) {
    const text = await inSlices(bytes, new TextDecoder(utf16, { fatal: true }))
    if (text === null) throw faultIn("file", `has broken UTF-16; ${saveAgain}`)
    return { text, encoding: "UTF-16" }
  }
  const text = await inSlices(bytes, new TextDecoder("utf-8", { fatal: true }))
  if (text !== null) return { text, encoding: "UTF-8" }
  const windows = (await isMostlyUtf8(bytes)) ? null : await inSlices(bytes, new TextDecoder("windows-1252"))
  if (windows === null || unassigned.test(windows))
    throw faultIn("file", `must be UTF-8, UTF-16 or Windows-1252; ${saveAgain}`)
  return { text: windows, encoding: "Windows-1252" }
}

/** A file has no fields, so that only the sentence says where the fault is. */
export const faultIn = (place: string, rule: string) => new DomainError("invalid", { detail: `${place}: ${rule}` })

const saveAgain = "in a spreadsheet, save it as “CSV UTF-8”"

/** The first bytes of an .xlsx or .ods file, and of an .xls file. */
const workbooks = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
]

/** What a decoder of Windows-1252 makes of bytes that mean nothing there. */
const unassigned = /[\x81\x8d\x8f\x90\x9d]/

/** Null when the bytes are not in the encoding of the decoder. */
async function inSlices(bytes: Uint8Array, decoder: TextDecoder): Promise<string | null> {
  const pieces: string[] = []
  try {
    for (let at = 0; at < bytes.length; at += bytesAtOnce) {
      if (at > 0) await nextTick()
      pieces.push(decoder.decode(bytes.subarray(at, at + bytesAtOnce), { stream: true }))
    }
    pieces.push(decoder.decode())
  } catch {
    return null
  }
  return pieces.join("")
}

/** Bytes at the beginning that tell UTF-16 from the rest. */
const sample = 512

/** By the byte order mark, or by the zeros that Latin letters have in UTF-16 on one side only. */
function utf16Of(bytes: Uint8Array): "utf-16le" | "utf-16be" | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le"
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be"
  const zeros = { even: 0, odd: 0 }
  const length = Math.min(sample, bytes.length)
  for (let at = 0; at < length; at += 1) if (bytes[at] === 0) zeros[at % 2 === 0 ? "even" : "odd"] += 1
  if (zeros.even === 0 && zeros.odd > length / 4) return "utf-16le"
  if (zeros.odd === 0 && zeros.even > length / 4) return "utf-16be"
  return null
}

/** Whether UTF-8 explains more of the letters outside of ASCII than it leaves: then a few of the bytes are damaged. */
async function isMostlyUtf8(bytes: Uint8Array): Promise<boolean> {
  const decoder = new TextDecoder()
  let surplus = 0
  for (let at = 0; at < bytes.length; at += bytesAtOnce) {
    const text = decoder.decode(bytes.subarray(at, at + bytesAtOnce), { stream: true })
    for (let index = 0; index < text.length; index += 1) {
      const unit = text.charCodeAt(index)
      if (unit > 0x7f) surplus += unit === 0xfffd ? -1 : 1
    }
    await nextTick()
  }
  return surplus > 0
}
