import { signal } from "@preact/signals"

const dark = matchMedia("(prefers-color-scheme: dark)")

/** Whether the device wants it dark. */
export const isDeviceDark = signal(dark.matches)
dark.addEventListener("change", ({ matches }) => {
  isDeviceDark.value = matches
})

/** What charts are drawn in, as the theme has it now: a canvas knows no names of colours. */
export function coloursIn(place: HTMLElement) {
  const probe = document.createElement("i")
  place.append(probe)
  const resolved = (colour: string) => {
    probe.style.color = colour
    return getComputedStyle(probe).color
  }
  const colours = {
    main: resolved("var(--color-primary)"),
    wash: resolved("color-mix(in oklab, var(--color-primary) 12%, transparent)"),
    other: resolved("color-mix(in oklab, var(--color-base-content) 38%, var(--color-base-100))"),
    text: resolved("var(--color-muted)"),
    line: resolved("var(--color-line)"),
  }
  probe.remove()
  return colours
}

export type Colours = ReturnType<typeof coloursIn>
