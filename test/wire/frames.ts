import fc from "fast-check"
import { bytes, type Case } from "./case.ts"
import { request } from "./requests.ts"

interface Frame {
  readonly fin: boolean
  /** Three reserved bits. */
  readonly reserved: number
  readonly opcode: number
  readonly isMasked: boolean
  readonly payload: Buffer
  /** The length in the header: right, in more bytes than needed, or wrong. */
  readonly length: "true" | "16 bits" | "64 bits" | "huge" | "longer"
}

const payload = fc.oneof(
  fc.uint8Array({ maxLength: 130 }).map(Buffer.from),
  fc.constantFrom(
    ...[
      "",
      "\x03",
      "\x03\xe8",
      "\x03\xed",
      "\x03\xe8\xff",
      "\0\0",
      "\xff\xfe",
      "{}",
      "a".repeat(1024),
      "a".repeat(1025),
      "a".repeat(70_000),
    ].map(bytes),
  ),
)

const frame: fc.Arbitrary<Frame> = fc.record({
  fin: fc.boolean(),
  reserved: fc.oneof({ arbitrary: fc.constant(0), weight: 4 }, fc.integer({ min: 1, max: 7 })),
  opcode: fc.integer({ min: 0, max: 15 }),
  isMasked: fc.oneof({ arbitrary: fc.constant(true), weight: 4 }, fc.constant(false)),
  payload,
  length: fc.oneof(
    { arbitrary: fc.constant("true" as const), weight: 6 },
    fc.constantFrom("16 bits" as const, "64 bits" as const, "huge" as const, "longer" as const),
  ),
})

const opening = bytes(
  request(
    "GET",
    "/transaction/ws",
    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n",
  ),
)

/** A valid WebSocket handshake, then a few malformed frames. */
export const framed: fc.Arbitrary<Case> = fc.array(frame, { minLength: 1, maxLength: 4 }).map((frames) => ({
  kind: "frames",
  pieces: [opening],
  isWhole: true,
  frames: frames.map(bytesOf),
  areFramesWhole: frames.every(({ isMasked, length }) => isMasked && length !== "huge" && length !== "longer"),
}))

/** A valid ping with an empty payload. */
export const ping = Buffer.from([0x89, 0x80, 1, 2, 3, 4])

function bytesOf({ fin, reserved, opcode, isMasked, payload, length }: Frame): Buffer {
  const mask = Buffer.from([1, 2, 3, 4])
  const head = Buffer.from([(fin ? 0x80 : 0) | (reserved << 4) | opcode])
  const stated = { huge: 2n ** 63n - 1n, longer: BigInt(payload.length) + 7n }[String(length)] ?? BigInt(payload.length)
  const masked = isMasked ? payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0)) : payload
  return Buffer.concat([head, lengthBytes(stated, length, isMasked), ...(isMasked ? [mask] : []), masked])
}

function lengthBytes(stated: bigint, length: Frame["length"], isMasked: boolean): Buffer {
  const bit = isMasked ? 0x80 : 0
  if (length === "64 bits" || stated > 0xffffn) {
    const bytes = Buffer.alloc(9, bit | 127)
    bytes.writeBigUInt64BE(stated, 1)
    return bytes
  }
  if (length === "16 bits" || stated > 125n)
    return Buffer.from([bit | 126, Number(stated >> 8n), Number(stated & 0xffn)])
  return Buffer.from([bit | Number(stated)])
}
