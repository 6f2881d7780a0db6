import { dlopen, ptr } from "bun:ffi"
import { connect, type Socket } from "node:net"

const functions = {
  socket: { args: ["i32", "i32", "i32"], returns: "i32" },
  bind: { args: ["i32", "ptr", "u32"], returns: "i32" },
  listen: { args: ["i32", "i32"], returns: "i32" },
  close: { args: ["i32"], returns: "i32" },
} as const
const { symbols: libc } = dlopen("libc.so.6", functions)

const [afInet, stream] = [2, 1]

/**
 * A port of this machine that answers no attempt to connect, as behind a firewall that drops packets: its queue is full, and nobody
 * accepts anything from it.
 */
export async function fullListenerAt(host: string, port: number) {
  const address = Buffer.alloc(16)
  address.writeUInt16LE(afInet, 0)
  address.writeUInt16BE(port, 2)
  address.set(host.split(".").map(Number), 4)
  const listener = libc.socket(afInet, stream, 0)
  if (libc.bind(listener, ptr(address), address.length) !== 0) throw new Error(`cannot bind ${host}:${port}`)
  libc.listen(listener, 0)
  const queued = await new Promise<Socket>((resolve) => {
    const socket = connect({ host, port }, () => resolve(socket))
  })
  return {
    [Symbol.dispose]() {
      queued.destroy()
      libc.close(listener)
    },
  }
}
