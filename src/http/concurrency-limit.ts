import { createCounter } from "../domain/counter.ts"
import { codeHeader, HttpError } from "./errors.ts"

/** Concurrent requests in total. Far fewer keep the ledger busy, and more would only make all of them slower. */
export const maxConcurrent = 2048
/** Concurrent requests of one caller. */
export const maxConcurrentOfCaller = 256
/** Concurrent requests from one other machine or IPv6 network, whatever credentials they carry. */
export const maxConcurrentOfSource = 1024

/** Bodies that have not arrived completely, in total. */
export const maxIncomplete = 2048
/** Such bodies from one other machine or IPv6 network. */
export const maxIncompleteOfSource = 512

/** How long a refused request waits for its answer, so that retry loops slow down. Also the `Retry-After` of `overloaded`. */
export const retryAfterSeconds = 1
/** How many refused requests wait at the same time. More are answered at once, because each wait holds a connection. */
export const maxWaitingRefusals = 1024

/** Waits for the body of a request. */
export type Receive = <T>(body: Promise<T>) => Promise<T>

/**
 * Limits concurrent requests: in total, per caller and per source. A caller is a value of `Authorization` or `Cookie`, or
 * an address. A request whose body has not arrived does no work, and counts for limits of its own: otherwise a few
 * bodies that stop half-way would keep everybody behind the same address out.
 */
export function createConcurrencyLimit() {
  const ofCallers = createCounter()
  const ofSources = createCounter()
  const incomplete = createIncompleteBodies()
  let total = 0
  let waiting = 0

  return {
    /**
     * Whether this request may run; if so, `leave` must follow. `source` is null for this machine, whose requests count
     * for no source.
     */
    enter(caller: string, source: string | null): boolean {
      if (total >= maxConcurrent || ofCallers.of(caller) >= maxConcurrentOfCaller) return false
      if (source !== null && ofSources.of(source) >= maxConcurrentOfSource) return false
      count(caller, source)
      return true
    },
    /** Waits for the body of a request that has entered. Its oldest competitors end when too many wait. */
    async receive<T>(caller: string, source: string | null, body: Promise<T>): Promise<T> {
      leave(caller, source)
      try {
        return await incomplete.wait(source, body)
      } finally {
        count(caller, source)
      }
    },
    /** Waits for the rest of a body that nobody wants, of a request that has left. Also ends when too many wait. */
    ignore: (source: string | null, rest: Promise<boolean>): Promise<boolean> =>
      incomplete.wait(source, rest).catch(() => false),
    /**
     * Delays an answer that refuses what was too much, and no other. The request has left. Returns false at once when too many
     * wait already.
     */
    async delay(answer: Response, sleep: (ms: number) => Promise<void> = Bun.sleep): Promise<boolean> {
      if (!isRefusal(answer)) return true
      if (waiting >= maxWaitingRefusals) return false
      waiting += 1
      await sleep(retryAfterSeconds * 1000).finally(() => {
        waiting -= 1
      })
      return true
    },
    leave,
  }

  function count(caller: string, source: string | null) {
    total += 1
    ofCallers.add(caller)
    if (source !== null) ofSources.add(source)
  }

  function leave(caller: string, source: string | null) {
    total -= 1
    ofCallers.remove(caller)
    if (source !== null) ofSources.remove(source)
  }
}

/** Whether everybody, or this caller alone, asks for too much at a time. Limits by the minute refuse at once. */
const isRefusal = ({ headers }: Response): boolean =>
  /^(overloaded|busy|too_many_at_once|too_many_exports)$/.test(headers.get(codeHeader) ?? "")

interface IncompleteBody {
  readonly source: string | null
  readonly refuse: (error: HttpError) => void
}

/** The bodies that have not arrived, oldest first. One too many ends the oldest, which is the likeliest to have stopped. */
function createIncompleteBodies() {
  const all = new Set<IncompleteBody>()
  const ofSources = new Map<string, Set<IncompleteBody>>()

  return {
    /** @throws HttpError `overloaded` */
    async wait<T>(source: string | null, body: Promise<T>): Promise<T> {
      const { promise: refused, reject: refuse } = Promise.withResolvers<never>()
      const one = { source, refuse }
      body.catch(() => {}) // it fails when the connection of a refused request is closed
      add(one)
      try {
        return await Promise.race([body, refused])
      } finally {
        remove(one)
      }
    },
  }

  function add(one: IncompleteBody) {
    all.add(one)
    if (all.size > maxIncomplete) endOldest(all)
    if (one.source === null) return
    const ofSource = ofSources.get(one.source) ?? new Set()
    ofSources.set(one.source, ofSource.add(one))
    if (ofSource.size > maxIncompleteOfSource) endOldest(ofSource)
  }

  function endOldest(bodies: Iterable<IncompleteBody>) {
    for (const oldest of bodies) {
      remove(oldest)
      return oldest.refuse(new HttpError("overloaded", { "retry-after": `${retryAfterSeconds}` }))
    }
  }

  function remove(one: IncompleteBody) {
    all.delete(one)
    if (one.source === null) return
    const ofSource = ofSources.get(one.source)
    ofSource?.delete(one)
    if (ofSource?.size === 0) ofSources.delete(one.source)
  }
}
