/*
 * Dashboards in a process of their own, started by `openDashboards` and controlled by messages. They share the machine
 * with the server, so they are as cheap as possible: raw sockets. Their bytes are compared with those of the dashboard
 * that has received most.
 */

export interface Order {
  readonly port: number
  /** Path of the stream, with its query. */
  readonly path: string
  readonly count: number
}

export interface Seen {
  /** The frames, which are the same for all dashboards. */
  readonly texts: readonly string[]
  /** Time at which the last dashboard had the n-th frame, ms since the epoch. */
  readonly reachedMs: readonly number[]
  /** Messages about bytes that differ, and about dashboards that were closed. */
  readonly faults: readonly string[]
}

export interface Dashboards extends AsyncDisposable {
  /** Resolves when each dashboard has received this number of frames, or when there is a fault. */
  seen(frames: number): Promise<Seen>
}

type Command = { readonly open: Order } | { readonly tellAt: number }
type Message = "opened" | Seen

/** Resolves when all dashboards are open. */
export async function openDashboards(order: Order): Promise<Dashboards> {
  let hear = (_: Message) => {}
  const child = Bun.spawn([process.execPath, import.meta.path], {
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

interface Dashboard {
  /** Received bytes of the stream; -1 until the upgrade is answered. */
  bytes: number
  frames: number
}

/** How many dashboards are opened at the same time. */
const opening = 100

function createDashboards() {
  const reference: Reference = startReference()
  const faults: string[] = []
  const reachedMs: number[] = []
  /** How many dashboards have received the n-th frame. */
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

/** The request that opens a stream. */
export const upgradeOf = (path: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
  "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"

const tell = (message: Message) => void process.send?.(message)

/** What every dashboard of this process must receive: the bytes of the dashboard that has received most. */
export interface Reference {
  /** Spare capacity beyond `length`. */
  bytes: Buffer
  length: number
  /** Where each frame ends. */
  readonly ends: number[]
  readonly texts: string[]
}

export const startReference = (): Reference => ({ bytes: Buffer.alloc(1 << 20), length: 0, ends: [], texts: [] })

/** Adds bytes that the dashboard ahead of the others has received. */
export function extend(reference: Reference, more: Buffer): void {
  const length = reference.length + more.length
  while (length > reference.bytes.length) reference.bytes = Buffer.concat([reference.bytes], reference.bytes.length * 2)
  more.copy(reference.bytes, reference.length)
  reference.length = length

  let end = reference.ends.at(-1) ?? 0
  for (let frame = frameIn(reference, end); frame; frame = frameIn(reference, end)) {
    end = frame.end
    reference.ends.push(end)
    reference.texts.push(frame.text)
  }
}

/** The frame that starts at `start`; null while it is incomplete. @throws unless it is a text under 64 KiB */
function frameIn({ bytes, length }: Reference, start: number) {
  if (length - start < 4) return null
  const [head, size] = [bytes.readUInt8(start), bytes.readUInt8(start + 1)]
  if (head !== 0x81 || size > 126) throw new Error(`a frame begins with ${head} and ${size}`)
  const from = start + (size === 126 ? 4 : 2)
  const end = from + (size === 126 ? bytes.readUInt16BE(start + 2) : size)
  return end > length ? null : { end, text: bytes.toString("utf8", from, end) }
}

if (import.meta.main) process.on("message", createDashboards())
