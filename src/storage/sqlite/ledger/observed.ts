import type { Posting } from "./batch.ts"

/** Told after each batch: how many entries it held, the refused ones included, and how long its commit took. */
export type ObserveCommit = (commit: { readonly entries: number; readonly ms: number }) => void

type PostBatch = (batch: readonly Posting[]) => boolean

/** The same, and `observe` is told; it costs nothing where nobody asks. */
export function observed(postBatch: PostBatch, observe: ObserveCommit | undefined): PostBatch {
  if (observe === undefined) return postBatch
  return (batch) => {
    const started = performance.now()
    const appended = postBatch(batch)
    observe({ entries: entriesOf(batch), ms: performance.now() - started })
    return appended
  }
}

const entriesOf = (batch: readonly Posting[]): number => batch.reduce((count, { entries }) => count + entries.length, 0)
