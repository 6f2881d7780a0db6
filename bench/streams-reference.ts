/** The bytes that every dashboard of a process must see, as far as the furthest one has seen them. */
export interface Reference {
  /** Those beyond `length` are room. */
  bytes: Buffer
  length: number
  /** Where each frame ends. */
  readonly ends: number[]
  readonly texts: string[]
}

export const startReference = (): Reference => ({ bytes: Buffer.alloc(1 << 20), length: 0, ends: [], texts: [] })

/** Adds what the furthest dashboard received next. */
export function extend(reference: Reference, more: Buffer): void {
  const length = reference.length + more.length
  while (length > reference.bytes.length) reference.bytes = Buffer.concat([reference.bytes], reference.bytes.length * 2)
  more.copy(reference.bytes, reference.length)
  reference.length = length

  let end = reference.ends.at(-1) ?? 0
  for (let frame = frameIn(reference, end); frame; frame = frameIn(reference, end)) {
    end = frame.end
    reference.ends.push(end)
    reference.texts.push(frame.text)
  }
}

/** The frame that starts there; null while it is not there whole. @throws unless it is a text under 64 KiB */
function frameIn({ bytes, length }: Reference, start: number) {
  if (length - start < 4) return null
  const [head, size] = [bytes.readUInt8(start), bytes.readUInt8(start + 1)]
  if (head !== 0x81 || size > 126) throw new Error(`a frame begins with ${head} and ${size}`)
  const from = start + (size === 126 ? 4 : 2)
  const end = from + (size === 126 ? bytes.readUInt16BE(start + 2) : size)
  return end > length ? null : { end, text: bytes.toString("utf8", from, end) }
}
