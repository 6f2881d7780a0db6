import type { LedgerStore, StreamEntry } from "../domain/store.ts"
import { type Format, formats, frames } from "./frames.ts"

/** Entries read at once; nothing is read while so many wait to be published. */
const readSize = 500

/** A frame that is serialised once for all. */
export interface RecentFrame {
  readonly id: number
  readonly text: string
  readonly bytes: number
}

/** The newest part of the ledger, as frames for those who follow it: from the slowest of them to the end. */
export function createRecent(ledger: Pick<LedgerStore, "after">) {
  const kept: Record<Format, RecentFrame[]> = { plain: [], resumable: [] }
  let lastId = 0
  let isAtEnd = true

  return {
    /** Id through which the ledger was read. */
    lastId: () => lastId,
    isAtEnd: () => isAtEnd,

    /** Reads on, for the formats that are watched when the answer is there: who joins meanwhile must find it too. */
    async read(isWatched: (format: Format) => boolean) {
      if (formats.some((format) => kept[format].length >= readSize)) return
      const page = await ledger.after(lastId, readSize)
      for (const format of formats.filter(isWatched)) kept[format].push(...page.map(serialise(format)))
      lastId = page.at(-1)?.id ?? lastId
      isAtEnd = page.length < readSize
    },
    after: (format: Format, id: number): readonly RecentFrame[] => kept[format].filter((frame) => frame.id > id),
    /** What all were sent. */
    forget(throughId: number) {
      for (const format of formats) kept[format] = kept[format].filter(({ id }) => id > throughId)
    },
    /** Leaves out what nobody waits for. */
    skipTo(id: number) {
      for (const format of formats) kept[format] = []
      lastId = id
      isAtEnd = true
    },
  }
}

const serialise =
  (format: Format) =>
  (entry: StreamEntry): RecentFrame => {
    const text = frames[format](entry)
    return { id: entry.id, text, bytes: Buffer.byteLength(text) }
  }
