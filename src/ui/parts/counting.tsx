import { useLayoutEffect, useRef, useState } from "preact/hooks"
import { formatNumber } from "../texts/format.ts"

const durationMs = 700

/** A number that counts up to a new value. It jumps where motion is unwanted, and wherever it falls. */
export function Counting({ value }: { value: number }) {
  const [shown, setShown] = useState(value)
  const from = useRef(value)
  useLayoutEffect(() => {
    const start = from.current
    if (value <= start || matchMedia("(prefers-reduced-motion: reduce)").matches) {
      from.current = value
      setShown(value)
      return
    }
    const begun = performance.now()
    let frame = requestAnimationFrame(step)
    function step(now: number) {
      const part = Math.min(1, Math.max(0, (now - begun) / durationMs))
      from.current = Math.round(start + (value - start) * (1 - (1 - part) ** 3))
      setShown(from.current)
      if (part < 1) frame = requestAnimationFrame(step)
    }
    return () => cancelAnimationFrame(frame)
  }, [value])
  return <>{formatNumber(shown)}</>
}
