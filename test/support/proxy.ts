import { type AddressInfo, connect, createServer, type Socket } from "node:net"

export interface Proxy extends AsyncDisposable {
  readonly url: string
}

/** Passes each request on to `target` (`http://127.0.0.1:PORT`), its head changed by `rewrite`, and the answer back. */
export async function startProxy(target: string, rewrite: (head: string) => string): Promise<Proxy> {
  const sockets = new Set<Socket>()
  const { hostname, port } = new URL(target)
  const server = createServer((caller) => {
    const behind = connect(Number(port), hostname)
    for (const socket of [caller, behind]) {
      sockets.add(socket)
      socket.on("error", () => socket.destroy())
    }
    caller.once("data", (bytes) => {
      behind.write(rewrite(bytes.toString("latin1")), "latin1")
      caller.pipe(behind)
    })
    behind.pipe(caller)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** As a proxy does that tells for whom it asks. */
export const forwarding = (head: string): string => head.replace("\r\n", "\r\nX-Forwarded-For: 203.0.113.7\r\n")
