import { thrown } from "./errors.ts"
import type { Answer, Call, Row } from "./runner.ts"
import type { Runs } from "./threads.ts"

/** Messages on their way to a reader. A second one keeps the thread busy while the answer of the first comes back. */
const maxUnderway = 2
/** Reads in one message: a short one waits for no more than these. */
const maxTogether = 16

/** Reads the statements on one snapshot, and returns the rows of each. */
export type Read = (calls: readonly Call[], caller: Caller) => Promise<readonly Row[][]>

/** Who reads. A read that has not begun when the signal aborts throws its reason. */
export interface Caller {
  /** Whose turn it is: a person, or undefined for the server itself. */
  readonly who?: string | undefined
  readonly signal?: AbortSignal | undefined
}

interface Waiting extends Caller {
  readonly calls: readonly Call[]
  readonly resolve: (rows: readonly Row[][]) => void
  readonly reject: (reason: unknown) => void
}

/** Reads on a connection. Callers take turns: next is whoever waits with the fewest reads under way. */
export function createReads(runs: Runs): Read {
  const waiting = new Map<string | undefined, Waiting[]>()
  const underwayOf = new Map<string | undefined, number>()
  let underway = 0
  let isScheduled = false

  return (calls, { who, signal }) =>
    new Promise((resolve, reject) => {
      const own = waiting.get(who)
      const read = { calls, who, signal, resolve, reject }
      if (own) own.push(read)
      else waiting.set(who, [read])
      schedule()
    })

  // Reads of one tick share a message.
  function schedule() {
    if (isScheduled || underway >= maxUnderway) return
    isScheduled = true
    queueMicrotask(() => {
      isScheduled = false
      while (underway < maxUnderway && waiting.size > 0) void send(takeSome())
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
      for (const { who } of reads) count(who, -1)
      schedule()
    }
  }

  function takeSome(): Waiting[] {
    const taken: Waiting[] = []
    while (taken.length < maxTogether) {
      const next = takeNext()
      if (next === undefined) break
      if (next.signal?.aborted) {
        next.reject(next.signal.reason)
        continue
      }
      count(next.who, 1)
      taken.push(next)
    }
    return taken
  }

  function takeNext(): Waiting | undefined {
    let next: Waiting[] | undefined
    let fewest = Number.POSITIVE_INFINITY
    for (const [who, own] of waiting) {
      const count = underwayOf.get(who) ?? 0
      if (count >= fewest) continue
      fewest = count
      next = own
      if (count === 0) break
    }
    const read = next?.shift()
    if (next?.length === 0) waiting.delete(read?.who)
    return read
  }

  function count(who: string | undefined, change: 1 | -1) {
    const left = (underwayOf.get(who) ?? 0) + change
    if (left === 0) underwayOf.delete(who)
    else underwayOf.set(who, left)
  }
}

function settle({ resolve, reject }: Waiting, answer: Answer | undefined) {
  if (answer === undefined) return reject(new Error("a read was not answered"))
  if (answer.failure) return reject(thrown(answer.failure))
  resolve(answer.results as readonly Row[][])
}
