import { forEverybody } from "../support/requester.ts"

/**
 * Lets equal requests share one answer. A request waits for an answer whose making begins after it came, so that it
 * contains everything stored before: of each kind, at most one answer is made at a time, and one more waits for its turn.
 */
export function createSharedAnswers() {
  const making = new Map<string, Promise<Buffer>>()
  const waiting = new Map<string, Promise<Buffer>>()
  /** The last answer of each kind, as long as somebody still reads it. */
  const last = new Map<string, WeakRef<Buffer>>()

  return (kind: string, make: () => Promise<Buffer>): Promise<Buffer> => {
    const shared = waiting.get(kind)
    if (shared !== undefined) return shared
    const before = making.get(kind)
    if (before === undefined) return begin(kind, make)
    const next = before.then(
      () => begin(kind, make),
      () => begin(kind, make),
    )
    waiting.set(kind, next)
    return next
  }

  function begin(kind: string, make: () => Promise<Buffer>): Promise<Buffer> {
    waiting.delete(kind)
    const answer = forEverybody(make)
      .then((bytes) => keptOnce(kind, bytes))
      .finally(() => making.delete(kind))
    making.set(kind, answer)
    return answer
  }

  /** Clients that read slowly share the same bytes, as long as nothing changes. */
  function keptOnce(kind: string, bytes: Buffer): Buffer {
    const earlier = last.get(kind)?.deref()
    if (earlier?.equals(bytes)) return earlier
    last.set(kind, new WeakRef(bytes))
    return bytes
  }
}
