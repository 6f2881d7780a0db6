import { createBoundedCache } from "../bounded-cache.ts"
import { burstBytes } from "./dashboard.ts"
import type { Formats, Frame } from "./frame.ts"
import type { Follows } from "./hub.ts"

/** Entries read at once. */
const readSize = 500

/** Pages that are remembered, of some 32 KiB at most; the oldest make room. */
const rememberedPages = 16

/** Frames that may be sent at once, in the order of the ledger. */
export interface FramePage {
  readonly frames: readonly Frame[]
  /** Id of the last of them. */
  readonly lastId: number
}

/** Pages of frames for dashboards that are behind. A crowd of them, as after a restart, begins at one place and asks for
 *  the same pages: remembered, they are read and serialised once. */
export function createPages<Entry>(ledger: Pick<Follows<Entry>, "after">, formats: Formats<Entry>) {
  const remembered = createBoundedCache<string, FramePage>(rememberedPages)

  /** What comes next behind `after`, which is less than `through`; the ledger has reached both. */
  return async (format: string, after: number, through: number): Promise<FramePage> => {
    const known = remembered.get(keyOf(format, after))
    if (known) return known
    const entries = await ledger.after(after, Math.min(readSize, through - after))
    const serialise = formats.get(format)
    if (!serialise) throw new Error(`there is no format ${format}`)
    const pages = cut(entries.map(serialise))
    let start = after
    for (const page of pages) {
      remembered.set(keyOf(format, start), page)
      start = page.lastId
    }
    return pages[0] ?? { frames: [], lastId: after }
  }
}

const keyOf = (format: string, after: number): string => `${format} ${after}`

/** Each page ends with the frame that fills the burst. */
function cut(frames: readonly Frame[]): FramePage[] {
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
