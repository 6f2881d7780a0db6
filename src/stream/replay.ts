import type { Log } from "../log.ts"
import { type Dashboard, isFull, nextTurn } from "./dashboard.ts"
import { type Formats, textFor } from "./frame.ts"
import type { Follows } from "./hub.ts"
import { createPages, type FramePage } from "./pages.ts"

interface ReplayOptions<Entry> {
  readonly ledger: Pick<Follows<Entry>, "after">
  readonly formats: Formats<Entry>
  /** Id through which a dashboard of this format must have been sent everything to join the live ones. */
  readonly head: (format: string) => number
  /** Takes over a dashboard that stands there; returns whether it did. */
  readonly join: (dashboard: Dashboard) => boolean
  readonly log: Log
}

/**
 * Brings dashboards that are behind up to the head, page by page from the ledger, and lets them join there.
 * They take turns, one page in each turn of the event loop, so that no crowd of them slows anybody else.
 */
export function createReplay<Entry>({ ledger, formats, head, join, log }: ReplayOptions<Entry>) {
  const readPage = createPages(ledger, formats)
  const queue = new Set<Dashboard>()
  const waiting = new Set<Dashboard>()
  let running = false

  return { add, remove, wake }

  /** For one that has just connected, or whose buffer has drained. */
  function add(dashboard: Dashboard) {
    remove(dashboard)
    if (joined(dashboard)) return
    queue.add(dashboard)
    void run()
  }

  function remove(dashboard: Dashboard) {
    queue.delete(dashboard)
    waiting.delete(dashboard)
  }

  /** Goes on with those whom the head has reached, and with those for whom the ledger could not be read. */
  function wake() {
    for (const dashboard of waiting) if (dashboard.data.cursor <= head(dashboard.data.format)) add(dashboard)
  }

  function joined(dashboard: Dashboard): boolean {
    return !isFull(dashboard) && join(dashboard)
  }

  async function run() {
    if (running) return
    running = true
    await nextTurn()
    try {
      for (const dashboard of queue) {
        await takeTurn(dashboard)
        await nextTurn()
      }
    } catch (error) {
      log.error("stream: the ledger cannot be read; dashboards that are behind wait", { error: String(error) })
      for (const dashboard of queue) waiting.add(dashboard)
      queue.clear()
    }
    running = false
  }

  async function takeTurn(dashboard: Dashboard) {
    const { format, cursor } = dashboard.data
    const through = head(format)
    const page = cursor < through && !isFull(dashboard) ? await readPage(format, cursor, through) : null
    if (!queue.delete(dashboard)) return // It has gone meanwhile.

    if (page) send(dashboard, page)
    if (joined(dashboard) || isFull(dashboard)) return // When it drains, it is added again.
    if (dashboard.data.cursor === cursor) waiting.add(dashboard)
    else queue.add(dashboard)
  }

  function send(dashboard: Dashboard, { frames, lastId }: FramePage) {
    dashboard.cork(() => {
      for (const frame of frames) {
        const text = textFor(frame, dashboard.data.userId)
        if (text !== null) dashboard.send(text)
      }
    })
    dashboard.data.cursor = lastId
  }
}
