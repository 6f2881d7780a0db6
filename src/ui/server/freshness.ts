import { useEffect, useRef } from "preact/hooks"

const betweenMs = 30_000

/**
 * Loads again what others may have changed: when the reader comes back to the page, and now and then while it is visible. A hidden
 * page asks for nothing.
 */
export function useFreshness(load: () => Promise<unknown>) {
  const newest = useRef(load)
  newest.current = load
  useEffect(() => {
    let isLoading = false
    const look = async () => {
      if (document.hidden || isLoading) return
      isLoading = true
      await newest.current()
      isLoading = false
    }
    const timer = setInterval(look, betweenMs)
    window.addEventListener("focus", look)
    document.addEventListener("visibilitychange", look)
    return () => {
      clearInterval(timer)
      window.removeEventListener("focus", look)
      document.removeEventListener("visibilitychange", look)
    }
  }, [])
}
