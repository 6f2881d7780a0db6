import type { Server, WebSocketHandler } from "bun"
import type { Clock } from "../domain/model.ts"
import type { LedgerStore, SessionStore } from "../domain/store.ts"
import type { Log } from "../log.ts"
import { createAdmission } from "./admission.ts"
import { type Dashboard, type StreamClient, websocket } from "./dashboard.ts"
import { createFollower } from "./follower.ts"
import type { Formats } from "./frame.ts"
import { createLive } from "./live.ts"
import { createReplay } from "./replay.ts"

/** How long a dashboard may leave its buffer as it is before it is closed. */
const stalledMs = 30_000

const goingAway = 1001
const tryAgainLater = 1013

/** The ledger as one kind of entries. */
export interface Follows<Entry> extends Pick<LedgerStore, "lastId" | "onAppend"> {
  /** Ascending, at most `limit`. */
  after(id: number, limit: number): Promise<Entry[]>
}

export interface HubOptions<Entry> {
  readonly ledger: Follows<Entry>
  readonly formats: Formats<Entry>
  /** Grows with every change that may end a credential before it expires. */
  readonly accessChanges: SessionStore["accessChanges"]
  readonly clock: Clock
  /** How often to look for what other processes appended, for dashboards that do not read, and at credentials. */
  readonly pollMs: number
  /** What says every so often that the line is alive, with the id through which everything was sent; absent: nothing. */
  readonly heartbeat?: { readonly everyMs: number; readonly text: (through: number) => string }
  readonly log: Log
}

export interface HubReading {
  readonly clients: number
  /** Bytes that were sent and not yet taken. */
  readonly buffered: number
  /** How many were closed because they did not read. */
  readonly dropped: number
}

export interface ClientOptions {
  /** One of the hub's. */
  readonly format: string
  /** Id behind which frames start. */
  readonly after: number
  /** Whose it is; absent: nobody asked. */
  readonly userId?: number
  /** Where it is given, the stream is closed with 1008 at the first poll after the credential has ended. */
  readonly checkAdmission: StreamClient["checkAdmission"]
}

/** The stream of transactions to every dashboard (contract, section "WebSocket /transaction/ws"). */
export interface Hub {
  /** For `Bun.serve`; the same for every hub. */
  readonly websocket: WebSocketHandler<StreamClient>
  /** The `data` of an upgrade. */
  client(options: ClientOptions): StreamClient
  /** The server that serves `websocket`. Before `start`. */
  attach(server: Pick<Server<StreamClient>, "publish">): void
  start(): Promise<void>
  /** Closes every stream with 1001, and those that open later at once. */
  stop(): void
  read(): HubReading
}

/**
 * Follows the ledger once for all dashboards. Live ones stand at a head, the id through which they were sent everything,
 * that moves along the ledger on the commits of this process and on every poll. Who is behind is brought up to a head by
 * replay.ts and joins there; so each is sent every transaction once, ascending.
 */
export function createHub<Entry extends { readonly id: number }>(options: HubOptions<Entry>): Hub {
  const { ledger, formats, accessChanges, clock, pollMs, heartbeat, log } = options
  const dashboards = new Set<Dashboard>()
  let server: Pick<Server<StreamClient>, "publish"> | undefined
  let stopped = false
  let dropped = 0
  let poll: Timer | undefined
  let pulse: Timer | undefined

  const live = createLive({ ledger, formats, publishTo, heartbeat: heartbeat?.text ?? null })
  const replay = createReplay({ ledger, formats, head: live.head, join: live.join, log })
  const admission = createAdmission({ dashboards, accessChanges, clock, log })
  const follower = createFollower({ ledger, live, onAdvance: replay.wake, log })

  const events: StreamClient["events"] = {
    open(dashboard) {
      if (stopped) return dashboard.close(goingAway)
      dashboards.add(dashboard)
      replay.add(dashboard)
    },
    drain(dashboard) {
      dashboard.data.stalledSince = null
      if (!live.has(dashboard)) replay.add(dashboard)
    },
    close(dashboard) {
      dashboards.delete(dashboard)
      live.leave(dashboard)
      replay.remove(dashboard)
    },
  }

  return {
    websocket,
    client: ({ format, after, userId = null, checkAdmission }) => ({
      format,
      userId,
      cursor: after,
      stalledSince: null,
      checkAdmission,
      admittedUntil: Number.NEGATIVE_INFINITY,
      events,
    }),
    attach(to) {
      server = to
    },
    start() {
      poll = setInterval(() => {
        closeStalled()
        void admission.check()
        void follower.advance()
      }, pollMs)
      if (heartbeat) pulse = setInterval(() => void live.beat(), heartbeat.everyMs)
      return follower.start()
    },
    stop() {
      stopped = true
      clearInterval(poll)
      clearInterval(pulse)
      follower.stop()
      for (const dashboard of dashboards) dashboard.close(goingAway)
    },
    read: () => ({
      clients: dashboards.size,
      buffered: dashboards.values().reduce((sum, dashboard) => sum + dashboard.getBufferedAmount(), 0),
      dropped,
    }),
  }

  function publishTo(topic: string, frame: string) {
    if (!server) throw new Error("The stream has no server to publish on: attach() comes before start()")
    server.publish(topic, frame)
  }

  /** A close frame that cannot be delivered needs no more of us: Bun lets go of such a socket within 16 s. */
  function closeStalled() {
    const now = clock()
    for (const dashboard of dashboards) {
      const { data } = dashboard
      if (dashboard.getBufferedAmount() === 0) data.stalledSince = null
      else if (data.stalledSince === null) data.stalledSince = now
      else if (now - data.stalledSince >= stalledMs && dashboards.delete(dashboard)) {
        dropped += 1
        dashboard.close(tryAgainLater, "Not reading")
      }
    }
  }
}
