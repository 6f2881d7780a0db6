import type { Server, WebSocketHandler } from "bun"
import type { Clock, LedgerStore } from "../domain/store.ts"
import type { Log } from "../log.ts"
import { connectionLimits, type Dashboard, nextTurn, type StreamClient } from "./dashboard.ts"
import { createLive } from "./live.ts"
import { createReplay } from "./replay.ts"

/** Entries read at once for all live dashboards. */
const pageSize = 200

/** How long a dashboard may leave its buffer as it is before it is closed. */
const stalledMs = 30_000

const goingAway = 1001
const tryAgainLater = 1013

export interface HubOptions {
  readonly ledger: Pick<LedgerStore, "after" | "lastId" | "onAppend">
  readonly clock: Clock
  /** How often to look for what other processes appended, and for dashboards that do not read. */
  readonly pollMs: number
  readonly log: Log
}

export interface HubReading {
  readonly clients: number
  /** Bytes that were sent and not yet taken. */
  readonly buffered: number
  /** How many were closed because they did not read. */
  readonly dropped: number
}

/** The stream of transactions to every dashboard (contract, section "WebSocket /transaction/ws"). */
export interface Hub {
  /** For `Bun.serve`. */
  readonly websocket: WebSocketHandler<StreamClient>
  /** The `data` of an upgrade. `after` is the id behind which frames start and carry `id` and `date`; null: from the
   *  first transaction, with the contract's three fields. */
  client(options: { readonly after: number | null }): StreamClient
  /** The server that serves `websocket`. Before `start`. */
  attach(server: Pick<Server<StreamClient>, "publish">): void
  start(): Promise<void>
  /** Closes every stream with 1001, and those that open later at once. */
  stop(): void
  read(): HubReading
}

/**
 * Follows the ledger once for all dashboards. The head is the id through which live ones were sent everything: it moves
 * along the ledger on every commit of this process and on every poll. Who stands at the head is live, who is behind is
 * brought up to it by replay.ts; so each is sent every transaction once, ascending.
 */
export function createHub({ ledger, clock, pollMs, log }: HubOptions): Hub {
  const dashboards = new Set<Dashboard>()
  let head = 0
  let server: Pick<Server<StreamClient>, "publish"> | undefined
  let unfollow = () => {}
  let stopped = false
  let asked = false
  let advancing = false
  let dropped = 0

  const live = createLive((topic, frame) => {
    if (!server) throw new Error("The stream has no server to publish on: attach() comes before start()")
    server.publish(topic, frame)
  })
  const replay = createReplay({ ledger, head: () => head, join: live.join, log })

  return {
    websocket: {
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
      message() {}, // A dashboard has nothing to say.
      ...connectionLimits,
    },
    client: ({ after }) => ({
      format: after === null ? "plain" : "resumable",
      cursor: after ?? 0,
      stalledSince: null,
    }),
    attach(to) {
      server = to
    },
    start() {
      const unsubscribe = ledger.onAppend(() => void advance())
      const poll = setInterval(() => {
        closeStalled()
        void advance()
      }, pollMs)
      unfollow = () => {
        unsubscribe()
        clearInterval(poll)
      }
      return advance()
    },
    stop() {
      stopped = true
      unfollow()
      for (const dashboard of dashboards) dashboard.close(goingAway)
    },
    read: () => ({
      clients: dashboards.size,
      buffered: dashboards.values().reduce((sum, dashboard) => sum + dashboard.getBufferedAmount(), 0),
      dropped,
    }),
  }

  /** One at a time; who asks while it runs has it run again, so that a burst of commits is read in pages. */
  async function advance() {
    asked = true
    if (advancing) return
    advancing = true
    try {
      while (asked) {
        asked = false
        await follow()
      }
      replay.wake()
    } catch (error) {
      log.error("stream: the ledger cannot be followed; the next poll tries again", { error: String(error) })
    }
    advancing = false
  }

  /** Moves the head to the end of the ledger, and publishes what it passes. */
  async function follow() {
    while (!stopped) {
      if (live.isEmpty()) {
        const lastId = await ledger.lastId()
        if (live.isEmpty()) {
          head = lastId
          return
        }
      }
      const page = await ledger.after(head, pageSize)
      for (const entry of page) {
        if (live.isBurstOver()) await holdBackTheFull()
        live.publish(entry)
        head = entry.id
      }
      if (page.length < pageSize) return
    }
  }

  /** What is in their buffers counts as sent; they go on from the ledger when they drain. */
  async function holdBackTheFull() {
    await nextTurn()
    for (const dashboard of live.full()) {
      live.leave(dashboard)
      dashboard.data.cursor = head
    }
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
