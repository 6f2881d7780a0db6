import { signal } from "@preact/signals"
import { createBackoff } from "./backoff.ts"
import type { LiveEntry } from "./entry.ts"

/** How it stands with the line to the server. */
export type LiveState =
  /** Nobody asks for it. */
  | { readonly kind: "off" }
  | { readonly kind: "live" }
  | { readonly kind: "trying" }
  | { readonly kind: "down"; readonly sinceMs: number }

/** What came together, in ascending order; `missed`: it happened while the line was down or the page hidden. */
type Listener = (entries: readonly LiveEntry[], about: { readonly missed: boolean }) => void

interface Options {
  /** Address of the stream, without a query. */
  readonly url: string
  /** Whether the server still answers, and knows the session. It may take as long as it likes: it is given up. */
  readonly probe: (signal: AbortSignal) => Promise<boolean>
}

/** After this long without a line it is called down. */
const patienceMs = 2000
/** A dead line looks like a quiet one: so often it is asked whether the server still answers. */
const probeEveryMs = 15_000
const probeWithinMs = 5000

export type Live = ReturnType<typeof createLive>

/** Follows the ledger while somebody listens. Each entry comes once, in order, whatever the line does meanwhile. */
export function createLive({ url, probe }: Options) {
  const state = signal<LiveState>({ kind: "off" })
  const listeners = new Set<Listener>()
  const backoff = createBackoff()
  let last = 0
  let socket: WebSocket | null = null
  let lostMs: number | null = null
  let waiting: LiveEntry[] = []
  let timers: ReturnType<typeof setTimeout>[] = []

  /** Hears everything after `after` until the returned function is called. */
  function listen(after: number, listener: Listener): () => void {
    last = Math.max(last, after)
    listeners.add(listener)
    if (listeners.size === 1) start()
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) stop()
    }
  }

  function start() {
    addEventListener("online", again)
    addEventListener("offline", lose)
    document.addEventListener("visibilitychange", again)
    connect()
  }

  function stop() {
    removeEventListener("online", again)
    removeEventListener("offline", lose)
    document.removeEventListener("visibilitychange", again)
    hangUp()
    lostMs = null
    state.value = { kind: "off" }
  }

  /** Something changed for the better, or nobody looks any more: a hidden page keeps no line. */
  function again() {
    if (document.hidden) {
      lostMs ??= Date.now()
      return hangUp()
    }
    backoff.reset()
    if (socket === null) connect()
  }

  function connect() {
    hangUp()
    if (document.hidden) return
    if (state.value.kind !== "down") state.value = { kind: "trying" }
    if (lostMs !== null) timers.push(setTimeout(callItDown, patienceMs))
    const opened = new WebSocket(`${url}?after=${last}`)
    socket = opened
    opened.onopen = () => {
      backoff.reset()
      hangUpTimers()
      state.value = { kind: "live" }
      timers.push(setInterval(() => void look(), probeEveryMs))
    }
    opened.onmessage = ({ data }) => take(JSON.parse(String(data)) as LiveEntry)
    opened.onclose = lose
  }

  function take(entry: LiveEntry) {
    if (entry.id <= last) return
    last = entry.id
    waiting.push(entry)
    if (waiting.length === 1) setTimeout(deliver, 50)
  }

  /** What comes together is told together: a night's entries must not be drawn one by one. */
  function deliver() {
    const entries = waiting
    waiting = []
    const missed = lostMs !== null
    lostMs = null
    for (const listener of listeners) listener(entries, { missed })
  }

  async function look() {
    const answers = await probe(AbortSignal.timeout(probeWithinMs)).catch(() => false)
    if (!answers && state.value.kind === "live") lose()
  }

  function lose() {
    lostMs ??= Date.now()
    hangUp()
    if (state.value.kind !== "down") state.value = { kind: "trying" }
    timers.push(setTimeout(connect, backoff.nextMs()), setTimeout(callItDown, patienceMs))
    void probe(AbortSignal.timeout(probeWithinMs)).catch(() => false)
  }

  function callItDown() {
    if (lostMs !== null && state.value.kind === "trying") state.value = { kind: "down", sinceMs: lostMs }
  }

  function hangUp() {
    hangUpTimers()
    if (socket === null) return
    socket.onclose = null
    socket.onmessage = null
    socket.close()
    socket = null
  }

  function hangUpTimers() {
    for (const timer of timers) clearTimeout(timer)
    timers = []
  }

  return { state, listen }
}
