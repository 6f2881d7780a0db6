import { signal } from "@preact/signals"
import { storedValue } from "./browser-storage.ts"

export const appearances = ["light", "dark"] as const
type Appearance = (typeof appearances)[number]

const choice = storedValue("appearance")

/** Light or dark as chosen here; null: as the device has it. */
export const appearance = signal<Appearance | null>(null)

/** Before the first drawing. */
export function applyAppearance() {
  show(appearances.find((one) => one === choice.get()) ?? null)
}

/** Changes the looks of the page, and of later visits. */
export function chooseAppearance(chosen: Appearance | null) {
  choice.set(chosen)
  show(chosen)
}

function show(chosen: Appearance | null) {
  appearance.value = chosen
  if (chosen === null) delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = chosen
}
