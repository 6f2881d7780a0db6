import type { RefObject } from "preact"
import { useLayoutEffect } from "preact/hooks"

/** Arrows go from link to link of a list; from the box above it they lead into it, and back. */
export function useRowKeys(list: RefObject<HTMLElement | null>, box: RefObject<HTMLElement | null>) {
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
      if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return
      const stops = [box.current, ...(list.current?.querySelectorAll("a") ?? [])]
      const place = stops.findIndex((one) => one?.matches(":focus"))
      const next = place === -1 ? undefined : stops[place + step]
      if (!next) return
      event.preventDefault()
      next.focus()
    }
    document.addEventListener("keydown", onKey)
    return () => document.removeEventListener("keydown", onKey)
  }, [])
}
