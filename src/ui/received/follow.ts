import { effect, signal } from "@preact/signals"
import { positionOf } from "../feed/positions.ts"
import { involves, liveFeed, type Recognition } from "../live.ts"
import { refreshAccount } from "../session.ts"
import { showUnseenInTab } from "./badge.ts"
import { notifyOf } from "./notify.ts"
import { storedId } from "./seen-ids.ts"
import { markSeen, maxCounted, type Notification, newestNotifications, newestPage } from "./server.ts"
import { newestToMark } from "./shown.ts"
import {
  isFeedInView,
  isReceived,
  isResponse,
  latestArrival,
  news,
  newsSeen,
  unseen,
  unseenCount,
  unseenReplies,
} from "./unseen.ts"

const retryMs = 5000
/** How often new replies and additions are loaded, and on a hidden page new recognitions, too. */
const pollMs = 60_000

const isPageVisible = signal(!document.hidden)
document.addEventListener("visibilitychange", () => {
  isPageVisible.value = !document.hidden
})

/**
 * Keeps the live connection open and tracks what this user receives, until the returned function is called. The server
 * stores what the user has seen, on any device; this page learns of it with the next poll. Other tabs of this browser
 * learn of it at once, because the newest seen ids are also in localStorage.
 */
export function followReceived(username: string): () => void {
  const seenRecognition = storedId(`received.${username}`)
  const seenReply = storedId(`replies.${username}`)
  /** The place in the feed (`positionOf`) of the newest entry reported by the server; null before the first answer. */
  let newestKnown: number | null = null
  let retry = 0
  let unsubscribe = liveFeed.listen(null, () => {})
  let isOver = false

  async function begin() {
    const [page, notifications] = await Promise.all([newestPage(username), newestNotifications()])
    if (isOver) return
    if (page === null || notifications === null) {
      retry = window.setTimeout(begin, retryMs)
      return
    }
    const { through, items } = page
    newestKnown = Math.max(...[through, ...items.map(({ id }) => id)].map(positionOf))
    const unread = notifications.filter(({ seen }) => !seen)
    const hasVisitedBefore = unread.length < notifications.length
    // On the very first visit, existing entries count as seen.
    if (seenRecognition.get() === null && !hasVisitedBefore) seenRecognition.set(newestKnown)
    seenRecognition.lowerTo(newestKnown)
    const newestResponse = notifications.find(isResponse)?.id ?? 0
    if (seenReply.get() === null && !hasVisitedBefore) seenReply.set(newestResponse)
    seenReply.lowerTo(newestResponse)
    unseen.value = unread
      .filter((one) => !isResponse(one) && !seenRecognition.includes(positionOf(one.recognition.id)))
      .map(({ recognition }) => recognition)
    if (hasVisitedBefore) addNews(unread, true)
    else void markSeenOnServer()
    const unsubscribeHolder = unsubscribe
    unsubscribe = liveFeed.listen(through, receive)
    unsubscribeHolder()
  }

  function receive(entries: readonly Recognition[]) {
    const newEntries = entries.filter(({ id }) => positionOf(id) > (newestKnown ?? 0))
    const newestEntry = newEntries.at(-1)
    if (newestEntry !== undefined) newestKnown = positionOf(newestEntry.id)
    if (newEntries.some((one) => involves(one, username))) void refreshAccount()
    // Another tab may have shown it already.
    const received = newEntries
      .filter((one) => isReceived(one) && !seenRecognition.includes(positionOf(one.id)))
      .toReversed()
    const [newest] = received
    if (newest === undefined) return
    const isSeen = isFeedInView.peek() && isPageVisible.peek()
    latestArrival.value = { of: newest, addition: null, isSeen }
    if (isSeen) {
      seenRecognition.set(positionOf(newest.id))
      void markSeenOnServer()
    } else unseen.value = [...received, ...unseen.peek()].slice(0, maxCounted)
    if (!isPageVisible.peek()) notifyOf(newest)
  }

  /** A hidden tab has no live connection, and replies are not in the stream. */
  async function poll() {
    if (newestKnown === null) return
    const [page, notifications] = await Promise.all([
      document.hidden ? newestPage(username) : null,
      newestNotifications(),
    ])
    if (isOver) return
    if (page !== null) receive(page.items.toReversed())
    if (notifications === null) return
    addResponses(notifications)
    dropSeenElsewhere(notifications.filter(({ seen }) => seen))
  }

  /** The stream does not say who added points. */
  async function receiveAddition(changed: Recognition) {
    if (newestKnown === null || !isReceived(changed)) return
    void refreshAccount()
    const notifications = await newestNotifications()
    if (isOver || notifications === null) return
    addResponses(notifications)
    const newest = notifications.find(({ seen, addition }) => !seen && addition !== null)
    if (newest?.recognition.id !== changed.id) return
    const isSeen = isFeedInView.peek() && isPageVisible.peek()
    latestArrival.value = { of: newest.recognition, addition: newest.addition, isSeen }
  }

  function addResponses(notifications: readonly Notification[]) {
    const unread = notifications.filter((one) => !one.seen && isResponse(one))
    addNews(unread, news.peek()?.isSinceLastVisit ?? false)
  }

  /** Another device has marked these as seen. */
  function dropSeenElsewhere(seen: readonly Notification[]) {
    const recognitions = new Set(seen.filter((one) => !isResponse(one)).map(({ recognition }) => recognition.id))
    const replies = new Set(seen.map(({ id }) => id))
    keepUnseen(
      ({ id }) => !recognitions.has(id),
      (id) => !replies.has(id),
    )
  }

  function keepUnseen(isUnseen: (one: Recognition) => boolean, isReplyUnseen: (id: number) => boolean) {
    unseen.value = unseen.peek().filter(isUnseen)
    unseenReplies.value = unseenReplies.peek().filter(isReplyUnseen)
    if (unseenCount.peek() === null) latestArrival.value = null
  }

  /** Adds notifications that are not shown yet. */
  function addNews(unread: readonly Notification[], isSinceLastVisit: boolean) {
    const known = news.peek()?.items ?? []
    const added = unread.filter(({ id }) => !known.some((one) => one.id === id))
    if (added.length === 0) return
    const replies = added.filter((one) => isResponse(one) && !seenReply.includes(one.id))
    unseenReplies.value = [...unseenReplies.peek(), ...replies.map(({ id }) => id)]
    news.value = { items: [...added, ...known], isSinceLastVisit }
  }

  /** Entries that this page does not know yet stay unseen, and so do replies that nobody has seen. */
  async function markSeenOnServer() {
    const known = newestKnown ?? 0
    const wasShown = (one: Notification) =>
      isResponse(one) ? seenReply.includes(one.id) : positionOf(one.recognition.id) <= known
    const newest = newestToMark((await newestNotifications()) ?? [], wasShown)
    if (newest !== null && !isOver) await markSeen(newest.id)
  }

  /** Another tab has marked entries as seen. */
  function onStorage({ key }: StorageEvent) {
    if (key !== seenRecognition.key && key !== seenReply.key) return
    keepUnseen(
      ({ id }) => !seenRecognition.includes(positionOf(id)),
      (id) => !seenReply.includes(id),
    )
  }

  function markAllSeen() {
    const [newest] = unseen.peek()
    const replies = unseenReplies.peek()
    if (newest === undefined && replies.length === 0) return
    if (newest !== undefined) seenRecognition.set(positionOf(newest.id))
    if (replies.length > 0) seenReply.set(Math.max(...replies))
    unseen.value = []
    unseenReplies.value = []
    latestArrival.value = null
    void markSeenOnServer()
  }
  newsSeen.mark = markAllSeen
  const unsubscribeChanges = liveFeed.onChange((changed) => void receiveAddition(changed))
  const hideUnseen = showUnseenInTab()
  const unsubscribeSeen = effect(() => {
    if (unseenCount.value !== null && isFeedInView.value && isPageVisible.value) markAllSeen()
  })
  const pollTimer = setInterval(poll, pollMs)
  window.addEventListener("storage", onStorage)
  void begin()
  return () => {
    isOver = true
    unsubscribe()
    unsubscribeSeen()
    unsubscribeChanges()
    clearInterval(pollTimer)
    clearTimeout(retry)
    window.removeEventListener("storage", onStorage)
    newsSeen.mark = null
    unseen.value = []
    unseenReplies.value = []
    news.value = null
    latestArrival.value = null
    hideUnseen()
  }
}
