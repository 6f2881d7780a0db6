import type { AmountsShown } from "../domain/programme/amounts.ts"
import { currentTick } from "../domain/ticks.ts"
import { createBoundedCache } from "../support/bounded-cache.ts"
import type { EntrySource, Formats, Frame } from "./frames.ts"

/** How many entries are read at once. */
const readSize = 500

/**
 * How much is sent to a socket before its buffer is checked again. A full buffer, a page and the last frame of the page
 * together stay below 64 KiB, the promised bound on a socket's buffer.
 */
const pageBytes = 32 * 1024

/** How many pages are cached. */
const maxCachedPages = 16

/** Frames that are sent together, ascending. */
interface FramePage {
  readonly frames: readonly Frame[]
  /** Id of the last frame. */
  readonly lastId: number
}

/**
 * The ledger as pages of frames. The cache lets a page be read and serialised once for all sockets: those that are live
 * need the same one, and after a restart many need the same ones. It is dropped when the people in it, or their words, may
 * have changed, in whichever process.
 */
export function createFramePages<Entry>(
  ledger: Pick<EntrySource<Entry>, "after" | "revision">,
  formats: Formats<Entry>,
) {
  let valid = { revision: "", pages: createBoundedCache<string, FramePage>(maxCachedPages) }
  let checkedIn = -1

  /** The page after `after`, which is less than `through`. The ledger must have reached both ids. */
  return async (format: string, after: number, through: number, rules: AmountsShown): Promise<FramePage> => {
    const cache = await cachedPages()
    const cached = cache.get(keyOf(format, after, rules))
    if (cached) return cached
    const entries = await ledger.after(after, Math.min(readSize, through - after))
    const serialise = formats.get(format)
    if (!serialise) throw new Error(`there is no format ${format}`)
    const pages = pagesOf(entries.map((entry) => serialise(entry, rules)))
    let start = after
    for (const page of pages) {
      cache.set(keyOf(format, start, rules), page)
      start = page.lastId
    }
    return pages[0] ?? { frames: [], lastId: after }
  }

  /** Asks for the revision once in a tick. What is read afterwards goes into the cache of the revision before. */
  async function cachedPages() {
    if (checkedIn === currentTick()) return valid.pages
    const revision = await ledger.revision()
    checkedIn = currentTick()
    if (revision !== valid.revision) valid = { revision, pages: createBoundedCache(maxCachedPages) }
    return valid.pages
  }
}

const keyOf = (format: string, after: number, { amounts_shown }: AmountsShown): string =>
  `${format} ${after} ${amounts_shown}`

/** Cuts the frames into pages. Each ends with the frame that fills it. */
function pagesOf(frames: readonly Frame[]): FramePage[] {
  const pages: FramePage[] = []
  const last = frames.at(-1)
  let page: Frame[] = []
  let bytes = 0
  for (const frame of frames) {
    page.push(frame)
    bytes += frame.bytes
    if (bytes < pageBytes && frame !== last) continue
    pages.push({ frames: page, lastId: frame.id })
    page = []
    bytes = 0
  }
  return pages
}
