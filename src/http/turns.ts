import { type Bound, bounds } from "./costs.ts"
import { HttpError } from "./errors.ts"

/** How long a request waits for its turn at most. */
export const patienceMs = 10_000

const retryAfter = { "retry-after": "5" }

export type BoundName = keyof typeof bounds
/** See `whoAsks`. */
type Owner = string | undefined

/** A costly request's turn, which counts for its person until it has ended. */
interface Turn {
  /** Resolves when the work may begin. @throws HttpError `overloaded` */
  begin(): Promise<void>
  /** The work is done, and only its answer is left to be sent: it no longer counts among all. */
  finish(): void
  /** Calling it again does nothing. */
  end(): void
}

/** What holds the turn of a request. Null for a cheap request, and once an answer that is being sent has taken the turn over. */
export interface Holder {
  turn: Turn | null
}

export type Turns = ReturnType<typeof createTurns>

/**
 * Bounds costly requests: of one person, and in all. A person has few places among all, so that turns go by person, however
 * many requests somebody sends: those that wait do so before anything is read for them.
 */
export function createTurns(patience = patienceMs) {
  const kinds = {
    work: createKind(bounds.work, Number.POSITIVE_INFINITY),
    download: createKind(bounds.download, 0),
    lookup: createKind(bounds.lookup, Number.POSITIVE_INFINITY),
    list: createKind(bounds.list, 0),
  } satisfies Record<BoundName, unknown>

  /**
   * `owner` is the person, or the address where nobody is logged in. Waiting ends with `signal`, when the client has gone.
   * @throws HttpError `too_many_at_once` or `too_many_exports`; the reason of the signal
   */
  return (name: BoundName, owner: Owner, signal: AbortSignal): Promise<Turn> => kinds[name](owner, signal)

  function createKind({ ofOne, inAll: places, waiting, code }: Bound, waitingInAll: number) {
    const ofOwners = new Map<Owner, Gate>()
    const inAll = createGate(places, waitingInAll, "overloaded", patience)

    return async (owner: Owner, signal: AbortSignal): Promise<Turn> => {
      const ofOwner = ofOwners.get(owner) ?? createGate(ofOne, waiting, code, patience)
      ofOwners.set(owner, ofOwner)
      await ofOwner.enter(signal)
      let hasBegun = false
      let hasEnded = false
      const finish = () => {
        if (hasBegun) inAll.leave()
        hasBegun = false
      }
      return {
        async begin() {
          await inAll.enter(signal)
          hasBegun = true
        },
        finish,
        end() {
          finish()
          if (hasEnded) return
          hasEnded = true
          ofOwner.leave()
          if (ofOwner.isEmpty()) ofOwners.delete(owner)
        },
      }
    }
  }
}

type Gate = ReturnType<typeof createGate>

/** Lets `places` in at a time. Others wait in the order in which they came. */
function createGate(
  places: number,
  maxWaiting: number,
  code: ConstructorParameters<typeof HttpError>[0],
  patience: number,
) {
  let free = places
  const waiting = new Set<() => void>()

  return {
    async enter(signal: AbortSignal): Promise<void> {
      if (free > 0) {
        free -= 1
        return
      }
      if (waiting.size >= maxWaiting) throw new HttpError(code, retryAfter)
      signal.throwIfAborted()
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const giveUp = (error: unknown) => {
        if (waiting.delete(resolve)) reject(error)
      }
      const timer = setTimeout(() => giveUp(new HttpError(code, retryAfter)), patience)
      const leave = () => giveUp(signal.reason)
      waiting.add(resolve)
      signal.addEventListener("abort", leave)
      try {
        await promise
      } finally {
        clearTimeout(timer)
        signal.removeEventListener("abort", leave)
      }
    },
    leave() {
      const [next] = waiting
      if (next === undefined) {
        free += 1
        return
      }
      waiting.delete(next) // its place is the one that became free
      next()
    },
    isEmpty: () => free === places,
  }
}
