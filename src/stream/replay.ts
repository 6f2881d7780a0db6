import { nextTick } from "../domain/ticks.ts"
import { createBoundedCache } from "../support/bounded-cache.ts"
import type { Log } from "../support/log.ts"
import { burstBytes, type Dashboard, isFull } from "./dashboard.ts"
import { type EntrySource, type Formats, type Frame, textFor } from "./frames.ts"

/** How many entries are read at once. */
const readSize = 500

/** How many pages are cached; each has about 32 KiB at most. */
const maxCachedPages = 16

interface ReplayOptions<Entry> {
  readonly ledger: Pick<EntrySource<Entry>, "after">
  readonly formats: Formats<Entry>
  /** A dashboard of this format must have been sent everything up to this id before it can join the live ones. */
  readonly head: (format: string) => number
  /** Moves a dashboard to the live ones if it has reached the head; returns whether it did. */
  readonly join: (dashboard: Dashboard) => boolean
  readonly log: Log
}

/**
 * Sends dashboards that are behind page after page of the ledger, until they reach the head and join the live ones. Each
 * tick of the event loop sends one page to one dashboard, so that many of them do not block other work.
 */
export function createReplay<Entry>({ ledger, formats, head, join, log }: ReplayOptions<Entry>) {
  const readPage = createFramePages(ledger, formats)
  const queue = new Set<Dashboard>()
  /** Dashboards that start after the head, and dashboards for which the ledger could not be read. */
  const waiting = new Set<Dashboard>()
  let isRunning = false

  return { add, remove, wake }

  /** For a dashboard that has just connected or whose buffer has drained. */
  function add(dashboard: Dashboard) {
    remove(dashboard)
    if (hasJoined(dashboard)) return
    queue.add(dashboard)
    void run()
  }

  function remove(dashboard: Dashboard) {
    queue.delete(dashboard)
    waiting.delete(dashboard)
  }

  /** Continues with the waiting dashboards that the head has reached. */
  function wake() {
    for (const dashboard of waiting) if (dashboard.data.cursor <= head(dashboard.data.format)) add(dashboard)
  }

  function hasJoined(dashboard: Dashboard): boolean {
    return !isFull(dashboard) && join(dashboard)
  }

  async function run() {
    if (isRunning) return
    isRunning = true
    await nextTick()
    try {
      for (const dashboard of queue) {
        await sendPage(dashboard)
        await nextTick()
      }
    } catch (error) {
      log.error("stream: the ledger cannot be read; dashboards that are behind wait", { error: String(error) })
      for (const dashboard of queue) waiting.add(dashboard)
      queue.clear()
    }
    isRunning = false
  }

  async function sendPage(dashboard: Dashboard) {
    const { format, cursor } = dashboard.data
    const through = head(format)
    const page = cursor < through && !isFull(dashboard) ? await readPage(format, cursor, through) : null
    if (!queue.delete(dashboard)) return // closed meanwhile

    if (page) send(dashboard, page)
    if (hasJoined(dashboard) || isFull(dashboard)) return // a full dashboard is added again when it drains
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

/** Frames that are sent together, ascending. */
interface FramePage {
  readonly frames: readonly Frame[]
  /** Id of the last frame. */
  readonly lastId: number
}

/**
 * Pages of frames for dashboards that are behind. The cache lets a page be read and serialised once, because after a
 * restart many dashboards need the same pages.
 */
export function createFramePages<Entry>(ledger: Pick<EntrySource<Entry>, "after">, formats: Formats<Entry>) {
  const cache = createBoundedCache<string, FramePage>(maxCachedPages)

  /** The page after `after`, which is less than `through`. The ledger must have reached both ids. */
  return async (format: string, after: number, through: number): Promise<FramePage> => {
    const cached = cache.get(keyOf(format, after))
    if (cached) return cached
    const entries = await ledger.after(after, Math.min(readSize, through - after))
    const serialise = formats.get(format)
    if (!serialise) throw new Error(`there is no format ${format}`)
    const pages = pagesOf(entries.map(serialise))
    let start = after
    for (const page of pages) {
      cache.set(keyOf(format, start), page)
      start = page.lastId
    }
    return pages[0] ?? { frames: [], lastId: after }
  }
}

const keyOf = (format: string, after: number): string => `${format} ${after}`

/** Cuts the frames into pages. Each ends with the frame that fills the burst. */
function pagesOf(frames: readonly Frame[]): FramePage[] {
  const pages: FramePage[] = []
  const last = frames.at(-1)
  let page: Frame[] = []
  let bytes = 0
  for (const frame of frames) {
    page.push(frame)
    bytes += frame.bytes
    if (bytes < burstBytes && frame !== last) continue
    pages.push({ frames: page, lastId: frame.id })
    page = []
    bytes = 0
  }
  return pages
}
