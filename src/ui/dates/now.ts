import { signal } from "@preact/signals"

/** What the clock says, to the half minute: relative dates follow it. A hidden tab costs nothing. */
export const now = signal(Date.now())

let timer: ReturnType<typeof setInterval> | undefined

function follow() {
  clearInterval(timer)
  if (document.hidden) return
  now.value = Date.now()
  timer = setInterval(() => {
    now.value = Date.now()
  }, 30_000)
}

document.addEventListener("visibilitychange", follow)
follow()
