import { dlopen, FFIType, ptr } from "bun:ffi"
import { upgradeOf } from "./streams-dashboards.ts"

/** Of Linux: <sys/socket.h> and <netinet/tcp.h>. */
const [inet, stream, socketLevel, receiveBuffer, tcp, maximumSegment] = [2, 1, 1, 8, 6, 2]
const { i32, u32, u64, i64, ptr: pointer } = FFIType

/**
 * Opens dashboards that never read, until this process ends. Their buffers and segments are the smallest: over the
 * loopback the system would take 4 MB for each of them before the server notices, as over no network.
 */
export function openStalled(port: number, path: string, count: number): void {
  const { symbols: c } = dlopen("libc.so.6", {
    socket: { args: [i32, i32, i32], returns: i32 },
    setsockopt: { args: [i32, i32, i32, pointer, u32], returns: i32 },
    connect: { args: [i32, pointer, u32], returns: i32 },
    send: { args: [i32, pointer, u64, i32], returns: i64 },
  })
  const int = (value: number) => ptr(new Int32Array([value]))
  const address = Buffer.from([inet, 0, port >> 8, port & 0xff, 127, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0])
  const upgrade = Buffer.from(upgradeOf(path))

  for (let opened = 0; opened < count; opened += 1) {
    const socket = c.socket(inet, stream, 0)
    c.setsockopt(socket, socketLevel, receiveBuffer, int(2048), 4)
    c.setsockopt(socket, tcp, maximumSegment, int(536), 4)
    if (c.connect(socket, ptr(address), address.length) !== 0) throw new Error("a stalled dashboard cannot connect")
    c.send(socket, ptr(upgrade), upgrade.length, 0)
  }
}
