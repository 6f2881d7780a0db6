import { computed, signal } from "@preact/signals"
import { involves, type Recognition } from "../live.ts"
import { me } from "../session.ts"
import { formatNumber } from "../texts/format.ts"
import { maxCounted, type Notification } from "./server.ts"

/** Recognitions that the current user received but has not seen on the home screen, newest first. */
export const unseen = signal<readonly Recognition[]>([])

/**
 * The latest recognition received, or points added to one, until it is dismissed or seen. `isSeen`: the feed on the home screen already shows
 * it.
 */
export const latestArrival = signal<Arrival | null>(null)

interface Arrival {
  readonly of: Recognition
  /** The points that somebody added to it; null: the recognition itself arrived. */
  readonly addition: Notification["addition"]
  readonly isSeen: boolean
}

/** Whether it is about what others did with a recognition: a reply, or points that were added. */
export const isResponse = ({ addition, reply }: Notification): boolean => addition !== null || reply !== null

/** Ids of the notifications of unseen replies to recognitions of the current user, and of points added to them. */
export const unseenReplies = signal<readonly number[]>([])

/**
 * The news above the home feed, until closed: what happened since the last visit, and replies and additions that arrived later.
 * `isSinceLastVisit`: it contains what happened since the last visit.
 */
export const news = signal<{ readonly items: readonly Notification[]; readonly isSinceLastVisit: boolean } | null>(null)

/** `mark`, for the home screen once it shows the news, marks everything as seen; null while nobody follows what is received. */
export const newsSeen: { mark: (() => void) | null } = { mark: null }

/** Whether the top of the home feed is on the screen. */
export const isFeedInView = signal(false)

/** `3`, or `30+` above the maximum; null for none. */
export const unseenCount = computed(() => {
  const count = unseen.value.length + unseenReplies.value.length
  if (count === 0) return null
  return count < maxCounted ? formatNumber(count) : `${formatNumber(maxCounted)}+`
})

/** Whether the current user received this from somebody else. Transfers to oneself do not count. */
export const isReceived = (one: Recognition): boolean => {
  const own = me.peek()?.username
  return own !== undefined && one.from_username !== own && involves(one, own)
}
