import { once } from "node:events"
import { connect, createServer, type Socket } from "node:net"

/** A network between a client and a server on this machine that a test can break. */
export interface TcpProxy extends AsyncDisposable {
  readonly port: number
  /** Closes all connections. New connections work. */
  cut(): void
  /** From now on, connections are closed as soon as they are opened, until `restore`. */
  refuse(): void
  /** From now on nothing passes and nothing is closed, until `restore`. Bytes from this time are lost. */
  stall(): void
  restore(): void
  /** Called with every piece that a client sends, before it passes. `"cut"` closes all connections instead. `"pass and
   *  cut"` passes it, and closes all connections instead of passing the answer. `"delay"` keeps it, and everything
   *  after it on this connection, until `deliver`. */
  onSent: (bytes: Buffer) => "pass" | "cut" | "pass and cut" | "delay"
  /** Passes the delayed bytes, and ends their connections. Resolves when the server has finished with them. */
  deliver(): Promise<void>
  /** Changes what the server sends. */
  onReceived: (bytes: Buffer) => Buffer
  /** How many connections were opened so far. */
  readonly opened: () => number
}

export async function startTcpProxy(target: { readonly host: string; readonly port: number }): Promise<TcpProxy> {
  const pairs = new Set<readonly [Socket, Socket]>()
  let mode: "pass" | "refuse" | "stall" = "pass"
  let opened = 0
  const delayed = new Map<Socket, Buffer[]>()

  const server = createServer((client) => {
    opened += 1
    if (mode === "refuse") return client.destroy()
    const upstream = connect(target.port, target.host)
    const pair = [client, upstream] as const
    let endsWithAnswer = false
    pairs.add(pair)
    const end = () => {
      if (delayed.has(upstream)) return
      pairs.delete(pair)
      for (const socket of pair) socket.destroy()
    }
    for (const socket of pair) socket.on("error", end).on("close", end)
    client.on("data", (bytes: Buffer) => {
      if (mode === "stall") return
      const fate = delayed.has(upstream) ? "delay" : proxy.onSent(bytes)
      if (fate === "delay") return delayed.set(upstream, [...(delayed.get(upstream) ?? []), bytes])
      if (fate === "cut") return proxy.cut()
      endsWithAnswer = fate === "pass and cut"
      upstream.write(bytes)
    })
    upstream.on("data", (bytes: Buffer) => {
      if (endsWithAnswer) return proxy.cut()
      if (mode !== "stall") client.write(proxy.onReceived(bytes))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("the proxy has no port")

  const proxy: TcpProxy = {
    port: address.port,
    cut() {
      for (const pair of pairs) for (const socket of pair) socket.destroy()
      pairs.clear()
    },
    refuse() {
      mode = "refuse"
      proxy.cut()
    },
    stall() {
      mode = "stall"
    },
    restore() {
      mode = "pass"
    },
    onSent: () => "pass",
    async deliver() {
      for (const [upstream, pieces] of delayed) {
        const closed = once(upstream, "close")
        upstream.resume().end(Buffer.concat(pieces))
        await closed
      }
      delayed.clear()
    },
    onReceived: (bytes) => bytes,
    opened: () => opened,
    async [Symbol.asyncDispose]() {
      proxy.cut()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
  return proxy
}
