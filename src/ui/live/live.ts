import { signal } from "@preact/signals"
import { createAudience, type Listener } from "./audience.ts"
import { createBackoff } from "./backoff.ts"
import type { Message } from "./entry.ts"

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
  /** The line was refused or broke: whether it is for want of a session is asked elsewhere. */
  readonly onLost: () => void
}

/** After this long without a line it is called down. */
const patienceMs = 2000
/** The server says something every 10 seconds at the latest: longer silence is a dead line. */
const silenceMs = 25_000
export type Live = ReturnType<typeof createLive>

/** Follows the feed while somebody listens. Each entry comes once, in order, whatever the line does meanwhile. */
export function createLive({ url, onLost }: Options) {
  const state = signal<LiveState>({ kind: "off" })
  const audience = createAudience(() => {
    const missed = lostMs !== null
    lostMs = null
    return { missed }
  })
  const { listeners } = audience
  const backoff = createBackoff()
  const timers = { retry: 0, silence: 0 }
  /** Runs from the moment that there is no line, through every try. */
  let patience: number | null = null
  /** Id through which everything came; null: it begins with what happens next. */
  let last: number | null = null
  let socket: WebSocket | null = null
  let lostMs: number | null = null

  /**
   * Hears everything after the id `after`, or from now on when it is null, until the returned function is called. A list
   * passes the newest id that it shows.
   */
  function listen(after: number | null, listener: Listener): () => void {
    const isFirst = listeners.size === 0
    listeners.set(listener, after ?? 0)
    if (isFirst || (after !== null && (last === null || after < last))) last = after
    if (isFirst) start()
    else if (last === after) connect()
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) stop()
    }
  }

  function start() {
    window.addEventListener("online", connect)
    window.addEventListener("offline", lose)
    document.addEventListener("visibilitychange", look)
    look()
  }

  function stop() {
    window.removeEventListener("online", connect)
    window.removeEventListener("offline", lose)
    document.removeEventListener("visibilitychange", look)
    hangUp()
    beCalm()
    lostMs = null
    audience.forget()
    state.value = { kind: "off" }
  }

  /** A hidden page keeps no line, and costs nothing. */
  function look() {
    if (!document.hidden) return connect()
    lostMs ??= Date.now()
    hangUp()
    beCalm()
    state.value = { kind: "off" }
  }

  function connect() {
    hangUp()
    if (state.value.kind !== "down") state.value = { kind: "trying" }
    const opened = new WebSocket(last === null ? url : `${url}?after=${last}`)
    socket = opened
    opened.onmessage = ({ data }) => hear(JSON.parse(String(data)) as Message)
    opened.onopen = beAlive
    opened.onclose = lose
    patience ??= window.setTimeout(callItDown, patienceMs)
  }

  function hear(message: Message) {
    beAlive()
    if ("through" in message) {
      last = Math.max(last ?? 0, message.through)
      // Everything that was missed has come.
      if (!audience.isWaiting()) lostMs = null
    } else if (message.id > (last ?? 0)) {
      last = message.id
      audience.add(message)
    }
  }

  function beAlive() {
    beCalm()
    clearTimeout(timers.silence)
    timers.silence = window.setTimeout(lose, silenceMs)
    backoff.reset()
    if (state.value.kind !== "live") state.value = { kind: "live" }
  }

  function lose() {
    hangUp()
    lostMs ??= Date.now()
    if (state.value.kind !== "down") state.value = { kind: "trying" }
    timers.retry = window.setTimeout(connect, backoff.nextMs())
    patience ??= window.setTimeout(callItDown, patienceMs)
    onLost()
  }

  function callItDown() {
    lostMs ??= Date.now()
    if (state.value.kind === "trying") state.value = { kind: "down", sinceMs: lostMs }
  }

  function beCalm() {
    if (patience !== null) clearTimeout(patience)
    patience = null
  }

  function hangUp() {
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
