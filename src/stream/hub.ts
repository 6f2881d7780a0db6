import type { SessionStore } from "../domain/auth/ports.ts"
import type { Clock } from "../domain/clock.ts"
import type { ProgrammeOf } from "../domain/ledger/ledger.ts"
import type { AmountsShown } from "../domain/programme/amounts.ts"
import { entryAt } from "../domain/recognition/positions.ts"
import type { Store } from "../domain/store.ts"
import { inTimeSlices, nextTick } from "../domain/ticks.ts"
import type { Log } from "../support/log.ts"
import { createAdmission } from "./admission.ts"
import { createFramePages } from "./frame-pages.ts"
import { type EntrySource, type Formats, recognitionFormats, textFor, transactionFormats } from "./frames.ts"
import { isFull, type StreamClient, type StreamSocket } from "./socket.ts"

/** A socket whose buffer has not drained for this long is closed. */
export const stalledMs = 30_000

const goingAway = 1001
const tryAgainLater = 1013

export interface HubOptions<Entry> {
  readonly ledger: EntrySource<Entry>
  readonly formats: Formats<Entry>
  /** A text that identifies the programme: when it changes, clients with heartbeats get a message. Absent: no messages. */
  readonly programmeText?: () => Promise<string>
  /** The programme in force, which says who sees amounts. */
  readonly programme: () => Promise<AmountsShown>
  /** A counter of the changes that may end a credential before it expires. */
  readonly accessChanges: SessionStore["accessChanges"]
  readonly clock: Clock
  /**
   * How often the hub looks for transactions of other processes and for sockets that do not read. It looks for ended credentials
   * as often, but at least once a second.
   */
  readonly pollMs: number
  /** The id that clients know for a place in the stream; absent: the same. */
  readonly idAt?: (cursor: number) => number
  /** How often clients that asked for it are told up to which id they were sent everything. */
  readonly heartbeatMs?: number
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
  readonly getsHeartbeats?: boolean
  /** The stream starts with the first transaction after this id. */
  readonly after: number
  /** The user who opens the stream; absent where no log-in is required. */
  readonly userId?: number
  /**
   * At the first check after the credential has ended, the stream is closed with 1008. Null: no credential is required.
   */
  readonly checkAdmission: StreamClient["checkAdmission"]
}

/**
 * Browsers hide WebSocket pings from scripts, so programs need a message. The app considers the connection dead after 2.5
 * intervals without one.
 */
const defaultHeartbeatMs = 10_000

/** How many sockets are served in one tick of the event loop: about 2 ms of work. */
const sliceSize = 250

/**
 * How often credentials are checked at least, however long the poll interval is: an open page must learn within two seconds that
 * its session has ended.
 */
const maxAdmissionMs = 1000

/** Pause between two rounds: lets the commits of a busy ledger share one. None for a few sockets. */
const pauseMs = (sockets: number): number => Math.min(50, Math.floor(sockets / 200))

/**
 * A stream of ledger entries to all its sockets (docs/interface/streams.md), each of which is sent every transaction
 * once, ascending. After a commit of this process, and at every poll, rounds send one page to each socket that is
 * behind, until all have what the ledger holds. Those with a full buffer are left out until it drains.
 */
export function createHub<Entry extends { readonly id: number }>(options: HubOptions<Entry>) {
  const {
    ledger,
    formats,
    programmeText,
    programme,
    accessChanges,
    clock,
    pollMs,
    heartbeatMs = defaultHeartbeatMs,
    idAt = (cursor) => cursor,
    log,
  } = options
  const sockets = new Set<StreamSocket>()
  const pageAfter = createFramePages(ledger, formats)
  /** The newest known transaction; -1 until the ledger is asked. */
  let head = -1
  /** The ledger may have grown since. */
  let isStale = false
  let isRequested = false
  let isAdvancing = false
  let isStopped = false
  let dropped = 0
  /** The programme as it was at the last poll; null while nobody is connected. */
  let knownProgramme: string | null = null
  let pollTimer: Timer | undefined
  let admissionTimer: Timer | undefined
  let heartbeatTimer: Timer | undefined
  let unsubscribe = () => {}

  const admission = createAdmission({ sockets, accessChanges, clock, log })

  const events: StreamClient["events"] = {
    open(socket) {
      if (isStopped) return socket.close(goingAway)
      sockets.add(socket)
      if (knownProgramme === null) void followProgramme()
      void advance()
    },
    drain(socket) {
      socket.data.stalledSince = null
      void advance()
    },
    close: (socket) => void sockets.delete(socket),
  }

  return {
    /** The `data` of a WebSocket upgrade. */
    client: ({ format, getsHeartbeats = false, after, userId, checkAdmission }: ClientOptions): StreamClient => ({
      format,
      getsHeartbeats,
      userId: userId ?? null,
      cursor: after,
      isLive: false,
      stalledSince: null,
      checkAdmission,
      admittedUntil: Number.NEGATIVE_INFINITY,
      events,
    }),
    start(): Promise<void> {
      pollTimer = setInterval(() => {
        closeStalled()
        void followProgramme()
        void follow()
      }, pollMs)
      admissionTimer = setInterval(() => void admission.check(), Math.min(pollMs, maxAdmissionMs))
      heartbeatTimer = setInterval(() => void sendHeartbeats(), heartbeatMs)
      unsubscribe = ledger.onAppend(() => void follow())
      return follow()
    },
    /** Closes every stream with 1001; streams that open later are closed at once. */
    stop() {
      isStopped = true
      clearInterval(pollTimer)
      clearInterval(admissionTimer)
      clearInterval(heartbeatTimer)
      unsubscribe()
      for (const socket of sockets) socket.close(goingAway)
    },
    read: (): HubReading => ({
      clients: sockets.size,
      buffered: sockets.values().reduce((sum, socket) => sum + socket.getBufferedAmount(), 0),
      dropped,
    }),
  }

  function follow(): Promise<void> {
    isStale = true
    return advance()
  }

  /** One call at a time does the work. A call meanwhile leads to another round, so that a burst of commits shares one. */
  async function advance() {
    isRequested = true
    if (isAdvancing) return
    isAdvancing = true
    try {
      for (let isBehind = false; (isRequested || isBehind) && !isStopped; ) {
        isRequested = false
        // With nobody to send to, the next socket asks.
        if (isStale && sockets.size > 0) {
          isStale = false
          head = await ledger.lastId()
        }
        isBehind = sockets.size > 0 && (await sendRound())
        const ms = isBehind ? 0 : pauseMs(sockets.size)
        await (ms === 0 ? nextTick() : Bun.sleep(ms))
      }
    } catch (error) {
      log.error("stream: the ledger cannot be read; the next poll tries again", { error: String(error) })
    }
    isAdvancing = false
  }

  /** Sends one page to each socket that is behind. Returns whether one is still behind. */
  async function sendRound(): Promise<boolean> {
    let isBehind = false
    const rules = await programme()
    for await (const socket of inTimeSlices(sockets, sliceSize)) {
      const { data } = socket
      if (data.cursor < head) await sendPage(socket, rules)
      if (data.cursor < head) isBehind ||= sockets.has(socket) && !isFull(socket)
      else if (data.cursor === head && !data.isLive) {
        data.isLive = true
        sendHeartbeat(socket)
      }
    }
    return isBehind
  }

  /** Sends nothing when its buffer is full, or when it is closed meanwhile. */
  async function sendPage(socket: StreamSocket, rules: AmountsShown) {
    const { data } = socket
    if (isFull(socket)) {
      data.isLive = false
      return
    }
    const { frames, lastId } = await pageAfter(data.format, data.cursor, head, rules)
    if (!sockets.has(socket)) return
    socket.cork(() => {
      for (const frame of frames) {
        const text = textFor(frame, data.userId)
        if (text !== null) socket.send(text)
      }
    })
    data.cursor = lastId
  }

  async function sendHeartbeats() {
    for await (const socket of inTimeSlices(sockets, sliceSize)) if (socket.data.isLive) sendHeartbeat(socket)
  }

  function sendHeartbeat(socket: StreamSocket, more: object = {}) {
    const { getsHeartbeats, cursor } = socket.data
    if (getsHeartbeats) socket.send(JSON.stringify({ through: idAt(cursor), ...more }))
  }

  /** Tells clients that the programme has changed, which they then read. */
  async function followProgramme() {
    if (programmeText === undefined) return
    if (sockets.size === 0) {
      knownProgramme = null
      return
    }
    try {
      const now = await programmeText()
      const hasChanged = knownProgramme !== null && knownProgramme !== now
      knownProgramme = now
      if (!hasChanged) return
      for await (const socket of inTimeSlices(sockets, sliceSize))
        if (socket.data.isLive) sendHeartbeat(socket, { programme: "changed" })
    } catch (error) {
      log.error("stream: the programme cannot be read; the next poll tries again", { error: String(error) })
    }
  }

  /** A client that does not read cannot receive the close frame either; Bun ends such a socket within 16 s. */
  function closeStalled() {
    const now = clock()
    for (const socket of sockets) {
      const { data } = socket
      if (socket.getBufferedAmount() === 0) data.stalledSince = null
      else if (data.stalledSince === null || data.stalledSince > now) data.stalledSince = now
      else if (now - data.stalledSince >= stalledMs && sockets.delete(socket)) {
        dropped += 1
        socket.close(tryAgainLater, "Not reading")
      }
    }
  }
}

interface HubsDependencies extends Pick<HubOptions<never>, "clock" | "pollMs" | "log"> {
  readonly store: Pick<Store, "ledger" | "recognitions" | "sessions" | "users">
  readonly programme: ProgrammeOf
}

/** The streams of this server: `transactionHub` serves /transaction/ws, `feedHub` the feed of the app. */
export function createHubs({ store, programme, ...rest }: HubsDependencies) {
  const { after, lastId, onAppend } = store.ledger
  const { revision } = store.users
  const common = { programme, accessChanges: store.sessions.accessChanges, ...rest }
  const transactionHub = createHub({
    ledger: { after, lastId, onAppend, revision },
    formats: transactionFormats,
    ...common,
  })
  const feedHub = createHub({
    ledger: { after: store.recognitions.after, lastId: store.recognitions.lastPosition, onAppend, revision },
    formats: recognitionFormats,
    idAt: entryAt,
    programmeText: async () => JSON.stringify(await programme()),
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
