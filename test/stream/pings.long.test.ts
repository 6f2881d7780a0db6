import { expect, test } from "bun:test"
import { connect } from "node:net"
import { openStream } from "./support.ts"

/** The first byte of a ping (RFC 6455). */
const ping = 0x89
const isMasked = 0x80
const pong = 0x8a

test("a quiet stream is pinged at least every 30 seconds, and goes on", async () => {
  const stream = await openStream()
  const socket = connect(stream.port, "127.0.0.1")
  const answered = Promise.withResolvers<void>()
  let pings = 0
  const started = performance.now()
  socket.write(
    "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n" +
      "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
  )
  socket.on("data", (bytes: Buffer) => {
    if (bytes[0] !== ping) return
    socket.write(Buffer.from([pong, isMasked, 0, 0, 0, 0]))
    pings += 1
    if (pings === 3) answered.resolve()
  })
  socket.on("close", () => answered.reject(new Error("the stream was closed")))
  // The interval is the promise: proxies end what is quiet for a minute.
  await answered.promise
  expect((performance.now() - started) / pings).toBeLessThanOrEqual(31_000)
  socket.removeAllListeners("close").destroy()
  await stream.close()
}, 180_000)
