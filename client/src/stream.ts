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

/** The connection works, and everything up to this id was sent. */
interface Heartbeat {
  readonly through: number
}

export interface StreamOptions {
  /** Starts behind the transaction with this id; 0, the default, is the beginning. */
  readonly after?: number
  readonly signal?: AbortSignal
}

/** The service sends heartbeats every ten seconds: three that fail to come. */
const defaultSilenceMs = 30_000

/** Node and Bun take headers, browsers do not: there the session cookie counts. */
type Open = new (url: string, options?: { headers: Record<string, string> }) => WebSocket

interface Connecting {
  readonly url: string
  /** The header `Authorization`, valid now; null for none. */
  readonly authorization: () => Promise<string | null>
  /** Whether an error of `authorization` ends the stream. */
  readonly isFinal: (error: unknown) => boolean
  /** After how many milliseconds without a message a connection counts as lost. */
  readonly silenceMs?: number | undefined
}

/** @throws an error of `authorization` that is final */
export async function* transfers(
  { url, authorization, isFinal, silenceMs = defaultSilenceMs }: Connecting,
  { after = 0, signal }: StreamOptions,
): AsyncGenerator<Transfer> {
  let last = after
  let failures = 0
  while (!signal?.aborted) {
    for await (const transfer of connection()) {
      last = transfer.id
      yield transfer
    }
    failures += 1
    // An abort ends the pause, and then the loop.
    if (!signal?.aborted) await pause(backoffMs(failures), signal).catch(() => {})
  }

  /** One connection, until it is lost. */
  async function* connection(): AsyncGenerator<Transfer> {
    let header: string | null
    try {
      header = await authorization()
    } catch (error) {
      if (isFinal(error)) throw error
      return
    }
    const hasHeaders = header !== null && !("document" in globalThis)
    const socket = new (WebSocket as Open)(
      `${url.replace(/^http/, "ws")}/transaction/ws?after=${last}&heartbeat=true`,
      ...(hasHeaders ? [{ headers: { authorization: `${header}` } }] : []),
    )
    const arrived: Transfer[] = []
    let isOpen = true
    let wake = () => {}
    const close = () => {
      isOpen = false
      wake()
    }
    // A connection whose other end is gone stays silent, and never closes.
    let silence = setTimeout(close, silenceMs)
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(String(data)) as Transfer | Heartbeat
      clearTimeout(silence)
      silence = setTimeout(close, silenceMs)
      failures = 0
      if (!("through" in message)) arrived.push(message)
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
      clearTimeout(silence)
      signal?.removeEventListener("abort", close)
      socket.close()
    }
  }
}
