import type { Formats, Frame } from "./frame.ts"
import type { Follows } from "./hub.ts"

/** Entries read at once; nothing is read while so many wait to be published. */
const readSize = 500

/** The newest part of the ledger, as frames for those who follow it: from the slowest of them to the end. */
export function createRecent<Entry extends { readonly id: number }>(
  ledger: Pick<Follows<Entry>, "after">,
  formats: Formats<Entry>,
) {
  const kept = new Map<string, readonly Frame[]>()
  let lastId = 0
  let isAtEnd = true

  return {
    /** Id through which the ledger was read. */
    lastId: () => lastId,
    isAtEnd: () => isAtEnd,

    /** Reads on, for the formats that are watched when the answer is there: who joins meanwhile must find it too. */
    async read(isWatched: (format: string) => boolean) {
      if (kept.values().some((frames) => frames.length >= readSize)) return
      const page = await ledger.after(lastId, readSize)
      for (const [format, serialise] of formats)
        if (isWatched(format)) kept.set(format, [...of(format), ...page.map(serialise)])
      lastId = page.at(-1)?.id ?? lastId
      isAtEnd = page.length < readSize
    },
    after: (format: string, id: number): readonly Frame[] => of(format).filter((frame) => frame.id > id),
    /** What all were sent. */
    forget(throughId: number) {
      for (const [format, frames] of kept)
        kept.set(
          format,
          frames.filter(({ id }) => id > throughId),
        )
    },
    /** Leaves out what nobody waits for. */
    skipTo(id: number) {
      kept.clear()
      lastId = id
      isAtEnd = true
    },
  }

  function of(format: string): readonly Frame[] {
    return kept.get(format) ?? []
  }
}
