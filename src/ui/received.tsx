import { computed, effect, signal } from "@preact/signals"
import { X } from "lucide"
import { addresses } from "./addresses.ts"
import { kept } from "./browser-storage.ts"
import { liveFeed, type Recognition } from "./live.ts"
import { Avatar } from "./parts/avatar.tsx"
import { Icon } from "./parts/icon.tsx"
import { titlePrefix } from "./parts/title.ts"
import { api } from "./server/api.ts"
import { ask } from "./server/request.ts"
import { me, refreshAccount, session } from "./session.ts"
import { fill, formatNumber, formatPlural, formatPoints } from "./texts/format.ts"
import { t } from "./texts/texts.ts"

/** More are counted as "30+": so many entries are asked for whenever the app is opened. */
const mostCounted = 30
const retryMs = 5000
/** A hidden tab has no live connection and asks this often instead. */
const hiddenPollMs = 60_000

/** What the person of this page received and has not seen on home, the newest first. */
export const unseen = signal<readonly Recognition[]>([])

/** What just came in, until it is dismissed or seen. `isSeen`: the feed on home shows it already. */
export const arrival = signal<{ readonly of: Recognition; readonly isSeen: boolean } | null>(null)

/** Whether home shows the beginning of its feed. */
export const isFeedInView = signal(false)

/** `3`, or `30+` where there are more than are counted; null for none. */
export const unseenCount = computed(() => {
  const { length } = unseen.value
  if (length === 0) return null
  return length < mostCounted ? formatNumber(length) : `${formatNumber(mostCounted)}+`
})

const isPageVisible = signal(!document.hidden)
document.addEventListener("visibilitychange", () => {
  isPageVisible.value = !document.hidden
})

effect(() => {
  titlePrefix.value = unseenCount.value === null ? "" : `(${unseenCount.value}) `
})

/** Points from somebody else to whoever is logged in: own gifts and transfers to oneself are not received. */
export const isReceived = (one: Recognition): boolean => {
  const own = me.peek()?.username
  return one.to_username === own && one.from_username !== own
}

/**
 * Keeps the live connection up and follows what this person receives, until the returned function is called. The id
 * through which everything was seen is kept in this browser, so that a reload and other tabs agree.
 */
export function followReceived(username: string): () => void {
  const storageKey = `received.${username}`
  const storage = kept(storageKey)
  /** Id through which everything is known here; null until the server has been asked once. */
  let known: number | null = null
  let retry = 0
  let leave = liveFeed.listen(null, () => {})
  let isOver = false

  async function begin() {
    const page = await newestPage()
    if (isOver) return
    if (page === null) {
      retry = window.setTimeout(begin, retryMs)
      return
    }
    const { items, through } = page
    const seen = seenId()
    // In a browser where this person is new, and after a restored backup, nothing old is called new.
    if (seen === null || seen > through) storage.set(String(through))
    known = through
    unseen.value = items.filter((one) => isReceived(one) && one.id > (seenId() ?? through))
    const leaveHolder = leave
    leave = liveFeed.listen(through, hear)
    leaveHolder()
  }

  function hear(entries: readonly Recognition[]) {
    const news = entries.filter(({ id }) => id > (known ?? 0))
    known = news.at(-1)?.id ?? known
    if (news.some((one) => one.from_username === username || one.to_username === username)) void refreshAccount()
    // Another tab may have shown it already.
    const received = news.filter((one) => isReceived(one) && one.id > (seenId() ?? 0)).toReversed()
    const [newest] = received
    if (newest === undefined) return
    const isSeen = isFeedInView.peek() && isPageVisible.peek()
    arrival.value = { of: newest, isSeen }
    if (isSeen) storage.set(String(newest.id))
    else unseen.value = [...received, ...unseen.peek()].slice(0, mostCounted)
  }

  async function askWhileHidden() {
    if (!document.hidden || known === null) return
    const page = await newestPage()
    if (!isOver && page !== null) hear(page.items.toReversed())
  }

  async function newestPage() {
    if (session.peek().kind !== "member") return null
    const answer = await ask(api.api.v1.feed.get({ query: { username, size: String(mostCounted) } }))
    return answer.kind === "done" ? answer.data : null
  }

  function seenId(): number | null {
    const seen = storage.get()
    return seen === null ? null : Number(seen)
  }

  /** Another tab has seen it. */
  function onStorage({ key }: StorageEvent) {
    const seen = seenId()
    if (key !== storageKey || seen === null) return
    unseen.value = unseen.peek().filter(({ id }) => id > seen)
    if (unseen.peek().length === 0) arrival.value = null
  }

  const unwatch = effect(() => {
    const [newest] = unseen.value
    if (newest === undefined || !isFeedInView.value || !isPageVisible.value) return
    storage.set(String(newest.id))
    unseen.value = []
    arrival.value = null
  })
  const poll = setInterval(askWhileHidden, hiddenPollMs)
  window.addEventListener("storage", onStorage)
  void begin()
  return () => {
    isOver = true
    leave()
    unwatch()
    clearInterval(poll)
    clearTimeout(retry)
    window.removeEventListener("storage", onStorage)
    unseen.value = []
    arrival.value = null
  }
}

/** Says what just came in: beside the navigation, where it covers nothing. Where the feed shows it, it is only spoken. */
export function Arrival() {
  const { received } = t()
  const shown = arrival.value
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
        {shown !== null && <News key={shown.of.id} of={shown.of} more={unseen.value.length - 1} />}
      </div>
      {isCard && (
        <button
          type="button"
          class="btn btn-ghost btn-sm btn-square text-muted"
          aria-label={received.dismiss}
          title={received.dismiss}
          onClick={() => {
            arrival.value = null
          }}
        >
          <Icon of={X} class="size-4" />
        </button>
      )}
    </div>
  )
}

function News({ of, more }: { of: Recognition; more: number }) {
  const { received, feed } = t()
  const reason = of.private ? feed.hidden : of.reason
  return (
    <div class="grid grid-cols-[auto_1fr] gap-x-2.5 py-1 text-sm">
      <Avatar name={of.from_name} username={of.from_username} src={of.from_avatar} size="small" />
      <div class="grid min-w-0 gap-0.5">
        <a href={addresses.home} class="font-medium hover:underline" onClick={toTop}>
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

/** A name may run the other way than the sentence around it. */
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

/** On home already, the link leads to its beginning. */
function toTop() {
  scrollTo({ top: 0 })
}
