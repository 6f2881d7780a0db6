import { join } from "node:path"
import { extend, type Reference, startReference } from "./streams-reference.ts"

/*
 * Dashboards in a process of their own, started by `openDashboards` and spoken to by messages. They are as cheap as they
 * can be, since they share the machine with the server: raw sockets, whose bytes are compared with those of the one that
 * is furthest.
 */

export interface Order {
  readonly port: number
  /** Of the stream, with its query. */
  readonly path: string
  readonly count: number
}

export interface Seen {
  /** The frames, the same for all of them. */
  readonly texts: readonly string[]
  /** When the last dashboard had the n-th frame, ms since the epoch. */
  readonly reachedMs: readonly number[]
  /** What was not as it must be: bytes that differ, a dashboard that was closed. */
  readonly faults: readonly string[]
}

export interface Dashboards extends AsyncDisposable {
  /** Resolves when each has had so many frames, or anything is wrong. */
  seen(frames: number): Promise<Seen>
}

type Command = { readonly open: Order } | { readonly tellAt: number }
type Message = "opened" | Seen

/** Opens them; resolves when all are. */
export async function openDashboards(order: Order): Promise<Dashboards> {
  let hear = (_: Message) => {}
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "streams-dashboards.ts")], {
    stdio: ["ignore", "inherit", "inherit"],
    ipc: (message: Message) => hear(message),
  })
  const ask = (command: Command) =>
    new Promise<Message>((resolve) => {
      hear = resolve
      child.send(command)
    })
  await ask({ open: order })
  return {
    async seen(frames) {
      const message = await ask({ tellAt: frames })
      if (message === "opened") throw new Error("the dashboards were opened twice")
      return message
    },
    async [Symbol.asyncDispose]() {
      child.kill()
      await child.exited
    },
  }
}

if (import.meta.main) process.on("message", createDashboards())

interface Dashboard {
  /** Of the stream; -1 until the upgrade is answered. */
  bytes: number
  frames: number
}

/** Upgrades that wait for their answers at the same time. */
const opening = 100

function createDashboards() {
  const reference: Reference = startReference()
  const faults: string[] = []
  const reachedMs: number[] = []
  /** How many have had the n-th frame. */
  const had: number[] = []
  let count = 0
  let tellAt = Number.POSITIVE_INFINITY

  return (command: Command) => {
    if ("open" in command) return void open(command.open)
    tellAt = command.tellAt
    tellIfReached()
  }

  async function open(order: Order) {
    count = order.count
    let opened = 0
    const openOneByOne = async () => {
      while (opened < count) {
        opened += 1
        await openOne(order)
      }
    }
    await Promise.all(Array.from({ length: opening }, openOneByOne))
    tell("opened")
  }

  async function openOne({ port, path }: Order) {
    const { promise, resolve } = Promise.withResolvers<void>()
    await Bun.connect<Dashboard>({
      hostname: "127.0.0.1",
      port,
      data: { bytes: -1, frames: 0 },
      socket: {
        open: (socket) => void socket.write(upgradeOf(path)),
        data({ data: dashboard }, bytes) {
          if (dashboard.bytes >= 0) return take(dashboard, bytes)
          dashboard.bytes = 0
          take(dashboard, bytes.subarray(bytes.indexOf("\r\n\r\n") + 4))
          resolve()
        },
        close: () => fail("a dashboard was closed"),
      },
    })
    return promise
  }

  function take(dashboard: Dashboard, bytes: Buffer) {
    const end = dashboard.bytes + bytes.length
    if (end > reference.length) extend(reference, bytes.subarray(reference.length - dashboard.bytes))
    if (reference.bytes.compare(bytes, 0, bytes.length, dashboard.bytes, end) !== 0)
      fail(`a dashboard differs from the others behind its frame ${dashboard.frames}`)
    dashboard.bytes = end
    while ((reference.ends[dashboard.frames] ?? Number.POSITIVE_INFINITY) <= end) {
      const hadIt = (had[dashboard.frames] ?? 0) + 1
      had[dashboard.frames] = hadIt
      if (hadIt === count) reachedMs[dashboard.frames] = performance.timeOrigin + performance.now()
      dashboard.frames += 1
    }
    tellIfReached()
  }

  function fail(fault: string) {
    faults.push(fault)
    tellIfReached()
  }

  function tellIfReached() {
    if (reachedMs.length < tellAt && faults.length === 0) return
    tellAt = Number.POSITIVE_INFINITY
    tell({ texts: reference.texts, reachedMs, faults })
  }
}

/** What opens a stream. */
export const upgradeOf = (path: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
  "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"

const tell = (message: Message) => void process.send?.(message)
