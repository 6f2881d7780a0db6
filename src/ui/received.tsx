import { computed, effect, signal } from "@preact/signals"
import { X } from "lucide"
import { addresses } from "./addresses.ts"
import { storedValue } from "./browser-storage.ts"
import { liveFeed, type Recognition } from "./live.ts"
import { Avatar } from "./parts/avatar.tsx"
import { Icon } from "./parts/icon.tsx"
import { titlePrefix } from "./parts/title.ts"
import { api } from "./server/api.ts"
import { request } from "./server/request.ts"
import { me, refreshAccount, session } from "./session.ts"
import { fill, formatNumber, formatPlural, formatPoints } from "./texts/format.ts"
import { t } from "./texts/texts.ts"

/** The maximum of the unseen count ("30+"), and the page size of its request. */
const maxCounted = 30
const retryMs = 5000
/** A hidden tab has no live connection; it polls at this interval instead. */
const hiddenPollMs = 60_000

/** What the current user received and has not seen on the home screen, newest first. */
const unseen = signal<readonly Recognition[]>([])

/**
 * The latest recognition received, until it is dismissed or seen. `isSeen`: the feed on the home screen already shows
 * it.
 */
export const latestArrival = signal<{ readonly of: Recognition; readonly isSeen: boolean } | null>(null)

/** Whether the top of the home feed is on the screen. */
export const isFeedInView = signal(false)

/** `3`, or `30+` above the maximum; null for none. */
export const unseenCount = computed(() => {
  const { length } = unseen.value
  if (length === 0) return null
  return length < maxCounted ? formatNumber(length) : `${formatNumber(maxCounted)}+`
})

const isPageVisible = signal(!document.hidden)
document.addEventListener("visibilitychange", () => {
  isPageVisible.value = !document.hidden
})

effect(() => {
  titlePrefix.value = unseenCount.value === null ? "" : `(${unseenCount.value}) `
})

/** Whether the current user received this from somebody else. Transfers to oneself do not count. */
export const isReceived = (one: Recognition): boolean => {
  const own = me.peek()?.username
  return one.to_username === own && one.from_username !== own
}

/**
 * Keeps the live connection open and tracks what this user receives, until the returned function is called. The newest
 * seen id is in localStorage, so that it survives a reload and other tabs share it.
 */
export function followReceived(username: string): () => void {
  const storageKey = `received.${username}`
  const storage = storedValue(storageKey)
  /** The newest id reported by the server; null before the first answer. */
  let newestKnownId: number | null = null
  let retry = 0
  let unsubscribe = liveFeed.listen(null, () => {})
  let isOver = false

  async function begin() {
    const page = await newestPage()
    if (isOver) return
    if (page === null) {
      retry = window.setTimeout(begin, retryMs)
      return
    }
    const { items, through } = page
    const seen = storedSeenId()
    // For a user who is new in this browser, or after a backup was restored, existing entries do not count as unseen.
    if (seen === null || seen > through) storage.set(String(through))
    newestKnownId = through
    unseen.value = items.filter((one) => isReceived(one) && one.id > (storedSeenId() ?? through))
    const unsubscribeHolder = unsubscribe
    unsubscribe = liveFeed.listen(through, receive)
    unsubscribeHolder()
  }

  function receive(entries: readonly Recognition[]) {
    const newEntries = entries.filter(({ id }) => id > (newestKnownId ?? 0))
    newestKnownId = newEntries.at(-1)?.id ?? newestKnownId
    if (newEntries.some((one) => one.from_username === username || one.to_username === username)) void refreshAccount()
    // Another tab may have shown it already.
    const received = newEntries.filter((one) => isReceived(one) && one.id > (storedSeenId() ?? 0)).toReversed()
    const [newest] = received
    if (newest === undefined) return
    const isSeen = isFeedInView.peek() && isPageVisible.peek()
    latestArrival.value = { of: newest, isSeen }
    if (isSeen) storage.set(String(newest.id))
    else unseen.value = [...received, ...unseen.peek()].slice(0, maxCounted)
  }

  async function pollWhileHidden() {
    if (!document.hidden || newestKnownId === null) return
    const page = await newestPage()
    if (!isOver && page !== null) receive(page.items.toReversed())
  }

  async function newestPage() {
    if (session.peek().kind !== "member") return null
    const answer = await request(api.api.v1.feed.get({ query: { username, size: String(maxCounted) } }))
    return answer.kind === "done" ? answer.data : null
  }

  function storedSeenId(): number | null {
    const seen = storage.get()
    return seen === null ? null : Number(seen)
  }

  /** Another tab has marked entries as seen. */
  function onStorage({ key }: StorageEvent) {
    const seen = storedSeenId()
    if (key !== storageKey || seen === null) return
    unseen.value = unseen.peek().filter(({ id }) => id > seen)
    if (unseen.peek().length === 0) latestArrival.value = null
  }

  const unsubscribeSeen = effect(() => {
    const [newest] = unseen.value
    if (newest === undefined || !isFeedInView.value || !isPageVisible.value) return
    storage.set(String(newest.id))
    unseen.value = []
    latestArrival.value = null
  })
  const poll = setInterval(pollWhileHidden, hiddenPollMs)
  window.addEventListener("storage", onStorage)
  void begin()
  return () => {
    isOver = true
    unsubscribe()
    unsubscribeSeen()
    clearInterval(poll)
    clearTimeout(retry)
    window.removeEventListener("storage", onStorage)
    unseen.value = []
    latestArrival.value = null
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
        {shown !== null && <CardContent key={shown.of.id} of={shown.of} more={unseen.value.length - 1} />}
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

function CardContent({ of, more }: { of: Recognition; more: number }) {
  const { received, feed } = t()
  const reason = of.private ? feed.hidden : of.reason
  return (
    <div class="grid grid-cols-[auto_1fr] gap-x-2.5 py-1 text-sm">
      <Avatar name={of.from_name} username={of.from_username} src={of.from_avatar} size="small" />
      <div class="grid min-w-0 gap-0.5">
        <a href={addresses.home} class="font-medium hover:underline" onClick={scrollToTop}>
          <Sentence text={fill(received.arrived, { points: formatPoints(of.value) })} from={of.from_name} />
        </a>
        {reason !== null && (
          <p dir="auto" class="line-clamp-2 text-muted">
            {reason}
          </p>
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
