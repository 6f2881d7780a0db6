import { computed, effect } from "@preact/signals"
import { isPushed } from "../browser-notifications.ts"
import { keptFeed } from "../browser-storage.ts"
import { shownFeed } from "../feed/shown.ts"
import { me, session } from "../session.ts"
import type { KeptFeed } from "./kept.ts"
import { checkPush, setNotifications, workerOf } from "./push.ts"

/**
 * What the app does for the time when it is closed or without a connection. This module is loaded once the page is quiet,
 * because nothing on it waits for this.
 */
effect(() => {
  if (session.value.kind === "member") void workerOf()
})

const isMember = computed(() => session.value.kind === "member")

effect(() => {
  if (isMember.value && isPushed.value) void checkPush().catch(() => {})
})

/** The switch for notifications in this browser. */
export const notifications = { set: setNotifications, check: checkPush }

/** How many entries are kept. */
const maxKept = 20

effect(() => {
  const [own, entries] = [me.value, shownFeed.value]
  // A log-out deletes the stored feed (session.ts); another tab that still shows it must not store it again.
  if (own === null || session.value.kind !== "member") return
  if (entries !== null) keptFeed.set(JSON.stringify(toKeep(own.username, entries)))
  else if (JSON.parse(keptFeed.get() ?? "{}").username !== own.username) keptFeed.set(null)
})

/** Private reasons stay on the server. */
function toKeep(username: string, entries: NonNullable<typeof shownFeed.value>): KeptFeed {
  const items = entries.slice(0, maxKept).map((entry) => ({
    id: entry.id,
    date: entry.date,
    from: entry.occasion ? null : entry.from_name,
    to: entry.receivers.map(({ name, username }) => ({ name, username })),
    value: entry.value,
    reason: entry.private ? null : entry.reason,
    tags: entry.tags,
  }))
  return { username, at: Date.now(), items }
}
