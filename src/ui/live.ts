import { computed, effect, type ReadonlySignal, signal } from "@preact/signals"
import type { api } from "./server/api.ts"
import { createBackoff, retryNow } from "./server/retry.ts"
import { checkSession, session } from "./session.ts"

/** How it stands with the line to the server. */
export type LiveState =
  /** Nobody asks for it, or nobody looks. */
  | { readonly kind: "off" }
  | { readonly kind: "live" }
  | { readonly kind: "trying" }
  | { readonly kind: "down"; readonly sinceMs: number }

interface Options {
  /** Address of the stream, without a query. */
  readonly url: string
  /** The query of the first visit, such as `?last=8`; absent: it begins with what happens next. */
  readonly initialQuery?: string
  /** Whether the server may be asked at all; absent: always. */
  readonly isAllowed?: ReadonlySignal<boolean>
  /** Whether the server says now and then that it is there; absent: it does. */
  readonly hasHeartbeat?: boolean
  /** The line was refused or broke: whether it is for want of a session is asked elsewhere. */
  readonly onDisconnect: () => void
}

/** After this long without a line it is called down. */
const downAfterMs = 2000
/** The server says something every 10 seconds at the latest: longer silence is a dead line. */
const silenceTimeoutMs = 25_000
/** When everything that was missed has come, on a line that does not say so. */
const caughtUpAfterMs = 1000
/** So many entries are kept for listeners that join later. */
const maxRecent = 500

export interface Live<Entry = Recognition> {
  readonly state: ReadonlySignal<LiveState>
  readonly listen: (after: number | null, listener: Listener<Entry>) => () => void
}

/** Follows the feed while somebody listens. Each entry comes once, in order, whatever the line does meanwhile. */
export function createLive<Entry extends { readonly id: number } = Recognition>(options: Options): Live<Entry> {
  const { url, onDisconnect, initialQuery = "", isAllowed, hasHeartbeat = true } = options
  const state = signal<LiveState>({ kind: "off" })
  const dispatcher = createDispatcher<Entry>(() => {
    const missed = lostMs !== null
    lostMs = null
    return { missed }
  })
  const { listeners } = dispatcher
  const backoff = createBackoff()
  const timers = { retry: 0, silence: 0, settled: 0 }
  /** Runs from the moment that there is no line, through every try. */
  let downTimer: number | null = null
  /** Id through which everything came; null: it begins with what happens next. */
  let last: number | null = null
  /** What came after the id `from`, without a gap: whoever joins later needs no connection of its own. */
  let recent: Entry[] = []
  let from: number | null = null
  let socket: WebSocket | null = null
  let lostMs: number | null = null
  let unsubscribe: (() => void) | undefined

  /**
   * Hears everything after the id `after`, or from now on when it is null, until the returned function is called. A list
   * passes the newest id that it shows.
   */
  function listen(after: number | null, listener: Listener<Entry>): () => void {
    const isFirst = listeners.size === 0
    listeners.set(listener, after ?? last)
    if (isFirst) {
      from = last = after
      start()
    } else if (after !== null && from !== null) {
      if (after < from) restartFrom(after)
      else dispatcher.deliver(listener, recent, { missed: true })
    }
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) stop()
    }
  }

  /** Opens the connection anew, from an earlier id on. */
  function restartFrom(id: number) {
    dispatcher.flush()
    from = last = id
    recent = []
    update()
  }

  /** If nobody asked for an id, the first message says where the connection begins. False: not early enough. */
  function setStart(id: number): boolean {
    from = last = id
    for (const [listener, heard] of listeners) if (heard === null) listeners.set(listener, id)
    const earliest = Math.min(...[...listeners.values()].map((heard) => heard ?? id))
    if (earliest < id) restartFrom(earliest)
    return earliest >= id
  }

  function start() {
    window.addEventListener("online", update)
    window.addEventListener("offline", reconnectLater)
    document.addEventListener("visibilitychange", update)
    if (isAllowed) unsubscribe = isAllowed.subscribe(update)
    else update()
  }

  function stop() {
    window.removeEventListener("online", update)
    window.removeEventListener("offline", reconnectLater)
    document.removeEventListener("visibilitychange", update)
    unsubscribe?.()
    disconnect()
    clearDownTimer()
    lostMs = null
    dispatcher.forget()
    from = last = null
    recent = []
    state.value = { kind: "off" }
  }

  /** A hidden page keeps no line. */
  function update() {
    if (!document.hidden && isAllowed?.value !== false) return connect()
    lostMs ??= Date.now()
    disconnect()
    clearDownTimer()
    state.value = { kind: "off" }
  }

  function connect() {
    disconnect()
    if (state.value.kind !== "down") state.value = { kind: "trying" }
    open()
    downTimer ??= window.setTimeout(markDown, downAfterMs)
  }

  function open() {
    const opened = new WebSocket(`${url}${last === null ? initialQuery : `?after=${last}`}`)
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

  /** Where the server says nothing by itself, only opening the line anew shows whether it is alive. */
  function probe() {
    disconnect()
    open()
    timers.silence = window.setTimeout(reconnectLater, downAfterMs)
  }

  function receive(message: Message<Entry>) {
    markAlive()
    const beginning = "through" in message ? message.through : message.id - 1
    if (from === null && !setStart(beginning)) return
    if ("through" in message) {
      last = Math.max(last ?? 0, message.through)
      // Everything that was missed has come.
      if (!dispatcher.isWaiting()) lostMs = null
      return
    }
    if (message.id <= (last ?? 0)) return
    last = message.id
    recent.push(message)
    if (recent.length > maxRecent) from = recent.shift()?.id ?? from
    dispatcher.add(message)
  }

  function markAlive() {
    clearDownTimer()
    clearTimeout(timers.silence)
    timers.silence = window.setTimeout(hasHeartbeat ? reconnectLater : probe, silenceTimeoutMs)
    backoff.reset()
    if (state.value.kind !== "live") state.value = { kind: "live" }
  }

  function reconnectLater() {
    disconnect()
    lostMs ??= Date.now()
    if (state.value.kind !== "down") state.value = { kind: "trying" }
    timers.retry = window.setTimeout(connect, backoff.nextMs())
    downTimer ??= window.setTimeout(markDown, downAfterMs)
    onDisconnect()
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
    if (socket === null) return
    const left = socket
    socket = null
    left.onclose = null
    left.onmessage = null
    left.onopen = null
    // Browsers complain of a line that is closed before it stands.
    if (left.readyState === WebSocket.CONNECTING) left.onopen = () => left.close()
    else left.close()
  }

  return { state, listen }
}

/** What came together, in ascending order; `missed`: it happened while the line was down or the page hidden. */
export type Listener<Entry> = (entries: readonly Entry[], about: { readonly missed: boolean }) => void

/** Entries that arrive within this time are passed on together: a night's entries must not be drawn one by one. */
const batchMs = 50

/** Passes each entry to every listener once. `onTelling` says whether the entries of this batch were missed. */
export function createDispatcher<Entry extends { readonly id: number }>(onBatch: () => { readonly missed: boolean }) {
  /** The id through which each listener has heard everything; null until it is known where the connection begins. */
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

  /** Passes on what this listener has not heard yet. */
  function deliver(listener: Listener<Entry>, entries: readonly Entry[], about: { readonly missed: boolean }) {
    const heard = listeners.get(listener)
    if (heard === undefined) return
    const unheard = entries.filter(({ id }) => id > (heard ?? 0))
    const newest = unheard.at(-1)
    if (newest === undefined) return
    listeners.set(listener, newest.id)
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

/** One recognition, as the feed lists it and the stream tells it. */
export type Recognition = FeedPage["items"][number]

/** What comes over the line: a recognition, or that everything through this id was sent. */
export type Message<Entry = Recognition> = Entry | { readonly through: number }

/** The feed as it happens, for those who are logged in. */
export const liveFeed = createLive({
  url: `${location.origin.replace(/^http/, "ws")}/api/v1/stream`,
  isAllowed: computed(() => session.value.kind === "member"),
  // A refused handshake does not say why.
  onDisconnect: () => void checkSession(),
})

effect(() => {
  if (liveFeed.state.value.kind === "live") retryNow()
})
