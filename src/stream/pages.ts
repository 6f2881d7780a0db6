import type { LedgerStore, StreamEntry } from "../domain/store.ts"
import { burstBytes } from "./dashboard.ts"
import { type Format, frames } from "./frames.ts"

/** Entries read at once. */
const readSize = 500

/** Pages that are remembered, of some 32 KiB at most; the oldest make room. */
const rememberedPages = 16

/** Frames that may be sent at once, in the order of the ledger. */
export interface FramePage {
  readonly frames: readonly string[]
  /** Id of the last of them. */
  readonly lastId: number
}

/** Pages of frames for dashboards that are behind. A crowd of them, as after a restart, begins at one place and asks for
 *  the same pages: remembered, they are read and serialised once. */
export function createPages(ledger: Pick<LedgerStore, "after">) {
  const remembered = new Map<string, FramePage>()

  /** What comes next behind `after`, which is less than `through`; the ledger has reached both. */
  return async (format: Format, after: number, through: number): Promise<FramePage> => {
    const known = remembered.get(keyOf(format, after))
    if (known) return known
    const entries = await ledger.after(after, Math.min(readSize, through - after))
    const pages = cut(entries, format)
    let start = after
    for (const page of pages) {
      remembered.set(keyOf(format, start), page)
      start = page.lastId
    }
    for (const oldest of remembered.keys()) {
      if (remembered.size <= rememberedPages) break
      remembered.delete(oldest)
    }
    return pages[0] ?? { frames: [], lastId: after }
  }
}

const keyOf = (format: Format, after: number): string => `${format} ${after}`

/** Each page ends with the frame that fills the burst. */
function cut(entries: readonly StreamEntry[], format: Format): FramePage[] {
  const pages: FramePage[] = []
  const last = entries.at(-1)
  let texts: string[] = []
  let bytes = 0
  for (const entry of entries) {
    const text = frames[format](entry)
    texts.push(text)
    bytes += Buffer.byteLength(text)
    if (bytes < burstBytes && entry !== last) continue
    pages.push({ frames: texts, lastId: entry.id })
    texts = []
    bytes = 0
  }
  return pages
}
