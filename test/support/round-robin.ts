import { connect, createServer, type Socket } from "node:net"

/** A proxy in front of several servers of this machine, as nginx or a load balancer would be. */
export interface RoundRobin extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  readonly url: string
}

/**
 * Listens on `port`, and passes each connection to the next server that accepts it. `ports` returns the present
 * servers.
 */
export async function startRoundRobin(port: number, ports: () => readonly number[]): Promise<RoundRobin> {
  const open = new Set<Socket>()
  let turn = 0

  const server = createServer({ allowHalfOpen: true }, (client) => {
    client.on("error", () => client.destroy())
    open.add(client)
    client.on("close", () => open.delete(client))
    turn += 1
    const all = ports()
    const start = turn % Math.max(1, all.length)
    pass(client, [...all.slice(start), ...all.slice(0, start)])
  })
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve))

  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

function pass(client: Socket, [port, ...others]: readonly number[]) {
  if (port === undefined) return client.destroy()
  const upstream = connect({ port, host: "127.0.0.1", allowHalfOpen: true })
  const refused = () => pass(client, others)
  upstream.once("error", refused)
  upstream.once("connect", () => {
    upstream.off("error", refused)
    upstream.on("error", () => client.destroy())
    upstream.on("close", () => client.destroy())
    client.on("close", () => upstream.destroy())
    client.pipe(upstream).pipe(client)
  })
}
