import { effect } from "@preact/signals"
import { useLayoutEffect, useRef, useState } from "preact/hooks"
import { session } from "../session.ts"
import type { Answer, Failure } from "./ask.ts"

export interface Told<T> {
  /** What the server says; while it is asked, what it said before: to this question, else to the one before. */
  readonly data: T | null
  /** Why there is no answer to this question. */
  readonly failure: Failure | null
  /** Whether `data` belongs to the question before. */
  readonly isLate: boolean
  /** Asks again. */
  readonly refresh: () => Promise<void>
}

const mostRemembered = 30

/**
 * Makes a hook of what a screen asks the server. An address that is visited again stands at once as it was, and is asked
 * for anew; nobody finds what somebody else was told before in this browser.
 */
export function question<Q, T>(load: (asked: Q) => Promise<Answer<T>>): (asked: Q) => Told<T> {
  const remembered = new Map<string, T>()
  effect(() => {
    if (session.value.kind === "stranger") remembered.clear()
  })

  function remember(key: string, data: T) {
    remembered.delete(key)
    remembered.set(key, data)
    const [oldest] = remembered.keys()
    if (oldest !== undefined && remembered.size > mostRemembered) remembered.delete(oldest)
  }

  return (asked) => {
    const key = JSON.stringify(asked)
    const [last, setLast] = useState<{ readonly key: string; readonly answer: Answer<T> } | null>(null)
    const [shown, setShown] = useState<T | null>(null)
    const newest = useRef(0)
    const refresh = async () => {
      newest.current += 1
      const number = newest.current
      const answer = await load(asked)
      if (answer.kind === "done") remember(key, answer.data)
      if (number !== newest.current) return
      if (answer.kind === "done") setShown(answer.data)
      setLast({ key, answer })
    }
    useLayoutEffect(() => {
      void refresh()
    }, [key])

    const own = remembered.get(key)
    const failure = last?.key === key && last.answer.kind !== "done" ? last.answer : null
    return { data: own ?? shown, failure, isLate: own === undefined, refresh }
  }
}
