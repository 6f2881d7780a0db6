import { useSignal } from "@preact/signals"
import { Search } from "lucide"
import type { FunctionComponent } from "preact"
import { useLayoutEffect } from "preact/hooks"
import { useLocation } from "preact-iso"
import { addresses } from "../addresses.ts"
import { Dialog } from "../parts/dialog.tsx"
import { Icon } from "../parts/icon.tsx"
import { loadTexts, t } from "../texts/texts.ts"
import { ariaModifier, type Command, destinations, focusTransferBox, modifier, type Overlay } from "./commands.ts"
import { Palette } from "./palette.tsx"

/** The global keyboard shortcuts, and a button that opens the palette. What they show is loaded on first use. */
export function Shortcuts() {
  const { route } = useLocation()
  const open = useSignal<FunctionComponent<Overlay> | null>(null)

  const run = async (command: Command) => {
    if (command.kind === "palette") open.value = Palette
    else if (command.kind === "sheet") open.value = await loadSheet()
    else if (command.kind === "transfer") {
      route(addresses.home)
      focusTransferBox()
    } else {
      const destination = destinations().find(({ letter }) => letter === command.letter)
      if (destination) route(destination.address)
    }
  }

  useLayoutEffect(() => {
    const read = createKeyReader()
    const onKey = (event: KeyboardEvent) => {
      const command = event.defaultPrevented ? null : read(event)
      if (command === null) return
      event.preventDefault()
      void run(command)
    }
    document.addEventListener("keydown", onKey)
    return () => document.removeEventListener("keydown", onKey)
  }, [route])

  const Shown = open.value
  return (
    <>
      <Opener onOpen={() => void run({ kind: "palette" })} />
      {Shown && <Shown onClose={() => (open.value = null)} onCommand={(command) => void run(command)} />}
    </>
  )
}

const loadSheet = (): Promise<FunctionComponent<Overlay>> =>
  Promise.all([import("./shortcut-sheet.tsx"), loadTexts(["shared"])]).then(
    ([{ ShortcutSheet }]) => ShortcutSheet,
    () => NotLoaded,
  )

/**
 * Stands in for the list of the shortcuts when its script failed to load. It does not reload the page, because the user may have typed
 * something there.
 */
function NotLoaded({ onClose }: Overlay) {
  return (
    <Dialog title={t().failures.screenTitle} onClose={onClose}>
      <p>{t().failures.part}</p>
    </Dialog>
  )
}

/** How long after `g` the letter may follow. */
const sequenceMs = 1500

/**
 * Turns key events into commands: Ctrl or Cmd with K everywhere; `?`, `n`, and `g` followed by a letter outside of text
 * fields.
 */
function createKeyReader() {
  let goPressedMs = Number.NEGATIVE_INFINITY

  return (event: KeyboardEvent): Command | null => {
    const { key, timeStamp } = event
    if (event.altKey) return null
    if (event.ctrlKey || event.metaKey) return key.toLowerCase() === "k" && !event.shiftKey ? { kind: "palette" } : null
    if (event.repeat || isTyping(event.target)) return null
    const isGoing = timeStamp - goPressedMs < sequenceMs
    goPressedMs = key === "g" && !isGoing ? timeStamp : Number.NEGATIVE_INFINITY
    if (isGoing) return { kind: "go", letter: key }
    if (key === "?") return { kind: "sheet" }
    return key === "n" ? { kind: "transfer" } : null
  }
}

/** Fields and listboxes use letters themselves, and an open dialog has its own keys. */
const isTyping = (target: EventTarget | null): boolean =>
  !(target instanceof Element) ||
  target.closest("input, textarea, select, [contenteditable], [role=listbox], dialog") !== null ||
  document.querySelector("dialog[open]") !== null

function Opener({ onOpen }: { onOpen: () => void }) {
  const { palette } = t()
  return (
    <button
      type="button"
      aria-keyshortcuts={`${ariaModifier}+K`}
      class="flex min-h-11 shrink-0 min-w-[min(2.75rem,14vw)] items-center justify-center gap-1.5 rounded-field text-muted hover:bg-base-300/60 max-lg:ms-auto lg:min-h-9 lg:justify-start lg:border lg:border-line lg:bg-base-100 lg:px-2.5"
      onClick={onOpen}
    >
      <Icon of={Search} class="size-5 lg:size-4" />
      <span class="min-w-0 text-start text-sm wrap-anywhere max-lg:sr-only">{palette.open}</span>
      <span class="ms-auto text-xs whitespace-nowrap max-lg:hidden" aria-hidden="true">
        {modifier} K
      </span>
    </button>
  )
}
