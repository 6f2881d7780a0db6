import { kept } from "./kept.ts"
import { asked } from "./server/ask.ts"
import { wakened } from "./server/wakened.ts"

/** How often the page was reloaded since a screen could be loaded last. */
const reloads = kept("reloads", () => sessionStorage)
const mostMs = 60_000

/** A screen could be loaded. */
export function endReloads() {
  if (reloads.get() !== null) reloads.set(null)
}

/**
 * Reloads the page as soon as the server can be reached, unless `isWanted` says no meanwhile. A module that could not be
 * loaded, or that one of its imports could not be loaded for, stays so in Chromium for as long as the page lives. What was
 * typed is kept through a reload. When it does not help, the next one waits twice as long.
 */
export async function reloadWhenReachable(isWanted: () => boolean) {
  const before = Number(reloads.get() ?? 0)
  if (before > 0) await new Promise((resolve) => setTimeout(resolve, Math.min(1000 * 2 ** before, mostMs)))
  for (let ms = 500; isWanted(); ms = Math.min(ms * 2, 10_000)) {
    await reloadIfReachable(isWanted)
    await wakened(ms)
  }
}

/** Offline, a reload would put the browser's own page in the place of the app. */
export async function reloadIfReachable(isWanted: () => boolean = () => true) {
  const answer = await asked<unknown>(fetch("/api/v1/session"))
  if (answer.kind !== "done" || !isWanted()) return
  reloads.set(String(Number(reloads.get() ?? 0) + 1))
  location.reload()
}
