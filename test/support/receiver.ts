import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from "node:http"
import { createServer } from "node:http"
import { createServer as createTlsServer } from "node:https"
import type { AddressInfo, Socket } from "node:net"
import { createAuthority } from "./authority.ts"

export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly bytes: Uint8Array
  /** The name that the client asked for in TLS. */
  readonly servername: unknown
}

export interface Reply {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly body?: string
  readonly endless?: true
  readonly fault?: "hang" | "drip" | "drip headers" | "stall in the body" | "reset" | "cut off" | "interim"
}

export type Receiver = Awaited<ReturnType<typeof createReceiver>>

/** An HTTPS server on 127.0.0.1 with a certificate for this name from a new authority. `name` null: without TLS. */
export async function createReceiver(name: string | null) {
  const authority = name === null ? null : await createAuthority()
  const received: Received[] = []
  const sockets = new Set<Socket>()
  const timers = new Set<Timer>()
  let replies: Reply[] = []
  let always: (path: string) => Reply = () => ({})

  const listener: RequestListener = async (request, response) => {
    const bytes = await bytesOf(request)
    const { socket } = request
    received.push({
      path: request.url ?? "",
      headers: request.headers,
      body: bytes.toString(),
      bytes,
      servername: "servername" in socket ? socket.servername : null,
    })
    reply(response, socket, replies.shift() ?? always(request.url ?? ""))
  }

  const every = (work: () => void) => {
    timers.add(setInterval(work, 20))
  }

  const reply = (response: ServerResponse, socket: Socket, { status = 200, headers = {}, ...rest }: Reply) => {
    const { fault, endless, body = "ok" } = rest
    if (fault === "hang") return
    if (fault === "reset") return void socket.destroy()
    if (fault === "drip headers") {
      socket.write("HTTP/1.1 200 OK\r\n")
      return every(() => socket.write("x-drip: 1\r\n"))
    }
    if (fault === "interim") return void socket.write("HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n".repeat(100))
    response.writeHead(status, fault ? { ...headers, "content-length": "1000000" } : headers)
    if (fault === "drip") return every(() => response.write("."))
    if (fault === "stall in the body") return void response.write("begun")
    if (fault === "cut off") {
      response.write("begun")
      return void setTimeout(() => socket.destroy(), 20)
    }
    if (endless) return every(() => response.write("x".repeat(3000)))
    response.end(body)
  }

  const server =
    authority && name !== null ? createTlsServer(await authority.issue([name]), listener) : createServer(listener)
  server.on("connection", (socket: Socket) => {
    sockets.add(socket)
    socket.on("error", () => {})
    socket.on("close", () => sockets.delete(socket))
  })
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
  const { port } = server.address() as AddressInfo

  return {
    port,
    url: name === null ? `http://127.0.0.1:${port}/hook` : `https://${name}:${port}/hook`,
    /** The certificate of the authority, in PEM. */
    ca: authority?.pem ?? "",
    received,
    /** The requests since the last call. */
    take: () => received.splice(0),
    /** Sets the answers to the next requests, one for each. */
    answer(...next: Reply[]) {
      replies = next
    },
    /** Sets the answer to every request for which `answer` set none. */
    alwaysAnswer(reply: Reply | ((path: string) => Reply)) {
      replies = []
      always = typeof reply === "function" ? reply : () => reply
    },
    async close() {
      for (const timer of timers) clearInterval(timer)
      server.closeAllConnections()
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((closed) => server.close(() => closed()))
    },
  }
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts)
}
