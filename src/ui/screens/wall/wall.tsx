import { ArrowLeft, Maximize, Minimize } from "lucide"
import type { RefObject } from "preact"
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks"
import { useLocation } from "preact-iso"
import { addresses } from "../../addresses.ts"
import { appearance } from "../../appearance.ts"
import { formatClock, minuteMs, now } from "../../dates.tsx"
import { toLogin } from "../../login-methods.ts"
import { CompanyLogo } from "../../parts/company-logo.tsx"
import { Icon } from "../../parts/icon.tsx"
import { LiveStatus } from "../../parts/live-status.tsx"
import { serviceName, useTitle } from "../../screen.ts"
import { useAutoRefresh } from "../../server/query.ts"
import { refreshProgramme } from "../../session.ts"
import { t } from "../../texts/texts.ts"
import { hasWallKey } from "../../url-secrets.ts"
import { Board } from "./board.tsx"
import { noteWallShown } from "./shown-here.ts"
import { usePacedEntries, useSource } from "./wall-entries.ts"

/** A full-screen view of new recognitions for a television. It runs unattended for hours. */
export function Wall() {
  const { wall } = t()
  const { query } = useLocation()
  const { source, mustLogIn } = useSource()
  const entries = usePacedEntries(source)
  const moved = useRef<HTMLDivElement>(null)
  useTitle(wall.title)
  useAutoRefresh(refreshProgramme)
  useWakeLock()
  useDarkTheme()
  useDrift(moved)
  useEffect(() => {
    if (entries) noteWallShown()
  }, [entries === null])
  return (
    <div class="wall" data-night={isNight(new Date(now.value), query.night)}>
      <div ref={moved} class="wall-moved">
        <header class="wall-head">
          <h1>
            <CompanyLogo />
            <span dir="auto">{serviceName}</span>
          </h1>
          {source && <LiveStatus of={source.live} />}
          <time class="tabular-nums">{formatClock(now.value)}</time>
        </header>
        <main id="main" tabIndex={-1}>
          {mustLogIn ? <Locked /> : entries && <Board entries={entries} />}
        </main>
      </div>
      <Controls />
    </div>
  )
}

/** Shown where the stream needs a log-in: how this screen gets its key. */
function Locked() {
  const { wall } = t()
  const { url } = useLocation()
  return (
    <div class="wall-empty">
      <p>{hasWallKey() ? wall.keyEnded : wall.keyMissing}</p>
      <p>{wall.keyHow}</p>
      <p>
        <code dir="ltr">{`${location.origin}/wall#key=…`}</code>
      </p>
      <p>
        <a href={toLogin(url)} class="btn btn-primary font-medium">
          {wall.logIn}
        </a>
      </p>
    </div>
  )
}

/** The wall is dark unless the user chose light in this browser. */
function useDarkTheme() {
  useLayoutEffect(() => {
    if (appearance.value === "light") return
    document.documentElement.dataset.theme = "dark"
    return () => {
      if (appearance.value === null) delete document.documentElement.dataset.theme
    }
  }, [appearance.value])
}

const shownMs = 4000

/**
 * Buttons that show for a few seconds after the page opens and after each pointer movement. On a wide screen they are in
 * the middle of the header, where they cover no entry.
 */
function Controls() {
  const { wall } = t()
  const isFull = useFullScreen()
  const isShown = useMovement()
  return (
    <nav
      aria-label={wall.title}
      data-shown={isShown}
      class="wall-controls fixed z-10 flex max-w-[calc(100%-2rem)] flex-wrap max-md:end-4 max-md:bottom-4 md:inset-x-0 md:top-4 md:mx-auto md:w-fit gap-1 rounded-box border border-line bg-base-100 p-1 text-[0.9375rem] shadow-lg"
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
    const update = () => setFull(document.fullscreenElement !== null)
    const onKey = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent) => {
      if (key.toLowerCase() === "f" && !ctrlKey && !metaKey && !altKey) toggleFullScreen()
    }
    document.addEventListener("fullscreenchange", update)
    document.addEventListener("keydown", onKey)
    return () => {
      document.removeEventListener("fullscreenchange", update)
      document.removeEventListener("keydown", onKey)
    }
  }, [])
  return isFull
}

function toggleFullScreen() {
  // Browsers refuse full screen without a user gesture, and some devices always.
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

const everyMs = 10_000
/** Different periods, so that the combined position rarely repeats. */
const roundMs = { x: 37 * minuteMs, y: 53 * minuteMs }
/** The amplitude in percent of the screen: about 40 and 25 pixels. */
const amplitude = { x: 2, y: 2.2 }

/** The offset at a moment, in percent of the screen. Changes are about one pixel per step, too slow to notice. */
function driftAt(ms: number): { readonly x: number; readonly y: number } {
  const swing = (round: number) => Math.sin((2 * Math.PI * (ms % round)) / round)
  return { x: amplitude.x * swing(roundMs.x), y: amplitude.y * swing(roundMs.y) }
}

/** Moves an element slowly around, to prevent burn-in of the screen. */
function useDrift(element: RefObject<HTMLElement | null>) {
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

/** From 20:00 to 7:00. `?night=22-6` sets other hours, `?night=off` disables it. */
const defaultNight = { from: 20, to: 7 }

/** Whether it is night in this browser's time zone. */
function isNight(date: Date, setting: string | undefined): boolean {
  if (setting === "off") return false
  const match = /^(\d{1,2})-(\d{1,2})$/.exec(setting ?? "")
  const { from, to } = match ? { from: Number(match[1]), to: Number(match[2]) } : defaultNight
  const hour = date.getHours()
  return from <= to ? hour >= from && hour < to : hour >= from || hour < to
}

/** Keeps the screen on while the page is visible, if the browser supports it. */
function useWakeLock() {
  useEffect(() => {
    let lock: WakeLockSentinel | null = null
    let hasLeft = false
    const hold = async () => {
      if (document.hidden || !("wakeLock" in navigator)) return
      // The browser may refuse, for example on low battery; then the device's own settings apply.
      const held = await navigator.wakeLock.request("screen").catch(() => null)
      if (hasLeft) void held?.release()
      else lock = held
    }
    void hold()
    document.addEventListener("visibilitychange", hold)
    return () => {
      hasLeft = true
      document.removeEventListener("visibilitychange", hold)
      void lock?.release()
    }
  }, [])
}
