import { addresses } from "../addresses.ts"
import { me } from "../session.ts"
import { t } from "../texts/texts.ts"

/** What a key asks for, where nobody types. */
export type Command =
  | { readonly kind: "palette" }
  | { readonly kind: "sheet" }
  | { readonly kind: "transfer" }
  | { readonly kind: "go"; readonly letter: string }

/** After `g` the letter must come within this time. */
const sequenceMs = 1500

/** Reads wishes from keys as they come: Ctrl or Cmd with K everywhere; `?`, `n`, and `g` with a letter outside of fields. */
export function createKeyReader() {
  let goPressedMs = Number.NEGATIVE_INFINITY

  return (event: KeyboardEvent): Command | null => {
    const { key, timeStamp } = event
    if (event.isComposing || event.altKey) return null
    if (event.ctrlKey || event.metaKey) return key.toLowerCase() === "k" && !event.shiftKey ? { kind: "palette" } : null
    if (event.repeat || isTyping(event.target)) return null
    const isGoing = timeStamp - goPressedMs < sequenceMs
    goPressedMs = key === "g" && !isGoing ? timeStamp : Number.NEGATIVE_INFINITY
    if (isGoing) return { kind: "go", letter: key }
    if (key === "?") return { kind: "sheet" }
    return key === "n" ? { kind: "transfer" } : null
  }
}

/** Letters belong to fields and to lists that are looked through by them; an open dialog has its own keys. */
const isTyping = (target: EventTarget | null): boolean =>
  !(target instanceof Element) ||
  target.closest("input, textarea, select, [contenteditable], [role=listbox], dialog") !== null ||
  document.querySelector("dialog[open]") !== null

/** What opens over the page. */
export interface Overlay {
  readonly onClose: () => void
  /** Opens the other one instead. */
  readonly onCommand: (wish: Command) => void
}

/** A screen that one goes to by `g` and a letter, and by its name. */
export interface Destination {
  readonly letter: string
  readonly address: string
  readonly name: () => string
  /** Not for others. */
  readonly forSuperusers?: true
}

const allDestinations: readonly Destination[] = [
  { letter: "h", address: addresses.home, name: () => t().shell.home },
  { letter: "p", address: addresses.people, name: () => t().shell.people },
  { letter: "t", address: addresses.history, name: () => t().shell.history },
  { letter: "l", address: addresses.leaderboard, name: () => t().shell.leaderboard },
  { letter: "w", address: addresses.wall, name: () => t().shell.wall },
  { letter: "m", address: addresses.me, name: () => t().shell.me },
  { letter: "a", address: addresses.admin, name: () => t().shell.admin, forSuperusers: true },
]

/** Those that are open to whoever is logged in. */
export const destinations = (): readonly Destination[] =>
  allDestinations.filter(({ forSuperusers }) => !forSuperusers || me.value?.role === "superuser")

/** Home may have to be loaded first. */
const loadTimeoutMs = 3000

/** Makes the box on home ready to type in, as soon as it is there. */
export function focusTransferBox() {
  const begun = performance.now()
  const look = () => {
    const box = document.querySelector<HTMLElement>("#give input")
    if (box) box.focus()
    else if (performance.now() - begun < loadTimeoutMs) requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

const isApple = /Mac|iP(?:hone|ad)/.test(navigator.userAgent)

/** The key that goes with K, as it is written on it. */
export const modifier = isApple ? "⌘" : "Ctrl"

/** The same in the words of `aria-keyshortcuts`. */
export const ariaModifier = isApple ? "Meta" : "Control"
