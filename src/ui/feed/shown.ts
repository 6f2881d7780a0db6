import { signal } from "@preact/signals"
import type { Recognition } from "../live.ts"
import { onUserChange } from "../session.ts"

/** The whole feed as it was shown last on this page, newest first; null until then. */
export const shownFeed = signal<readonly Recognition[] | null>(null)

onUserChange(() => {
  shownFeed.value = null
})
