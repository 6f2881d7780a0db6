import { signal } from "@preact/signals"

/** What the clock says, to the half minute: relative dates follow it. A hidden tab costs nothing. */
export const now = signal(Date.now())

/** The reader's zone, looked at as often; undefined at the beginning, which Intl takes for the zone that there is. */
export const zone = signal<string | undefined>(undefined)

let timer: ReturnType<typeof setInterval> | undefined

function follow() {
  clearInterval(timer)
  if (!document.hidden) timer = setInterval(look, 30_000)
}

function look() {
  now.value = Date.now()
  zone.value = new Intl.DateTimeFormat().resolvedOptions().timeZone
}

document.addEventListener("visibilitychange", () => {
  follow()
  if (!document.hidden) look()
})
// Intl takes 10 ms to wake: not before the first drawing.
follow()
