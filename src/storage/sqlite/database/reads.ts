import { createFairQueue } from "../../../domain/fair-queue.ts"
import type { Abortable } from "../../../domain/paging.ts"
import { whoAsks } from "../../../support/requester.ts"
import { thrown } from "./errors.ts"
import type { Answer, Call, Row } from "./runner.ts"
import type { Runs } from "./threads.ts"

/** Messages on their way to a reader. A second one keeps the thread busy while the answer of the first comes back. */
const maxUnderway = 2

/**
 * Reads the statements on one snapshot, and returns the rows of each. A read that has not begun when the signal aborts throws
 * its reason.
 */
export type Read = (calls: readonly Call[], caller: Abortable) => Promise<readonly Row[][]>

interface Waiting extends Abortable {
  readonly who: string | undefined
  readonly calls: readonly Call[]
  readonly resolve: (rows: readonly Row[][]) => void
  readonly reject: (reason: unknown) => void
}

/** Reads on a connection, up to `maxTogether` in a message. Callers take turns. */
export function createReads(runs: Runs, maxTogether: number): Read {
  const waiting = createFairQueue<Waiting>()
  let underway = 0
  let isScheduled = false

  return (calls, { signal }) =>
    new Promise((resolve, reject) => {
      waiting.add({ who: whoAsks(), calls, signal, resolve, reject })
      schedule()
    })

  // Reads of one tick share a message.
  function schedule() {
    if (isScheduled || underway >= maxUnderway) return
    isScheduled = true
    queueMicrotask(() => {
      isScheduled = false
      while (underway < maxUnderway && waiting.size() > 0) void send(takeSome())
    })
  }

  async function send(reads: readonly Waiting[]) {
    if (reads.length === 0) return
    underway += 1
    try {
      const answers = await runs.run(reads.map(({ calls }) => ({ calls })))
      for (const [index, read] of reads.entries()) settle(read, answers[index])
    } catch (error) {
      for (const { reject } of reads) reject(error)
    } finally {
      underway -= 1
      for (const read of reads) waiting.done(read)
      schedule()
    }
  }

  function takeSome(): Waiting[] {
    const taken: Waiting[] = []
    while (taken.length < maxTogether) {
      const next = waiting.next()
      if (next === undefined) break
      if (next.signal?.aborted) {
        next.reject(next.signal.reason)
        waiting.done(next)
      } else taken.push(next)
    }
    return taken
  }
}

function settle({ resolve, reject }: Waiting, answer: Answer | undefined) {
  if (answer === undefined) return reject(new Error("a read was not answered"))
  if (answer.failure) return reject(thrown(answer.failure))
  resolve(answer.results as readonly Row[][])
}
