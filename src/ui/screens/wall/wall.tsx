import { useLayoutEffect, useRef } from "preact/hooks"
import { useLocation } from "preact-iso"
import { appearance } from "../../appearance.ts"
import { formatClock } from "../../dates/dates.ts"
import { now } from "../../dates/now.ts"
import { LiveSign } from "../../parts/live-sign.tsx"
import { nameOfService, useTitle } from "../../parts/use-title.ts"
import { loginNotice } from "../../session.ts"
import { Mark } from "../../shell/mark.tsx"
import { t } from "../../texts/texts.ts"
import { toLogin } from "../login/way.ts"
import { useAwake } from "./awake.ts"
import { Board } from "./board.tsx"
import { Controls } from "./controls.tsx"
import { useDrift } from "./drift.ts"
import { hasWallKey } from "./key.ts"
import { isNight } from "./night.ts"
import { usePacedEntries } from "./pace.ts"
import { useSource } from "./source.ts"

/** For a television: who was thanked, as it happens, for hours and without a hand. */
export function Wall() {
  const { wall } = t()
  const { url, query, route } = useLocation()
  const { source, mustLogIn } = useSource()
  const entries = usePacedEntries(source)
  const moved = useRef<HTMLDivElement>(null)
  useTitle(wall.title)
  useAwake()
  useDarkness()
  useDrift(moved)
  useLayoutEffect(() => {
    if (!mustLogIn) return
    if (hasWallKey()) loginNotice.value = "wallKey"
    route(toLogin(url), true)
    // Only once: the wall is still there for a moment when the address is that of the log-in.
  }, [mustLogIn])

  return (
    <div class="wall" data-night={isNight(new Date(now.value), query.night)}>
      <div ref={moved} class="wall-moved">
        <header class="wall-head">
          <h1>
            <Mark />
            <span dir="auto">{nameOfService()}</span>
          </h1>
          {source && <LiveSign of={source.live} />}
          <time class="tabular-nums">{formatClock(now.value)}</time>
        </header>
        <main id="main" tabIndex={-1}>
          {entries && <Board entries={entries} />}
        </main>
      </div>
      <Controls />
    </div>
  )
}

/** A wall is dark unless light was chosen for this browser. */
function useDarkness() {
  useLayoutEffect(() => {
    if (appearance.value === "light") return
    document.documentElement.dataset.theme = "dark"
    return () => {
      if (appearance.value === null) delete document.documentElement.dataset.theme
    }
  }, [appearance.value])
}
