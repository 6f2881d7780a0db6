import { effect } from "@preact/signals"
import { liveFeed } from "../live/feed.ts"
import { session } from "../session.ts"
import { until } from "../until.ts"

const sleepers = new Set<() => void>()

/** Wakes everything that waits for another try. */
export function wakeAll() {
  for (const wake of sleepers) wake()
}

/** After this time, or as soon as the line stands again or somebody is impatient; never for another than `username`. */
export async function wakened(ms: number, username: string): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(wake, ms)
    const wasLive = liveFeed.state.peek().kind === "live"
    const unfollow = effect(() => {
      if (liveFeed.state.value.kind === "live" && !wasLive) queueMicrotask(wake)
    })
    window.addEventListener("online", wake)
    sleepers.add(wake)
    function wake() {
      clearTimeout(timer)
      unfollow()
      window.removeEventListener("online", wake)
      sleepers.delete(wake)
      resolve()
    }
  })
  await present(username)
}

/** Resolves once this person is logged in here. */
export const present = (username: string): Promise<void> =>
  until(() => session.value.kind === "member" && session.value.me.username === username)
