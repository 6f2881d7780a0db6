import type { Server } from "bun"
import type { SessionStore } from "../domain/auth/ports.ts"
import type { Clock } from "../domain/clock.ts"
import type { Store } from "../domain/store.ts"
import type { Log } from "../support/log.ts"
import { createAdmission } from "./admission.ts"
import type { Dashboard, StreamClient } from "./dashboard.ts"
import { createFollower } from "./follower.ts"
import { type EntrySource, type Formats, hasHeartbeats, recognitionFormats, transactionFormats } from "./frames.ts"
import { createGroups } from "./groups.ts"
import { createReplay } from "./replay.ts"

/** A dashboard whose buffer has not drained for this long is closed. */
export const stalledMs = 30_000

const goingAway = 1001
const tryAgainLater = 1013

export interface HubOptions<Entry> {
  readonly ledger: EntrySource<Entry>
  readonly formats: Formats<Entry>
  /** A counter of the changes that may end a credential before it expires. */
  readonly accessChanges: SessionStore["accessChanges"]
  readonly clock: Clock
  /**
   * How often the hub looks for transactions of other processes, dashboards that do not read, and ended credentials.
   */
  readonly pollMs: number
  /**
   * A message that tells clients that the connection works, with the id up to which they were sent everything. Absent:
   * no heartbeats.
   */
  readonly heartbeat?: {
    readonly everyMs: number
    readonly text: (through: number) => string
    /** Whether clients of this format get them. */
    readonly isFor: (format: string) => boolean
  }
  readonly log: Log
}

interface HubReading {
  readonly clients: number
  /** Bytes sent that the clients have not received yet. */
  readonly buffered: number
  /** How many clients were closed because they did not read. */
  readonly dropped: number
}

export interface ClientOptions {
  /** A name in the hub's `formats`. */
  readonly format: string
  /** The stream starts with the first transaction after this id. */
  readonly after: number
  /** The user who opens the stream; absent where no log-in is required. */
  readonly userId?: number
  /**
   * At the first poll after the credential has ended, the stream is closed with 1008. Null: no credential is required.
   */
  readonly checkAdmission: StreamClient["checkAdmission"]
}

/** A stream of ledger entries to all its dashboards (docs/interface.md, "Streams"). */
interface Hub {
  /** The `data` of a WebSocket upgrade. */
  client(options: ClientOptions): StreamClient
  /** Sets the server that serves `websocket`. Call it before `start`. */
  attach(server: Pick<Server<StreamClient>, "publish">): void
  start(): Promise<void>
  /** Closes every stream with 1001; streams that open later are closed at once. */
  stop(): void
  read(): HubReading
}

/**
 * Follows the ledger once for all dashboards. Each dashboard is sent every transaction once, ascending. Those that have
 * caught up are live: they stand in groups (groups.ts), which are sent what is new after the commits of this process and at
 * every poll (follower.ts). Those that are behind catch up (replay.ts), and then join a group.
 */
export function createHub<Entry extends { readonly id: number }>(options: HubOptions<Entry>): Hub {
  const { ledger, formats, accessChanges, clock, pollMs, heartbeat, log } = options
  const dashboards = new Set<Dashboard>()
  let server: Pick<Server<StreamClient>, "publish"> | undefined
  let isStopped = false
  let dropped = 0
  let pollTimer: Timer | undefined
  let heartbeatTimer: Timer | undefined

  const groups = createGroups({ ledger, formats, publishTo, heartbeat: heartbeat ?? null })
  const replay = createReplay({ ledger, formats, head: groups.head, join: groups.join, log })
  const admission = createAdmission({ dashboards, accessChanges, clock, log })
  const follower = createFollower({ ledger, groups, onAdvance: replay.wake, log })

  const events: StreamClient["events"] = {
    open(dashboard) {
      if (isStopped) return dashboard.close(goingAway)
      dashboards.add(dashboard)
      replay.add(dashboard)
    },
    drain(dashboard) {
      dashboard.data.stalledSince = null
      if (!groups.has(dashboard)) replay.add(dashboard)
    },
    close(dashboard) {
      dashboards.delete(dashboard)
      groups.leave(dashboard)
      replay.remove(dashboard)
    },
  }

  return {
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
      pollTimer = setInterval(() => {
        closeStalled()
        void admission.check()
        void follower.advance()
      }, pollMs)
      if (heartbeat) heartbeatTimer = setInterval(() => void groups.sendHeartbeats(), heartbeat.everyMs)
      return follower.start()
    },
    stop() {
      isStopped = true
      clearInterval(pollTimer)
      clearInterval(heartbeatTimer)
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
    if (!server) throw new Error("the stream has no server to publish on: call attach() before start()")
    server.publish(topic, frame)
  }

  /** A client that does not read cannot receive the close frame either; Bun ends such a socket within 16 s. */
  function closeStalled() {
    const now = clock()
    for (const dashboard of dashboards) {
      const { data } = dashboard
      if (dashboard.getBufferedAmount() === 0) data.stalledSince = null
      else if (data.stalledSince === null || data.stalledSince > now) data.stalledSince = now
      else if (now - data.stalledSince >= stalledMs && dashboards.delete(dashboard)) {
        dropped += 1
        dashboard.close(tryAgainLater, "Not reading")
      }
    }
  }
}

/**
 * Browsers hide WebSocket pings from scripts, so programs need a message. The app considers the connection dead after 2.5
 * intervals without one.
 */
const heartbeatMs = 10_000

interface HubsDependencies extends Pick<HubOptions<never>, "clock" | "pollMs" | "log"> {
  readonly store: Pick<Store, "ledger" | "recognitions" | "sessions">
}

/** The streams of this server: `transactionHub` serves /transaction/ws, `feedHub` the feed of the app. */
export function createHubs({ store, ...rest }: HubsDependencies) {
  const { lastId, onAppend } = store.ledger
  const common = { accessChanges: store.sessions.accessChanges, ...rest }
  const heartbeat = { everyMs: heartbeatMs, text: (through: number) => JSON.stringify({ through }) }
  const transactionHub = createHub({
    ledger: store.ledger,
    formats: transactionFormats,
    heartbeat: { ...heartbeat, isFor: hasHeartbeats },
    ...common,
  })
  const feedHub = createHub({
    ledger: { after: store.recognitions.after, lastId, onAppend },
    formats: recognitionFormats,
    heartbeat: { ...heartbeat, isFor: () => true },
    ...common,
  })

  return {
    transactionHub,
    feedHub,
    /** The sums over both hubs. */
    read(): HubReading {
      const [one, other] = [transactionHub.read(), feedHub.read()]
      return {
        clients: one.clients + other.clients,
        buffered: one.buffered + other.buffered,
        dropped: one.dropped + other.dropped,
      }
    },
  }
}
