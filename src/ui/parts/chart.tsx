import { signal, useSignal } from "@preact/signals"
import type { RefObject } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import { appearance } from "../appearance.ts"
import { untilCleanup } from "../server/retry.ts"
import { language, t } from "../texts/texts.ts"
import type { Plot, PlotOptions } from "./plot.ts"

interface ChartProps extends Omit<PlotOptions, "onPoint"> {
  readonly label: string
  /** The description of one data point. */
  readonly describe: (index: number) => string
  /** The text while no data point is selected. */
  readonly summary: string
}

/**
 * A chart over days. Pointer and arrow keys select a day. The chart library is loaded once the chart becomes visible.
 * Pass the same `series` object while the data is unchanged: a new object redraws the chart.
 */
export function Chart({ label, series, describe, summary, ...labels }: ChartProps) {
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<Plot | null>(null)
  const isSeen = useVisible(place)
  const pointed = useSignal<number | null>(null)
  const hasFailed = useSignal(false)
  const last = (series[0]?.values.length ?? 1) - 1

  useEffect(() => {
    const shown = place.current
    if (!isSeen || shown === null) return
    const onPoint = (index: number | null) => {
      pointed.value = index
    }
    const cancel = untilCleanup(async (isWanted) => {
      const loaded = await import("./plot.ts").catch(() => null)
      if (loaded === null) hasFailed.value = true
      else if (isWanted()) plot.current = loaded.drawPlot(shown, { series, onPoint, ...labels })
    })
    return () => {
      cancel()
      plot.current?.end()
      plot.current = null
      pointed.value = null
    }
  }, [isSeen, series, appearance.value, isDeviceDark.value, language.value])

  const onKeyDown = (event: KeyboardEvent) => {
    const at = pointed.value ?? last + 1
    const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key]
    if (next === undefined) return
    event.preventDefault()
    plot.current?.point(Math.min(Math.max(next, 0), last))
  }
  const told = pointed.value === null || pointed.value > last ? summary : describe(pointed.value)
  return (
    <div class="grid grid-cols-1 gap-2">
      <p class="min-h-5 text-sm text-muted tabular-nums" aria-hidden="true">
        {hasFailed.value ? t().failures.part : told}
      </p>
      <div
        ref={place}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={pointed.value ?? last}
        aria-valuetext={told}
        aria-readonly="true"
        class="chart h-40 w-full sm:h-48 rounded-selector"
        onKeyDown={onKeyDown}
      />
    </div>
  )
}

const dark = matchMedia("(prefers-color-scheme: dark)")

/** Whether the device prefers a dark colour scheme. */
const isDeviceDark = signal(dark.matches)
dark.addEventListener("change", ({ matches }) => {
  isDeviceDark.value = matches
})

/** Whether the element has been on the screen, or within 100 pixels of it, at least once. */
function useVisible(element: RefObject<HTMLElement | null>): boolean {
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
