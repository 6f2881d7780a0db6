import { useLayoutEffect, useState } from "preact/hooks"
import type { WallEntry } from "./entry.ts"
import { mostShown, type Source } from "./source.ts"

/** What is new has the wall's large place at least this long. */
export const paceMs = 2000
/** More than this waiting would make the wall tell of the past: it goes on with the newest. */
const mostWaiting = 30

/** What stands on the wall, the newest first; null until it is known. What comes together is shown one by one. */
export function usePacedEntries(source: Source | null): readonly WallEntry[] | null {
  const [shown, setShown] = useState<readonly WallEntry[] | null>(null)
  useLayoutEffect(() => {
    if (source === null) return
    let waiting: readonly WallEntry[] = []
    let isFirst = true
    let timer = 0
    const show = (entries: readonly WallEntry[]) =>
      setShown((before) => [...entries.toReversed(), ...(before ?? [])].slice(0, mostShown))
    const showNext = () => {
      const [next, ...rest] = waiting
      waiting = rest
      timer = next === undefined ? 0 : window.setTimeout(showNext, paceMs)
      if (next) show([next])
    }
    const empty = window.setTimeout(() => setShown((before) => before ?? []), paceMs)
    setShown(null)
    const leave = source.follow((entries, { missed }) => {
      waiting = [...waiting, ...entries]
      if (isFirst || missed || waiting.length > mostWaiting) {
        isFirst = false
        show(waiting)
        waiting = []
      } else if (timer === 0) showNext()
    })
    return () => {
      leave()
      clearTimeout(timer)
      clearTimeout(empty)
    }
  }, [source])
  return shown
}
