import { backoffMs, pause } from "./retry.ts"

/** A transaction, as `/transaction/ws?after=` sends it. */
export interface Transfer {
  readonly id: number
  /** UTC, ISO 8601, without a zone. */
  readonly date: string
  /** Names of receiver and sender. */
  readonly to: string
  readonly from: string
  readonly value: number
}

export interface StreamOptions {
  /** Starts behind the transaction with this id; 0, the default, is the beginning. */
  readonly after?: number
  readonly signal?: AbortSignal
}

/** Node and Bun take headers, browsers do not: there the session cookie counts. */
type Open = new (url: string, options?: { headers: Record<string, string> }) => WebSocket

export async function* transfers(
  url: string,
  authorization: () => Promise<string | null>,
  { after = 0, signal }: StreamOptions,
): AsyncGenerator<Transfer> {
  let last = after
  let failures = 0
  while (!signal?.aborted) {
    for await (const transfer of connection(`${url.replace(/^http/, "ws")}/transaction/ws?after=${last}`)) {
      failures = 0
      last = transfer.id
      yield transfer
    }
    failures += 1
    // An abort ends the pause, and then the loop.
    if (!signal?.aborted) await pause(backoffMs(failures), signal).catch(() => {})
  }

  /** One connection, until it is lost. */
  async function* connection(address: string): AsyncGenerator<Transfer> {
    const header = await authorization().catch(() => null)
    const hasHeaders = header !== null && !("document" in globalThis)
    const socket = new (WebSocket as Open)(address, ...(hasHeaders ? [{ headers: { authorization: header } }] : []))
    const arrived: Transfer[] = []
    let isOpen = true
    let wake = () => {}
    const close = () => {
      isOpen = false
      wake()
    }
    socket.onmessage = ({ data }) => {
      arrived.push(JSON.parse(String(data)) as Transfer)
      wake()
    }
    socket.onclose = close
    socket.onerror = close
    signal?.addEventListener("abort", close)
    try {
      while (isOpen || arrived.length > 0) {
        const next = signal?.aborted ? undefined : arrived.shift()
        if (next !== undefined) yield next
        else if (signal?.aborted) return
        else
          await new Promise<void>((resolve) => {
            wake = resolve
          })
      }
    } finally {
      signal?.removeEventListener("abort", close)
      socket.close()
    }
  }
}
