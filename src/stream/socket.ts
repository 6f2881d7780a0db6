import type { ServerWebSocket, WebSocketHandler } from "bun"

/** What the hub knows about one connection. */
export interface StreamClient {
  readonly format: string
  /** The user who opened the stream; null where no log-in is required. */
  readonly userId: number | null
  /** The client was sent every transaction up to this id. */
  cursor: number
  /** Whether it gets messages that show that the connection works. */
  readonly getsHeartbeats: boolean
  /** It has caught up with the ledger. */
  isLive: boolean
  /** When its buffer began to hold data; null while the buffer is empty. */
  stalledSince: number | null
  /**
   * Checks the credential that opened the stream: when it expires, in milliseconds, or null when it has ended. The
   * function itself is null if no credential is required.
   */
  readonly checkAdmission: (() => Promise<number | null>) | null
  /** When the credential expires, as of the last check. */
  admittedUntil: number
  /** The handlers of the hub that the client belongs to. */
  readonly events: Required<Pick<WebSocketHandler<StreamClient>, "open" | "drain" | "close">>
}

/** One open connection of a client that watches the stream. */
export type StreamSocket = ServerWebSocket<StreamClient>

/** When the buffer of a socket holds more than this, nothing more is sent until it drains. */
const fullBytes = 16 * 1024

/**
 * Bun's limits on a connection. It pings a quiet one 16 s before `idleTimeout`, so at least every 30 s: proxies end what is quiet
 * for a minute, and a sleeping network for less. The backpressure limit is a last line of defence, far above normal use.
 */
const connectionLimits = {
  maxPayloadLength: 1024,
  idleTimeout: 44,
  sendPings: true,
  perMessageDeflate: false,
  backpressureLimit: 256 * 1024,
  closeOnBackpressureLimit: true,
}

/** For `Bun.serve`, which takes one handler for all connections; each connection has the handlers of its hub. */
export const websocket: WebSocketHandler<StreamClient> = {
  open: (socket) => socket.data.events.open(socket),
  drain: (socket) => socket.data.events.drain(socket),
  close: (socket, code, reason) => socket.data.events.close(socket, code, reason),
  message() {}, // What clients say is ignored.
  ...connectionLimits,
}

export const isFull = (socket: StreamSocket): boolean => socket.getBufferedAmount() > fullBytes
