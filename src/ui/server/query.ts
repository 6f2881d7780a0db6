import { useLayoutEffect, useRef, useState } from "preact/hooks"
import { forgetBetweenPeople } from "../session.ts"
import type { Answer, Failure } from "./request.ts"
import { useAgain } from "./retry.ts"

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

/** Makes the component that uses it show what the server says to this question. */
export interface Question<Q, T> {
  (asked: Q): Told<T>
  /** Asks before anything is drawn: whoever uses it next does not ask anew. Resolves with the answer. */
  readonly ahead: (asked: Q) => Promise<Answer<T>>
}

/**
 * Makes a hook of what a screen asks the server. An address that is visited again stands at once as it was, and is asked
 * for anew; nobody finds what somebody else was told before in this browser.
 */
export function question<Q, T>(load: (asked: Q) => Promise<Answer<T>>): Question<Q, T> {
  let remembered = new Map<string, T>()
  let begun = new Map<string, Promise<Answer<T>>>()
  // New ones: an answer that is on its way is still for who asked.
  forgetBetweenPeople(() => {
    remembered = new Map()
    begun = new Map()
  })

  async function told(asked: Q, key: string): Promise<Answer<T>> {
    const memory = remembered
    const answer = await load(asked)
    if (answer.kind === "done") remember(memory, key, answer.data)
    return answer
  }

  function ahead(asked: Q): Promise<Answer<T>> {
    const key = JSON.stringify(asked)
    const answer = told(asked, key)
    begun.set(key, answer)
    return answer
  }

  function use(asked: Q): Told<T> {
    const key = JSON.stringify(asked)
    const [failed, setFailed] = useState<{ readonly key: string; readonly failure: Failure } | null>(null)
    const [shown, setShown] = useState<T | null>(() => remembered.get(key) ?? null)
    const newest = useRef(0)
    const refresh = async () => {
      newest.current += 1
      const number = newest.current
      const answer = await (begun.get(key) ?? told(asked, key))
      begun.delete(key)
      if (number !== newest.current) return
      if (answer.kind === "done") setShown(answer.data)
      setFailed(answer.kind === "done" ? null : { key, failure: answer })
    }
    useLayoutEffect(() => {
      void refresh()
    }, [key])
    const failure = failed?.key === key ? failed.failure : null
    useAgain(failure, refresh)

    const own = remembered.get(key)
    return { data: own ?? shown, failure, isLate: own === undefined, refresh }
  }
  return Object.assign(use, { ahead })
}

function remember<T>(memory: Map<string, T>, key: string, data: T) {
  memory.delete(key)
  memory.set(key, data)
  const [oldest] = memory.keys()
  if (oldest !== undefined && memory.size > mostRemembered) memory.delete(oldest)
}
