import { useLayoutEffect } from "preact/hooks"
import { storedValue } from "./browser-storage.ts"
import { Button, useAction } from "./parts/button.tsx"
import { useTitle } from "./parts/title.ts"
import { fetchJson } from "./server/api.ts"
import { retryDelay, untilCleanup } from "./server/retry.ts"
import { t } from "./texts/texts.ts"

/** Stands in for a screen whose script failed to load, until the page is reloaded. */
export function NotLoaded() {
  useTitle(t().failures.screenTitle)
  const retrying = useAction(reloadIfReachable)
  useLayoutEffect(() => untilCleanup(reloadWhenReachable), [])
  return (
    <div class="grid justify-items-start gap-4 px-6 py-16">
      <p role="alert">
        {t().failures.screen} <span class="text-muted">{t().failures.screenWaits}</span>
      </p>
      <Button look="plain" busy={retrying.busy.value} onClick={retrying.run}>
        {t().failures.retry}
      </Button>
    </div>
  )
}

/** How many times the page was reloaded since a screen last loaded. */
const reloads = storedValue("reloads", () => sessionStorage)
const maxDelayMs = 60_000

/** Resets the counter of reloads after a screen has loaded. */
export function resetReloads() {
  if (reloads.get() !== null) reloads.set(null)
}

/**
 * Reloads the page as soon as the server is reachable, while `isWanted` returns true. A reload is necessary: within one
 * page, Chromium never retries a module that failed to load, nor a module that imports it. Drafts survive the reload.
 * The delay doubles with each reload that did not help.
 */
async function reloadWhenReachable(isWanted: () => boolean) {
  const before = Number(reloads.get() ?? 0)
  if (before > 0) await new Promise((resolve) => setTimeout(resolve, Math.min(1000 * 2 ** before, maxDelayMs)))
  for (let ms = 500; isWanted(); ms = Math.min(ms * 2, 10_000)) {
    await reloadIfReachable(isWanted)
    await retryDelay(ms)
  }
}

/** Checks the server first: offline, a reload would replace the app with the browser's error page. */
async function reloadIfReachable(isWanted: () => boolean = () => true) {
  const answer = await fetchJson<unknown>(fetch("/api/v1/session"))
  if (answer.kind !== "done" || !isWanted()) return
  reloads.set(String(Number(reloads.get() ?? 0) + 1))
  location.reload()
}
