import { computed, effect, type ReadonlySignal, signal } from "@preact/signals"
import { idAt, placeBefore, positionOf } from "./feed/positions.ts"
import type { api } from "./server/api.ts"
import { createBackoff, retryNow } from "./server/retry.ts"
import { checkSession, isLoggingOut, refreshProgramme, session } from "./session.ts"

/** The state of the stream connection. */
export type LiveState =
  /** No listeners, or the page is hidden. */
  | { readonly kind: "off" }
  | { readonly kind: "live" }
  | { readonly kind: "trying" }
  | { readonly kind: "down"; readonly sinceMs: number }

interface Options {
  readonly url: string
  /** The query of the first connection, such as `last=8`. Without it, the stream starts with the next event. */
  readonly initialQuery?: string
  /** Whether to connect at all. Default: always. */
  readonly isAllowed?: ReadonlySignal<boolean>
  /** Whether the server sends heartbeats. Default: true. */
  readonly hasHeartbeat?: boolean
  /**
   * Returns whether the server would accept a connection. Called when the connection is lost and before each reconnect:
   * browsers log every refused handshake as an error and report no reason. Default: always true.
   */
  readonly checkAdmission?: (signal: AbortSignal) => Promise<boolean>
  /** Called when the server says that the programme has changed. */
  readonly onProgramme?: () => void
}

/** Without a connection for this long, the state becomes `down`. */
const downAfterMs = 2000
/** The server sends something at least every 10 seconds; after a longer silence the connection counts as dead. */
const silenceTimeoutMs = 25_000
/** After this time without an answer, `checkAdmission` is aborted and tried again later. */
const maxCheckMs = 10_000
/** A stream without `through` messages counts as caught up this long after it opens. */
const caughtUpAfterMs = 1000
/** How many entries are stored for listeners that join later. */
const maxRecent = 500

interface Live<Entry = Recognition> {
  readonly state: ReadonlySignal<LiveState>
  readonly listen: (after: number | null, listener: Listener<Entry>) => () => void
  /** Calls `listener` with earlier entries that have changed, as long as there are listeners for new ones. */
  readonly onChange: (listener: (changed: Entry) => void) => () => void
}

/**
 * A stream of entries over one WebSocket, connected while there are listeners. Delivers each entry once and in order,
 * across reconnects.
 */
export function createLive<Entry extends { readonly id: number } = Recognition>(options: Options): Live<Entry> {
  const {
    url,
    checkAdmission = async () => true,
    initialQuery = "",
    isAllowed,
    hasHeartbeat = true,
    onProgramme,
  } = options
  const state = signal<LiveState>({ kind: "off" })
  const dispatcher = createDispatcher<Entry>(() => {
    const missed = lostMs !== null
    lostMs = null
    return { missed }
  })
  const { listeners } = dispatcher
  const changeListeners = new Set<(changed: Entry) => void>()
  const backoff = createBackoff()
  const timers = { retry: 0, silence: 0, settled: 0 }
  /** Starts when the connection is lost, and keeps running across all attempts to reconnect. */
  let downTimer: number | null = null
  /** The place of the newest entry received (`positionOf`); null: the stream starts with the next event. */
  let last: number | null = null
  /**
   * The entries after the id `from`, without gaps, so that a listener that joins later needs no connection of its own.
   */
  let recent: Entry[] = []
  let from: number | null = null
  let socket: WebSocket | null = null
  /** Aborted when the attempt to connect is over, so that a late answer changes nothing. */
  let attempt = new AbortController()
  let lostMs: number | null = null
  let unsubscribe: (() => void) | undefined

  /**
   * Delivers entries after the id `after` (null: from now on) until the returned function is called. A list passes the
   * newest id that it shows.
   */
  function listen(after: number | null, listener: Listener<Entry>): () => void {
    const isFirst = listeners.size === 0
    const start = after === null ? null : positionOf(after)
    listeners.set(listener, start ?? last)
    if (isFirst) {
      from = last = start
      begin()
    } else if (start !== null && from !== null) {
      if (start < from) restartFrom(start)
      else dispatcher.deliver(listener, recent, { missed: true })
    }
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) stop()
    }
  }

  /** Reconnects from an earlier place. */
  function restartFrom(position: number) {
    dispatcher.flush()
    from = last = position
    recent = []
    update()
  }

  /**
   * Takes the start of the stream from its first message if no id was requested. Returns false if a listener needs an
   * earlier start.
   */
  function setStart(position: number): boolean {
    from = last = position
    for (const [listener, heard] of listeners) if (heard === null) listeners.set(listener, position)
    const earliest = Math.min(...[...listeners.values()].map((heard) => heard ?? position))
    if (earliest < position) restartFrom(earliest)
    return earliest >= position
  }

  function begin() {
    window.addEventListener("online", resume)
    window.addEventListener("offline", reconnectLater)
    document.addEventListener("visibilitychange", resume)
    if (isAllowed) unsubscribe = isAllowed.subscribe(update)
    else update()
  }

  function stop() {
    window.removeEventListener("online", resume)
    window.removeEventListener("offline", reconnectLater)
    document.removeEventListener("visibilitychange", resume)
    unsubscribe?.()
    disconnect()
    clearDownTimer()
    lostMs = null
    dispatcher.forget()
    from = last = null
    recent = []
    state.value = { kind: "off" }
  }

  /** A hidden page has no connection. */
  const isWanted = () => !document.hidden && isAllowed?.value !== false

  function update() {
    if (isWanted()) connect()
    else turnOff()
  }

  /** Checks admission first: the session may have ended while the page was hidden or offline. */
  function resume() {
    if (isWanted()) void reconnect()
    else turnOff()
  }

  function turnOff() {
    lostMs ??= Date.now()
    disconnect()
    clearDownTimer()
    state.value = { kind: "off" }
  }

  function connect() {
    disconnect()
    markTrying()
    open()
  }

  async function reconnect() {
    disconnect()
    markTrying()
    timers.retry = window.setTimeout(retryLater, maxCheckMs)
    const { signal } = attempt
    const isAdmitted = await checkAdmission(signal)
    if (signal.aborted) return
    if (isAdmitted) connect()
    else retryLater()
  }

  function open() {
    const address = new URL(url)
    const start = last === null ? initialQuery : `after=${idAt(last)}`
    address.search = [address.search, start].filter(Boolean).join("&")
    const opened = new WebSocket(address)
    socket = opened
    opened.onmessage = ({ data }) => receive(JSON.parse(String(data)) as Message<Entry>)
    opened.onopen = onOpen
    opened.onclose = reconnectLater
  }

  function onOpen() {
    markAlive()
    if (hasHeartbeat) return
    timers.settled = window.setTimeout(() => {
      if (!dispatcher.isWaiting()) lostMs = null
    }, caughtUpAfterMs)
  }

  /** Without heartbeats, only a new connection shows whether the server is still reachable. */
  function probe() {
    disconnect()
    open()
    timers.silence = window.setTimeout(reconnectLater, downAfterMs)
  }

  function receive(message: Message<Entry>) {
    markAlive()
    const beginning = "through" in message ? positionOf(message.through) : placeBefore(message.id)
    if (from === null && !setStart(beginning)) return
    if ("through" in message) {
      last = Math.max(last ?? 0, positionOf(message.through))
      if (message.programme !== undefined) onProgramme?.()
      if (message.changed !== undefined) {
        for (const listener of changeListeners) listener(message.changed)
        return
      }
      // All missed entries have been delivered.
      if (!dispatcher.isWaiting()) lostMs = null
      return
    }
    const position = positionOf(message.id)
    if (position <= (last ?? 0)) return
    last = position
    recent.push(message)
    const oldest = recent.length > maxRecent ? recent.shift() : undefined
    if (oldest !== undefined) from = positionOf(oldest.id)
    dispatcher.add(message)
  }

  function markAlive() {
    clearDownTimer()
    clearTimeout(timers.silence)
    timers.silence = window.setTimeout(hasHeartbeat ? reconnectLater : probe, silenceTimeoutMs)
    backoff.reset()
    if (state.value.kind !== "live") state.value = { kind: "live" }
  }

  /** Call when the connection was refused or lost. The check finds out at once whether the session has ended. */
  function reconnectLater() {
    retryLater()
    void checkAdmission(attempt.signal)
  }

  function retryLater() {
    disconnect()
    lostMs ??= Date.now()
    markTrying()
    timers.retry = window.setTimeout(reconnect, backoff.nextMs())
  }

  function markTrying() {
    if (state.value.kind !== "down") state.value = { kind: "trying" }
    downTimer ??= window.setTimeout(markDown, downAfterMs)
  }

  function markDown() {
    lostMs ??= Date.now()
    if (state.value.kind === "trying") state.value = { kind: "down", sinceMs: lostMs }
  }

  function clearDownTimer() {
    if (downTimer !== null) clearTimeout(downTimer)
    downTimer = null
  }

  function disconnect() {
    for (const timer of Object.values(timers)) clearTimeout(timer)
    attempt.abort()
    attempt = new AbortController()
    if (socket === null) return
    const left = socket
    socket = null
    left.onclose = null
    left.onmessage = null
    left.onopen = null
    // Browsers log an error when a socket is closed before it is open.
    if (left.readyState === WebSocket.CONNECTING) left.onopen = () => left.close()
    else left.close()
  }

  return {
    state,
    listen,
    onChange(listener) {
      changeListeners.add(listener)
      return () => changeListeners.delete(listener)
    },
  }
}

/** Receives a batch in ascending order. `missed`: it was created while the connection was down or the page hidden. */
type Listener<Entry> = (entries: readonly Entry[], about: { readonly missed: boolean }) => void

/** Entries within this time are delivered as one batch, so that many missed entries are not rendered one by one. */
const batchMs = 50

/** Delivers each entry once to every listener. `onBatch` says whether the entries of the batch were missed. */
function createDispatcher<Entry extends { readonly id: number }>(onBatch: () => { readonly missed: boolean }) {
  /** The newest id delivered to each listener; null until the start of the stream is known. */
  const listeners = new Map<Listener<Entry>, number | null>()
  let waiting: Entry[] = []
  let timer = 0

  function flush() {
    clearTimeout(timer)
    if (waiting.length === 0) return
    const entries = waiting
    waiting = []
    const about = onBatch()
    for (const listener of [...listeners.keys()]) deliver(listener, entries, about)
  }

  /** Delivers the entries that this listener has not received. */
  function deliver(listener: Listener<Entry>, entries: readonly Entry[], about: { readonly missed: boolean }) {
    const heard = listeners.get(listener)
    if (heard === undefined) return
    const unheard = entries.filter(({ id }) => positionOf(id) > (heard ?? 0))
    const newest = unheard.at(-1)
    if (newest === undefined) return
    listeners.set(listener, positionOf(newest.id))
    listener(unheard, about)
  }

  return {
    listeners,
    deliver,
    flush,
    isWaiting: () => waiting.length > 0,
    add(entry: Entry) {
      waiting.push(entry)
      if (waiting.length === 1) timer = window.setTimeout(flush, batchMs)
    },
    forget() {
      clearTimeout(timer)
      waiting = []
    },
  }
}

type FeedPage = Extract<Awaited<ReturnType<typeof api.api.v1.feed.get>>, { error: null }>["data"]

type FeedItem = FeedPage["items"][number]

/** A recognition as in the feed. The stream sends it without responses, because a new recognition has none. */
export type Recognition = Omit<FeedItem, "reactions" | "replies"> & Partial<Pick<FeedItem, "reactions" | "replies">>

/** Whether this person sent or received it. */
export const involves = (one: Recognition, username: string): boolean =>
  one.from_username === username || one.receivers.some((receiver) => receiver.username === username)

/** A message of the stream: an entry, or the id through which everything has been sent, with what changed. */
type Message<Entry = Recognition> =
  | Entry
  | { readonly through: number; readonly changed?: Entry; readonly programme?: "changed" }

/** The live feed for logged-in users. */
export const liveFeed = createLive({
  url: `${location.origin.replace(/^http/, "ws")}/api/v1/stream`,
  isAllowed: computed(() => session.value.kind === "member" && !isLoggingOut.value),
  checkAdmission: checkSession,
  onProgramme: () => void refreshProgramme(),
})

effect(() => {
  if (liveFeed.state.value.kind === "live") retryNow()
})
