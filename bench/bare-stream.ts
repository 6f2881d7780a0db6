import type { ServerWebSocket } from "bun"

/*
 * The baseline for streams: sends the lines of the file `FRAMES` from memory to each client, in pages, as fast as the
 * client reads.
 */

const pageSize = 500
const fullBytes = 16 * 1024

const frames: string[] = []
const text = Buffer.from(await Bun.file(process.env.FRAMES ?? "").bytes())
for (let start = 0; start < text.length; ) {
  const end = text.indexOf("\n", start)
  frames.push(text.toString("utf8", start, end))
  start = end + 1
}

interface Client {
  sent: number
}

const server = Bun.serve<Client>({
  hostname: "127.0.0.1",
  port: 0,
  fetch: (request, server) => (server.upgrade(request, { data: { sent: 0 } }) ? undefined : new Response("no stream")),
  websocket: { open: send, drain: send, message() {}, backpressureLimit: 1 << 20 },
})
console.error(JSON.stringify({ message: "listening", url: server.url.origin }))

function send(socket: ServerWebSocket<Client>) {
  while (socket.data.sent < frames.length && socket.getBufferedAmount() <= fullBytes)
    socket.cork(() => {
      for (const frame of frames.slice(socket.data.sent, socket.data.sent + pageSize)) socket.send(frame)
      socket.data.sent += pageSize
    })
}
