import type { ServerWebSocket, WebSocketHandler } from "bun"

/** What the hub knows of one connection. */
export interface StreamClient {
  readonly format: string
  /** Who opened it; null where nobody asked. */
  readonly userId: number | null
  /** Id through which it was sent everything. While it is live, the head of its group stands for it. */
  cursor: number
  /** Since when its buffer has not moved; null while nothing waits there. */
  stalledSince: number | null
  /** When the credential that opened it expires, in milliseconds; null when it has ended. Null itself where no credential
   *  is asked for. */
  readonly checkAdmission: (() => Promise<number | null>) | null
  /** What the last check said. */
  admittedUntil: number
  /** What becomes of it: the hub that it belongs to. */
  readonly events: Required<Pick<WebSocketHandler<StreamClient>, "open" | "drain" | "close">>
}

/** One open connection of somebody who watches. */
export type Dashboard = ServerWebSocket<StreamClient>

/** A buffer above this gets nothing more until it drains. */
const fullBytes = 16 * 1024

/** What may be sent to a dashboard between two looks at its buffer. A full buffer, a burst and the frame that
 *  ends it stay below the 64 KiB that a dashboard is held to. */
export const burstBytes = 32 * 1024

/** What `Bun.serve` allows a connection. The backpressure limit is a last line of defence, far above what is used. */
export const connectionLimits = {
  maxPayloadLength: 1024,
  idleTimeout: 120,
  sendPings: true,
  perMessageDeflate: false,
  backpressureLimit: 256 * 1024,
  closeOnBackpressureLimit: true,
}

/** For `Bun.serve`, which knows one handler for all connections. */
export const websocket: WebSocketHandler<StreamClient> = {
  open: (dashboard) => dashboard.data.events.open(dashboard),
  drain: (dashboard) => dashboard.data.events.drain(dashboard),
  close: (dashboard, code, reason) => dashboard.data.events.close(dashboard, code, reason),
  message() {}, // A dashboard has nothing to say.
  ...connectionLimits,
}

export const isFull = (dashboard: Dashboard): boolean => dashboard.getBufferedAmount() > fullBytes

/** Lets the event loop write what was sent and serve everybody else. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
