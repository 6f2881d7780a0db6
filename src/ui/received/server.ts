import type { Recognition } from "../live.ts"
import { api, request } from "../server/api.ts"
import { session } from "../session.ts"

/** The maximum of the unseen count ("30+"), and the page size of its request. */
export const maxCounted = 30

type NotificationPage = Extract<Awaited<ReturnType<typeof api.api.v1.notifications.get>>, { error: null }>["data"]
export type Notification = NotificationPage["items"][number]

/** Newest first; null when they cannot be loaded, or nobody is logged in. */
export async function newestNotifications(): Promise<readonly Notification[] | null> {
  if (session.peek().kind !== "member") return null
  const answer = await request(api.api.v1.notifications.get({ query: { size: String(maxCounted) } }))
  return answer.kind === "done" ? answer.data.items : null
}

/** The newest recognitions that this user sent or received; null when they cannot be loaded, or nobody is logged in. */
export async function newestPage(
  username: string,
): Promise<{ readonly items: readonly Recognition[]; readonly through: number } | null> {
  if (session.peek().kind !== "member") return null
  const answer = await request(api.api.v1.feed.get({ query: { username, size: String(maxCounted) } }))
  return answer.kind === "done" ? answer.data : null
}

/** Marks this notification and all older ones as seen, for all devices. */
export const markSeen = (through: number) => request(api.api.v1.notifications.seen.post({ through }))
