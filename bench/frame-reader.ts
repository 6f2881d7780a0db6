import { upgradeOf } from "./dashboards.ts"
import type { Server } from "./server.ts"

/*
 * bun bench/frame-reader.ts PORT PATH FRAMES
 *
 * Opens a stream, counts its frames up to FRAMES and prints how many seconds they took. It parses only the header of each
 * frame, so that the server is the bottleneck.
 */

/** Runs this program in a process of its own. Returns frames a second. */
export async function readFrames({ url }: Pick<Server, "url">, path: string, frames: number): Promise<number> {
  const command = [process.execPath, import.meta.path, new URL(url).port, path, `${frames}`]
  const child = Bun.spawn(command, { stderr: "inherit" })
  const [status, seconds] = await Promise.all([child.exited, new Response(child.stdout).text()])
  if (status !== 0) throw new Error(`the reader of ${path} ended with ${status}`)
  return frames / Number(seconds)
}

if (import.meta.main) {
  const [port, path = "", frames] = process.argv.slice(2)
  console.log(await read(Number(port), path, Number(frames)))
  process.exit()
}

async function read(port: number, path: string, wanted: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const count = createCounter()
  let upgraded = false
  const started = performance.now()
  await Bun.connect({
    hostname: "127.0.0.1",
    port,
    socket: {
      open: (socket) => void socket.write(upgradeOf(path)),
      data(_, bytes) {
        const frames = count(upgraded ? bytes : bytes.subarray(bytes.indexOf("\r\n\r\n") + 4))
        upgraded = true
        if (frames >= wanted) resolve()
      },
      close: () => reject(new Error("the stream was closed")),
    },
  })
  await promise
  return (performance.now() - started) / 1000
}

/** Takes received bytes in any pieces and returns the number of frames so far. Frames are under 64 KiB. */
function createCounter(): (received: Buffer) => number {
  let frames = 0
  let begun: Buffer = Buffer.alloc(0)

  return (received) => {
    const bytes = begun.length === 0 ? received : Buffer.concat([begun, received])
    let at = 0
    while (bytes.length - at >= 4) {
      const size = bytes[at + 1] ?? 0
      const end = at + (size === 126 ? 4 + bytes.readUInt16BE(at + 2) : 2 + size)
      if (end > bytes.length) break
      frames += 1
      at = end
    }
    begun = Buffer.from(bytes.subarray(at))
    return frames
  }
}
