import { addresses } from "../addresses.ts"
import { isManager, mayOpen, seesLeaderboard } from "../rights.ts"
import { t } from "../texts/texts.ts"

/** What a keyboard shortcut does. */
export type Command =
  | { readonly kind: "palette" }
  | { readonly kind: "sheet" }
  | { readonly kind: "transfer" }
  | { readonly kind: "go"; readonly letter: string }

/** Props of a component that opens over the page. */
export interface Overlay {
  readonly onClose: () => void
  /** Runs a command of the overlay, such as opening the other overlay. */
  readonly onCommand: (command: Command) => void
}

/** A screen that can be reached by `g` and a letter, and from the palette. */
interface Destination {
  readonly letter: string
  readonly address: string
  readonly name: () => string
  /** Whether it is for this user; absent: it is for everybody. */
  readonly isFor?: () => boolean
}

const allDestinations: readonly Destination[] = [
  { letter: "h", address: addresses.home, name: () => t().shell.home },
  { letter: "p", address: addresses.people, name: () => t().shell.people },
  { letter: "y", address: addresses.team, name: () => t().shell.team, isFor: isManager },
  { letter: "r", address: addresses.rewards, name: () => t().shell.rewards },
  { letter: "t", address: addresses.history, name: () => t().shell.history },
  { letter: "l", address: addresses.leaderboard, name: () => t().shell.leaderboard, isFor: seesLeaderboard },
  { letter: "b", address: addresses.recap, name: () => t().shell.recap },
  { letter: "w", address: addresses.wall, name: () => t().shell.wall },
  { letter: "m", address: addresses.me, name: () => t().shell.me },
  { letter: "a", address: addresses.admin, name: () => t().shell.admin, isFor: () => mayOpen(addresses.admin) },
]

/** The screens that the current user may open. */
export const destinations = (): readonly Destination[] =>
  allDestinations.filter(({ isFor }) => isFor === undefined || isFor())

/** How long to wait for the box, because the home screen may have to load first. */
const loadTimeoutMs = 3000

/** Opens the transfer box on the home screen, as soon as it is rendered. */
export function focusTransferBox() {
  const begun = performance.now()
  const tryFocus = () => {
    const line = document.querySelector<HTMLElement>("#give input, #give > button")
    if (line instanceof HTMLButtonElement) line.click()
    else if (line) line.focus()
    else if (performance.now() - begun < loadTimeoutMs) requestAnimationFrame(tryFocus)
  }
  requestAnimationFrame(tryFocus)
}

const isApple = /Mac|iP(?:hone|ad)/.test(navigator.userAgent)

/** The modifier for K, as printed on the key. */
export const modifier = isApple ? "⌘" : "Ctrl"

/** The same key, as `aria-keyshortcuts` names it. */
export const ariaModifier = isApple ? "Meta" : "Control"
