import type { RefObject } from "preact"
import { useEffect, useState } from "preact/hooks"

/** Whether the element was on the screen, or nearly, at least once. */
export function useSeen(element: RefObject<HTMLElement | null>): boolean {
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    if (element.current === null) return
    const watching = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true)
      },
      { rootMargin: "100px" },
    )
    watching.observe(element.current)
    return () => watching.disconnect()
  }, [])
  return isSeen
}
