import { signal } from "@preact/signals"
import { storedValue } from "./browser-storage.ts"

export const appearances = ["light", "dark"] as const
type Appearance = (typeof appearances)[number]

const choice = storedValue("appearance")

/** The colour scheme chosen in this browser; null follows the device. */
export const appearance = signal<Appearance | null>(null)

/** Call before the first render. */
export function applyAppearance() {
  show(appearances.find((one) => one === choice.get()) ?? null)
}

/** Changes the colour scheme now and for later visits. */
export function chooseAppearance(chosen: Appearance | null) {
  choice.set(chosen)
  show(chosen)
}

function show(chosen: Appearance | null) {
  appearance.value = chosen
  if (chosen === null) delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = chosen
}
