import type { RefObject } from "preact"
import { useEffect } from "preact/hooks"

const everyMs = 10_000
const minuteMs = 60_000
/** The two ways take times of their own, so that the same place is long in coming back. */
const roundMs = { x: 37 * minuteMs, y: 53 * minuteMs }
/** Shares of the glass to either side: some 40 and 25 points of it. */
const reach = { x: 2, y: 2.2 }

/** Where everything stands at a moment, in hundredths of the glass: by steps of a point, too slow to be seen. */
export function driftAt(ms: number): { readonly x: number; readonly y: number } {
  const swing = (round: number) => Math.sin((2 * Math.PI * (ms % round)) / round)
  return { x: reach.x * swing(roundMs.x), y: reach.y * swing(roundMs.y) }
}

/** Moves an element over the glass, against burn-in. */
export function useDrift(element: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const move = () => {
      const { x, y } = driftAt(Date.now())
      element.current?.style.setProperty("translate", `${x.toFixed(3)}cqw ${y.toFixed(3)}cqh`)
    }
    move()
    const timer = setInterval(move, everyMs)
    return () => clearInterval(timer)
  }, [])
}
