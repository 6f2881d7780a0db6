import { useLayoutEffect, useMemo } from "preact/hooks"
import { session, waitUntil } from "../session.ts"
import type { Answer, Failure } from "./api.ts"

/** Retries a load that failed for a temporary reason: with backoff, or after a 401 once the user has logged in. */
export function useRetry(failure: Failure | null, retry: () => Promise<unknown>) {
  const backoff = useMemo(createBackoff, [])
  useLayoutEffect(() => {
    if (failure === null) return backoff.reset()
    if (!isTemporary(failure)) return
    return untilCleanup(async (isWanted) => {
      await waitForRetry(failure, backoff.nextMs())
      if (isWanted()) await retry()
    })
  }, [failure])
}

/** Repeats a request until it succeeds or fails for good; null if `isWanted` returns false meanwhile. */
export async function requestWithRetry<T>(
  send: () => Promise<Answer<T>>,
  isWanted: () => boolean,
): Promise<Answer<T> | null> {
  const backoff = createBackoff()
  for (;;) {
    const answer = await send()
    if (answer.kind === "done" || !isTemporary(answer)) return answer
    await waitForRetry(answer, backoff.nextMs())
    if (!isWanted()) return null
  }
}

/** Whether the same request may succeed later. */
const isTemporary = (failure: Failure): boolean =>
  failure.kind !== "refused" || failure.status === 401 || failure.status === 429 || failure.status >= 500

/**
 * Resolves when another attempt makes sense: after a 401, once the user has logged in; otherwise after `ms`, or earlier
 * if `retryNow` is called or the browser comes online. A hidden page waits until it is visible.
 */
async function waitForRetry(failure: Failure, ms: number): Promise<void> {
  if (failure.kind === "refused" && failure.status === 401) return waitUntil(() => session.value.kind === "member")
  await retryDelay(ms)
  await pageVisible()
}

function pageVisible(): Promise<void> {
  return new Promise((resolve) => {
    const resolveIfVisible = () => {
      if (document.hidden) return
      document.removeEventListener("visibilitychange", resolveIfVisible)
      resolve()
    }
    document.addEventListener("visibilitychange", resolveIfVisible)
    resolveIfVisible()
  })
}

const waiting = new Set<() => void>()

/** Ends all delays at once. Call when the user asks for it, or when the server is reachable again. */
export function retryNow() {
  for (const wake of waiting) wake()
}

/** Resolves after this time, or earlier when the browser comes online or `retryNow` is called. */
export function retryDelay(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(wake, ms)
    window.addEventListener("online", wake)
    waiting.add(wake)
    function wake() {
      clearTimeout(timer)
      window.removeEventListener("online", wake)
      waiting.delete(wake)
      resolve()
    }
  })
}

const [firstMs, maxMs] = [400, 10_000]

/** Exponential backoff with jitter, so that not all pages retry at the same moment. */
export function createBackoff() {
  let ms = firstMs
  return {
    nextMs() {
      const wait = ms * (0.75 + Math.random() / 2)
      ms = Math.min(ms * 2, maxMs)
      return wait
    },
    reset() {
      ms = firstMs
    },
  }
}

/**
 * Runs an async function in an effect, as in `useEffect(() => untilCleanup(load), [])`. `isWanted` returns false after
 * clean-up: what arrives later is ignored.
 */
export function untilCleanup(begin: (isWanted: () => boolean) => Promise<void>): () => void {
  let isWanted = true
  void begin(() => isWanted)
  return () => {
    isWanted = false
  }
}
