import { useLayoutEffect, useMemo } from "preact/hooks"
import { session, until } from "../session.ts"
import type { Answer, Failure } from "./request.ts"

/** Asks again by itself what could not be loaded: when the server can be reached, or somebody has logged in. */
export function useAgain(failure: Failure | null, again: () => Promise<unknown>) {
  const backoff = useMemo(createBackoff, [])
  useLayoutEffect(() => {
    if (failure === null) return backoff.reset()
    if (!isPassing(failure)) return
    let isWanted = true
    void passed(failure, backoff.nextMs()).then(() => {
      if (isWanted) void again()
    })
    return () => {
      isWanted = false
    }
  }, [failure])
}

/** Asks until it is answered or refused for good; null when the answer is not wanted any more. */
export async function askedAgain<T>(ask: () => Promise<Answer<T>>, isWanted: () => boolean): Promise<Answer<T> | null> {
  const backoff = createBackoff()
  for (;;) {
    const answer = await ask()
    if (answer.kind === "done" || !isPassing(answer)) return answer
    await passed(answer, backoff.nextMs())
    if (!isWanted()) return null
  }
}

/** Whether the same question may be answered later. */
const isPassing = (failure: Failure): boolean =>
  failure.kind !== "refused" || failure.status === 401 || failure.status === 429 || failure.status >= 500

/** Resolves when it is worth asking again, after `ms` at the latest; a hidden page asks nothing. */
async function passed(failure: Failure, ms: number): Promise<void> {
  if (failure.kind === "refused" && failure.status === 401) return until(() => session.value.kind === "member")
  await wakened(ms)
  await visible()
}

function visible(): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (document.hidden) return
      document.removeEventListener("visibilitychange", look)
      resolve()
    }
    document.addEventListener("visibilitychange", look)
    look()
  })
}

const sleepers = new Set<() => void>()

/** Ends every wait for another try: somebody is impatient, or the server can be reached again. */
export function wakeAll() {
  for (const wake of sleepers) wake()
}

/** Resolves after this time, or as soon as another try is worth it: when the browser is online again, or at `wakeAll`. */
export function wakened(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(wake, ms)
    window.addEventListener("online", wake)
    sleepers.add(wake)
    function wake() {
      clearTimeout(timer)
      window.removeEventListener("online", wake)
      sleepers.delete(wake)
      resolve()
    }
  })
}

const [firstMs, mostMs] = [400, 10_000]

/** How long to wait before each try: twice as long as before, and never for all pages at the same moment. */
export function createBackoff() {
  let ms = firstMs
  return {
    nextMs() {
      const wait = ms * (0.75 + Math.random() / 2)
      ms = Math.min(ms * 2, mostMs)
      return wait
    },
    reset() {
      ms = firstMs
    },
  }
}
