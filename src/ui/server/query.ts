import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks"
import { onUserChange } from "../session.ts"
import type { Answer, Failure } from "./api.ts"
import { useRetry } from "./retry.ts"

export interface QueryResult<T> {
  /** The response. While it loads: the cached one for these parameters, else the one for the previous parameters. */
  readonly data: T | null
  /** Why the request with these parameters failed. */
  readonly failure: Failure | null
  /** Whether `data` belongs to the previous parameters. */
  readonly isStale: boolean
  /** Repeats the request. */
  readonly refresh: () => Promise<void>
  /** Repeats the request, and keeps what is shown if it fails. */
  readonly refreshQuietly: () => Promise<void>
}

const maxCached = 30

/** A hook that loads data and renders again when it arrives. */
interface UseQuery<Q, T> {
  (params: Q): QueryResult<T>
  /** Starts the request before anything is rendered; the next use of the hook takes its response. */
  readonly prefetch: (params: Q) => Promise<Answer<T>>
}

/**
 * Creates a hook for data of the server. Responses are cached by parameters: a screen that is visited again shows the
 * old data at once and refreshes it. The cache is cleared when the user changes.
 */
export function createQuery<Q, T>(load: (params: Q) => Promise<Answer<T>>): UseQuery<Q, T> {
  let cache = new Map<string, T>()
  let inFlight = new Map<string, Promise<Answer<T>>>()
  // New maps instead of `clear()`: a response that is still on its way must not enter the cache of the next user.
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
    const refreshQuietly = async () => {
      const answer = await loadAndCache(params, key)
      if (answer.kind === "done") setShown(answer.data)
    }
    useLayoutEffect(() => {
      void refresh()
    }, [key])
    const failure = failed?.key === key ? failed.failure : null
    useRetry(failure, refresh)

    const cached = cache.get(key)
    return { data: cached ?? shown, failure, isStale: cached === undefined, refresh, refreshQuietly }
  }
  return Object.assign(useQuery, { prefetch })
}

function addToCache<T>(memory: Map<string, T>, key: string, data: T) {
  memory.delete(key)
  memory.set(key, data)
  const [oldest] = memory.keys()
  if (oldest !== undefined && memory.size > maxCached) memory.delete(oldest)
}

const refreshMs = 30_000

/**
 * Reloads data that others may have changed: when the reader returns to the page, and every 30 seconds while it is
 * visible. A hidden page loads nothing.
 */
export function useAutoRefresh(load: () => Promise<unknown>) {
  const newest = useRef(load)
  newest.current = load
  useEffect(() => {
    let isLoading = false
    const refreshIfVisible = async () => {
      if (document.hidden || isLoading) return
      isLoading = true
      await newest.current()
      isLoading = false
    }
    const timer = setInterval(refreshIfVisible, refreshMs)
    window.addEventListener("focus", refreshIfVisible)
    document.addEventListener("visibilitychange", refreshIfVisible)
    return () => {
      clearInterval(timer)
      window.removeEventListener("focus", refreshIfVisible)
      document.removeEventListener("visibilitychange", refreshIfVisible)
    }
  }, [])
}
