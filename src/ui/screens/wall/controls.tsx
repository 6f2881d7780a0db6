import { ArrowLeft, Maximize, Minimize } from "lucide"
import { useLayoutEffect, useState } from "preact/hooks"
import { addresses } from "../../addresses.ts"
import { Icon } from "../../parts/icon.tsx"
import { t } from "../../texts/texts.ts"

const shownMs = 4000

/** For whoever stands before the wall: there for a while when the page opens and when something moves. */
export function Controls() {
  const { wall } = t()
  const isFull = useFullScreen()
  const isShown = useMovement()
  return (
    <nav
      aria-label={wall.title}
      data-shown={isShown}
      class="wall-controls fixed end-4 bottom-4 z-10 flex max-w-[calc(100%-2rem)] flex-wrap gap-1 rounded-box border border-line bg-base-100 p-1 text-[0.9375rem] shadow-lg"
    >
      <a href={addresses.home} class="btn btn-ghost font-normal">
        <Icon of={ArrowLeft} class="size-4.5 rtl:-scale-x-100" />
        {wall.back}
      </a>
      {document.fullscreenEnabled && (
        <button type="button" class="btn btn-ghost font-normal" aria-keyshortcuts="f" onClick={toggleFullScreen}>
          <Icon of={isFull ? Minimize : Maximize} class="size-4.5" />
          {isFull ? wall.leaveFullScreen : wall.fullScreen}
          <kbd class="kbd kbd-sm">F</kbd>
        </button>
      )}
    </nav>
  )
}

function useFullScreen(): boolean {
  const [isFull, setFull] = useState(false)
  useLayoutEffect(() => {
    const look = () => setFull(document.fullscreenElement !== null)
    const onKey = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent) => {
      if (key.toLowerCase() === "f" && !ctrlKey && !metaKey && !altKey) toggleFullScreen()
    }
    document.addEventListener("fullscreenchange", look)
    document.addEventListener("keydown", onKey)
    return () => {
      document.removeEventListener("fullscreenchange", look)
      document.removeEventListener("keydown", onKey)
    }
  }, [])
  return isFull
}

function toggleFullScreen() {
  // Refused without a key or a click of somebody, or by the device.
  if (document.fullscreenElement === null) document.documentElement.requestFullscreen().catch(() => {})
  else void document.exitFullscreen()
}

function useMovement(): boolean {
  const [isShown, setShown] = useState(true)
  useLayoutEffect(() => {
    let timer = setTimeout(() => setShown(false), shownMs)
    const show = () => {
      clearTimeout(timer)
      setShown(true)
      timer = setTimeout(() => setShown(false), shownMs)
    }
    document.addEventListener("pointermove", show)
    document.addEventListener("pointerdown", show)
    return () => {
      clearTimeout(timer)
      document.removeEventListener("pointermove", show)
      document.removeEventListener("pointerdown", show)
    }
  }, [])
  return isShown
}
