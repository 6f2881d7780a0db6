import { dlopen, ptr } from "bun:ffi"

const functions = {
  socket: { args: ["i32", "i32", "i32"], returns: "i32" },
  bind: { args: ["i32", "ptr", "u32"], returns: "i32" },
  recv: { args: ["i32", "ptr", "usize", "i32"], returns: "i64" },
  close: { args: ["i32"], returns: "i32" },
} as const
const { symbols: libc } = dlopen("libc.so.6", functions)

const [afUnix, datagram, dontWait] = [1, 2, 0x40]

/** A Unix socket for datagrams at a path, as systemd has one for what services tell it. */
export function datagramsAt(path: string) {
  const address = Buffer.concat([Buffer.from([afUnix, 0]), Buffer.from(`${path}\0`)])
  const socket = libc.socket(afUnix, datagram, 0)
  if (libc.bind(socket, ptr(address), address.length) !== 0) throw new Error(`cannot bind ${path}`)
  const buffer = Buffer.alloc(4096)
  return {
    /** The next datagram; waits for it. */
    async next(): Promise<string> {
      for (;;) {
        const length = Number(libc.recv(socket, ptr(buffer), buffer.length, dontWait))
        if (length >= 0) return buffer.toString("utf8", 0, length)
        await Bun.sleep(5)
      }
    },
    [Symbol.dispose]: () => void libc.close(socket),
  }
}
