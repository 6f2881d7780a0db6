import { useLayoutEffect, useRef, useState } from "preact/hooks"
import { onUserChange } from "../session.ts"
import type { Answer, Failure } from "./request.ts"
import { useRetry } from "./retry.ts"

export interface QueryResult<T> {
  /** What the server says; while it is asked, what it said before: to this question, else to the one before. */
  readonly data: T | null
  /** Why there is no answer to this question. */
  readonly failure: Failure | null
  /** Whether `data` belongs to the question before. */
  readonly isStale: boolean
  /** Asks again. */
  readonly refresh: () => Promise<void>
}

const maxCached = 30

/** Makes the component that uses it show what the server says to this question. */
export interface UseQuery<Q, T> {
  (params: Q): QueryResult<T>
  /** Asks before anything is drawn: whoever uses it next does not ask anew. Resolves with the answer. */
  readonly prefetch: (params: Q) => Promise<Answer<T>>
}

/**
 * Makes a hook of what a screen asks the server. An address that is visited again stands at once as it was, and is asked
 * for anew; nobody finds what somebody else was told before in this browser.
 */
export function createQuery<Q, T>(load: (params: Q) => Promise<Answer<T>>): UseQuery<Q, T> {
  let cache = new Map<string, T>()
  let inFlight = new Map<string, Promise<Answer<T>>>()
  // New ones: an answer that is on its way is still for who asked.
  onUserChange(() => {
    cache = new Map()
    inFlight = new Map()
  })

  async function loadAndCache(params: Q, key: string): Promise<Answer<T>> {
    const target = cache
    const answer = await load(params)
    if (answer.kind === "done") addToCache(target, key, answer.data)
    return answer
  }

  function prefetch(params: Q): Promise<Answer<T>> {
    const key = JSON.stringify(params)
    const answer = loadAndCache(params, key)
    inFlight.set(key, answer)
    return answer
  }

  function useQuery(params: Q): QueryResult<T> {
    const key = JSON.stringify(params)
    const [failed, setFailed] = useState<{ readonly key: string; readonly failure: Failure } | null>(null)
    const [shown, setShown] = useState<T | null>(() => cache.get(key) ?? null)
    const newest = useRef(0)
    const refresh = async () => {
      newest.current += 1
      const number = newest.current
      const answer = await (inFlight.get(key) ?? loadAndCache(params, key))
      inFlight.delete(key)
      if (number !== newest.current) return
      if (answer.kind === "done") setShown(answer.data)
      setFailed(answer.kind === "done" ? null : { key, failure: answer })
    }
    useLayoutEffect(() => {
      void refresh()
    }, [key])
    const failure = failed?.key === key ? failed.failure : null
    useRetry(failure, refresh)

    const cached = cache.get(key)
    return { data: cached ?? shown, failure, isStale: cached === undefined, refresh }
  }
  return Object.assign(useQuery, { prefetch })
}

function addToCache<T>(memory: Map<string, T>, key: string, data: T) {
  memory.delete(key)
  memory.set(key, data)
  const [oldest] = memory.keys()
  if (oldest !== undefined && memory.size > maxCached) memory.delete(oldest)
}
