import { useLayoutEffect, useMemo } from "preact/hooks"
import { createBackoff } from "../live/backoff.ts"
import { session } from "../session.ts"
import { until } from "../until.ts"
import type { Answer, Failure } from "./ask.ts"
import { wakened } from "./wakened.ts"

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
