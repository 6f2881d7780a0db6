import { connect } from "node:net"
import { until } from "../support/until.ts"

/** A dashboard that reads all the time. */
export function watch(url: string, headers: Readonly<Record<string, string>> = {}) {
  // `headers` is an extension of Bun's that the standard type does not have.
  const socket = new WebSocket(url, { headers } as unknown as string[])
  const frames: unknown[] = []
  socket.onmessage = ({ data }) => frames.push(JSON.parse(data))
  const opened = new Promise<void>((resolve, reject) => {
    socket.onopen = () => resolve()
    socket.onerror = () => reject(new Error("the stream did not open"))
  })
  const closed = new Promise<number>((resolve) => {
    socket.onclose = ({ code }) => resolve(code)
  })
  return {
    frames,
    opened,
    closed,
    /** Resolves with all frames once there are `count`. */
    async seen(count: number) {
      await until(() => frames.length >= count)
      return frames
    },
    /** Resolves when such a frame has come. */
    until: (isLast: (frame: object) => boolean) => until(() => frames.some((frame) => isLast(frame as object))),
    close: () => socket.close(),
  }
}

/** A dashboard that reads nothing until `read` is called. */
export function watchWithoutReading(port: number) {
  const frames: unknown[] = []
  const socket = connect(port, "127.0.0.1").pause()
  let rest = Buffer.alloc(0)
  let upgraded = false
  let closeCode: number | null = null

  socket.write(
    "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n" +
      "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
  )
  socket.on("data", (chunk) => {
    rest = Buffer.concat([rest, Buffer.from(chunk)])
    if (!upgraded) rest = rest.subarray(rest.indexOf("\r\n\r\n") + 4)
    upgraded = true
    for (let frame = firstFrame(rest); frame; frame = firstFrame(rest)) {
      if (frame.opcode === 1) frames.push(JSON.parse(frame.payload.toString()))
      if (frame.opcode === 8) closeCode = frame.payload.readUInt16BE()
      rest = rest.subarray(frame.end)
    }
  })
  return {
    frames,
    closeCode: () => closeCode,
    ended: new Promise((resolve) => socket.on("close", resolve)),
    read: () => socket.resume(),
    pause: () => socket.pause(),
    destroy: () => socket.destroy(),
  }
}

/** The first frame; null while it is incomplete. Frames here are shorter than 64 KiB. */
function firstFrame(bytes: Buffer) {
  if (bytes.length < 4) return null
  const extended = bytes.readUInt8(1) === 126
  const start = extended ? 4 : 2
  const end = start + (extended ? bytes.readUInt16BE(2) : bytes.readUInt8(1))
  if (end > bytes.length) return null
  return { opcode: bytes.readUInt8() & 0x0f, payload: bytes.subarray(start, end), end }
}
