import { computed, effect, signal } from "@preact/signals"
import { X } from "lucide"
import { addresses, personAddress } from "./addresses.ts"
import { notifyOf } from "./browser-notifications.ts"
import { storedValue } from "./browser-storage.ts"
import { involves, liveFeed, type Recognition } from "./live.ts"
import { Avatar } from "./parts/avatar.tsx"
import { Icon } from "./parts/icon.tsx"
import { titlePrefix } from "./screen.ts"
import { api, request } from "./server/api.ts"
import { me, refreshAccount, session } from "./session.ts"
import { fill, formatNames, formatNumber, formatPlural, formatPoints } from "./texts/format.ts"
import { t } from "./texts/texts.ts"

/** The maximum of the unseen count ("30+"), and the page size of its request. */
const maxCounted = 30
const retryMs = 5000
/** How often new replies are loaded, and on a hidden page new recognitions, too. */
const pollMs = 60_000

/** Recognitions that the current user received but has not seen on the home screen, newest first. */
const unseen = signal<readonly Recognition[]>([])

/**
 * The latest recognition received, until it is dismissed or seen. `isSeen`: the feed on the home screen already shows
 * it.
 */
export const latestArrival = signal<{ readonly of: Recognition; readonly isSeen: boolean } | null>(null)

type NotificationPage = Extract<Awaited<ReturnType<typeof api.api.v1.notifications.get>>, { error: null }>["data"]
type Notification = NotificationPage["items"][number]

/** Ids of the notifications of unseen replies to recognitions of the current user. */
const unseenReplies = signal<readonly number[]>([])

/**
 * The news above the home feed, until closed: what happened since the last visit, and replies that arrived later.
 * `isSinceLastVisit`: it contains what happened since the last visit.
 */
export const news = signal<{ readonly items: readonly Notification[]; readonly isSinceLastVisit: boolean } | null>(null)

/** Marks everything as seen; set while somebody is logged in. */
let markAllSeen: (() => void) | null = null

/** Call when the home screen shows the news. */
export const markNewsSeen = () => markAllSeen?.()

/** Whether the top of the home feed is on the screen. */
export const isFeedInView = signal(false)

/** `3`, or `30+` above the maximum; null for none. */
export const unseenCount = computed(() => {
  const count = unseen.value.length + unseenReplies.value.length
  if (count === 0) return null
  return count < maxCounted ? formatNumber(count) : `${formatNumber(maxCounted)}+`
})

const isPageVisible = signal(!document.hidden)
document.addEventListener("visibilitychange", () => {
  isPageVisible.value = !document.hidden
})

/** The icon of the page; with a dot while something is unseen. */
const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
const plainIcon = icon?.href ?? ""
const dottedIcon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#1c6b50"/><path d="M16 6.5l2.6 6.9 6.9 2.6-6.9 2.6L16 25.5l-2.6-6.9L6.5 16l6.9-2.6z" fill="#fff"/><circle cx="25" cy="7" r="7" fill="#e8590c"/></svg>',
)}`

effect(() => {
  if (icon !== null) icon.href = unseenCount.value === null ? plainIcon : dottedIcon
})

effect(() => {
  titlePrefix.value = unseenCount.value === null ? "" : `(${unseenCount.value}) `
})

/** Whether the current user received this from somebody else. Transfers to oneself do not count. */
export const isReceived = (one: Recognition): boolean => {
  const own = me.peek()?.username
  return own !== undefined && one.from_username !== own && involves(one, own)
}

/**
 * Keeps the live connection open and tracks what this user receives, until the returned function is called. The server
 * stores what the user has seen, on any device; this page learns of it with the next poll. Other tabs of this browser
 * learn of it at once, because the newest seen ids are also in localStorage.
 */
export function followReceived(username: string): () => void {
  const seenRecognition = storedId(`received.${username}`)
  const seenReply = storedId(`replies.${username}`)
  /** The newest id reported by the server; null before the first answer. */
  let newestKnownId: number | null = null
  let retry = 0
  let unsubscribe = liveFeed.listen(null, () => {})
  let isOver = false

  async function begin() {
    const [page, notifications] = await Promise.all([newestPage(), newestNotifications()])
    if (isOver) return
    if (page === null || notifications === null) {
      retry = window.setTimeout(begin, retryMs)
      return
    }
    const { through } = page
    newestKnownId = through
    const unread = notifications.filter(({ seen }) => !seen)
    const hasVisitedBefore = unread.length < notifications.length
    // On the very first visit, existing entries count as seen.
    if (seenRecognition.get() === null && !hasVisitedBefore) seenRecognition.set(through)
    seenRecognition.lowerTo(through)
    seenReply.lowerTo(notifications.find(({ reply }) => reply !== null)?.id ?? 0)
    unseen.value = unread
      .filter(({ reply, recognition }) => reply === null && !seenRecognition.includes(recognition.id))
      .map(({ recognition }) => recognition)
    if (hasVisitedBefore) addNews(unread, true)
    else void markSeenOnServer()
    const unsubscribeHolder = unsubscribe
    unsubscribe = liveFeed.listen(through, receive)
    unsubscribeHolder()
  }

  function receive(entries: readonly Recognition[]) {
    const newEntries = entries.filter(({ id }) => id > (newestKnownId ?? 0))
    newestKnownId = newEntries.at(-1)?.id ?? newestKnownId
    if (newEntries.some((one) => involves(one, username))) void refreshAccount()
    // Another tab may have shown it already.
    const received = newEntries.filter((one) => isReceived(one) && !seenRecognition.includes(one.id)).toReversed()
    const [newest] = received
    if (newest === undefined) return
    const isSeen = isFeedInView.peek() && isPageVisible.peek()
    latestArrival.value = { of: newest, isSeen }
    if (isSeen) {
      seenRecognition.set(newest.id)
      void markSeenOnServer()
    } else unseen.value = [...received, ...unseen.peek()].slice(0, maxCounted)
    if (!isPageVisible.peek()) notifyOf(newest)
  }

  /** A hidden tab has no live connection, and replies are not in the stream. */
  async function poll() {
    if (newestKnownId === null) return
    const [page, notifications] = await Promise.all([document.hidden ? newestPage() : null, newestNotifications()])
    if (isOver) return
    if (page !== null) receive(page.items.toReversed())
    if (notifications === null) return
    const unread = notifications.filter(({ seen, reply }) => !seen && reply !== null)
    addNews(unread, news.peek()?.isSinceLastVisit ?? false)
    dropSeenElsewhere(notifications.filter(({ seen }) => seen))
  }

  /** Another device has marked these as seen. */
  function dropSeenElsewhere(seen: readonly Notification[]) {
    const recognitions = new Set(seen.filter(({ reply }) => reply === null).map(({ recognition }) => recognition.id))
    const replies = new Set(seen.map(({ id }) => id))
    keepUnseen(
      ({ id }) => !recognitions.has(id),
      (id) => !replies.has(id),
    )
  }

  function keepUnseen(isUnseen: (one: Recognition) => boolean, isReplyUnseen: (id: number) => boolean) {
    unseen.value = unseen.peek().filter(isUnseen)
    unseenReplies.value = unseenReplies.peek().filter(isReplyUnseen)
    if (unseen.peek().length === 0) latestArrival.value = null
  }

  /** Adds notifications that are not shown yet. */
  function addNews(unread: readonly Notification[], isSinceLastVisit: boolean) {
    const known = news.peek()?.items ?? []
    const added = unread.filter(({ id }) => !known.some((one) => one.id === id))
    if (added.length === 0) return
    const replies = added.filter(({ id, reply }) => reply !== null && !seenReply.includes(id))
    unseenReplies.value = [...unseenReplies.peek(), ...replies.map(({ id }) => id)]
    news.value = { items: [...added, ...known], isSinceLastVisit }
  }

  async function newestNotifications() {
    if (session.peek().kind !== "member") return null
    const answer = await request(api.api.v1.notifications.get({ query: { size: String(maxCounted) } }))
    return answer.kind === "done" ? answer.data.items : null
  }

  /** Only up to the newest id that this page knows, so that later entries stay unseen. */
  async function markSeenOnServer() {
    const known = newestKnownId ?? 0
    const newest = (await newestNotifications())?.find(({ recognition }) => recognition.id <= known)
    if (newest !== undefined && !newest.seen && !isOver)
      await request(api.api.v1.notifications.seen.post({ through: newest.id }))
  }

  async function newestPage() {
    if (session.peek().kind !== "member") return null
    const answer = await request(api.api.v1.feed.get({ query: { username, size: String(maxCounted) } }))
    return answer.kind === "done" ? answer.data : null
  }

  /** Another tab has marked entries as seen. */
  function onStorage({ key }: StorageEvent) {
    if (key !== seenRecognition.key && key !== seenReply.key) return
    keepUnseen(
      ({ id }) => !seenRecognition.includes(id),
      (id) => !seenReply.includes(id),
    )
  }

  markAllSeen = () => {
    const [newest] = unseen.peek()
    const replies = unseenReplies.peek()
    if (newest === undefined && replies.length === 0) return
    if (newest !== undefined) seenRecognition.set(newest.id)
    if (replies.length > 0) seenReply.set(Math.max(...replies))
    unseen.value = []
    unseenReplies.value = []
    latestArrival.value = null
    void markSeenOnServer()
  }
  const unsubscribeSeen = effect(() => {
    if (unseenCount.value !== null && isFeedInView.value && isPageVisible.value) markAllSeen?.()
  })
  const pollTimer = setInterval(poll, pollMs)
  window.addEventListener("storage", onStorage)
  void begin()
  return () => {
    isOver = true
    unsubscribe()
    unsubscribeSeen()
    clearInterval(pollTimer)
    clearTimeout(retry)
    window.removeEventListener("storage", onStorage)
    markAllSeen = null
    unseen.value = []
    unseenReplies.value = []
    news.value = null
    latestArrival.value = null
  }
}

/** The newest seen id, in localStorage; null before the first one. */
function storedId(key: string) {
  const storage = storedValue(key)
  const get = (): number | null => {
    const id = storage.get()
    return id === null ? null : Number(id)
  }
  const set = (id: number) => storage.set(String(id))
  const includes = (id: number): boolean => id <= (get() ?? 0)

  return {
    key,
    get,
    set,
    /** Whether this id has been seen: it or a newer one is stored. */
    includes,
    /** After the server was restored from a backup, the stored id may be higher than the newest one. */
    lowerTo(newest: number) {
      if ((get() ?? 0) > newest) set(newest)
    },
  }
}

/**
 * A card beside the navigation for a newly received recognition. If the feed already shows it, it is only announced to
 * screen readers.
 */
export function ReceivedCard() {
  const { received } = t()
  const shown = latestArrival.value
  const isCard = shown !== null && !shown.isSeen
  return (
    <div
      class={
        isCard
          ? "arrives flex items-start gap-1 border-b border-line py-1.5 ps-4 lg:mt-auto lg:rounded-box lg:border lg:bg-base-100 lg:py-2 lg:ps-3"
          : "sr-only"
      }
    >
      <div role="status" class="min-w-0 grow">
        {shown !== null && (
          <CardContent key={shown.of.id} of={shown.of} more={unseen.value.length - 1} isCard={isCard} />
        )}
      </div>
      {isCard && (
        <button
          type="button"
          class="btn btn-ghost btn-sm btn-square text-muted"
          aria-label={received.dismiss}
          title={received.dismiss}
          onClick={() => {
            latestArrival.value = null
          }}
        >
          <Icon of={X} class="size-4" />
        </button>
      )}
    </div>
  )
}

interface CardProps {
  readonly of: Recognition
  readonly more: number
  /** Whether the card is visible. Otherwise it is only announced to screen readers, and nothing in it can
   *  take the focus. */
  readonly isCard: boolean
}

function CardContent({ of, more, isCard }: CardProps) {
  const { received, feed } = t()
  const reason = of.private ? feed.hidden : of.reason
  const others = of.receivers.filter(({ username }) => username !== me.value?.username).map(({ name }) => name)
  const sentence = <Sentence text={fill(received.arrived, { points: formatPoints(of.value) })} from={of.from_name} />
  return (
    <div class="grid grid-cols-[auto_1fr] gap-x-2.5 py-1 text-sm">
      <Avatar name={of.from_name} username={of.from_username} src={of.from_avatar} size="small" />
      <div class="grid min-w-0 gap-0.5">
        {isCard ? (
          <a href={addresses.home} class="font-medium hover:underline" onClick={scrollToTop}>
            {sentence}
          </a>
        ) : (
          <p>{sentence}</p>
        )}
        {others.length > 0 && <p>{fill(received.together, { names: formatNames(others) })}</p>}
        {reason !== null && (
          <p dir="auto" class="line-clamp-2 text-muted">
            {reason}
          </p>
        )}
        {isCard && (
          <a href={personAddress(of.from_username)} class="link link-hover justify-self-start text-primary">
            {received.thankBack}
          </a>
        )}
        {more > 0 && <p class="text-xs text-muted">{formatPlural(more, received.more)}</p>}
      </div>
    </div>
  )
}

/** Isolates the name, because it may have another text direction than the sentence. */
function Sentence({ text, from }: { text: string; from: string }) {
  const [before = "", after = ""] = text.split("{from}")
  return (
    <>
      {before}
      <bdi>{from}</bdi>
      {after}
    </>
  )
}

/** For a click on the link while the home screen is open. */
function scrollToTop() {
  scrollTo({ top: 0 })
}
