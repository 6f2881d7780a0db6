import { computed, signal } from "@preact/signals"
import { involves, liveFeed, type Recognition } from "../live.ts"
import { api, type Failure, request } from "../server/api.ts"
import { me, onUserChange, programme } from "../session.ts"
import { dropCachedAdded } from "./additions.ts"
import type { FeedFilter } from "./feed-filter.ts"
import { beforeOf, byPosition, positionOf } from "./positions.ts"
import { dropCachedResponses } from "./responses.tsx"

/** Entries per page: more than fit on a screen, few enough to render at once. */
const pageSize = 20
/** A page may stay open for weeks, so the list is trimmed to this length unless the reader loaded more. */
const maxEntries = 200

export type FeedList = ReturnType<typeof createFeedList>

/** Receives new entries. `missed`: they were created while the connection was down or the page hidden. */
type OnEntries = (entries: readonly Recognition[], about: { readonly missed: boolean }) => void

/** The entries of the feed that a filter selects: loads older pages and receives new entries live. */
function createFeedList(filter: FeedFilter) {
  /** Newest first; null until loaded. */
  const entries = signal<readonly Recognition[] | null>(null)
  /** The parameter `before` of the next page; null at the end. */
  const next = signal<number | null>(null)
  /** Why the first or the next page failed to load. */
  const failure = signal<Failure | null>(null)
  let maxKept = maxEntries
  /** The newest id that the server has reported, including entries that are filtered out. */
  let through = 0

  let loading: Promise<void> | null = null
  /** The request that `retry` repeats. */
  let retry = load

  /** Loads the first page unless it is loaded. Concurrent callers share one request. */
  async function loadFirst() {
    if (entries.value !== null) return
    loading ??= load().finally(() => {
      loading = null
    })
    await loading
  }

  /** Loads the newest page: fills the list, or brings it up to date. */
  async function load() {
    retry = load
    const answer = await page(undefined)
    failure.value = answer.kind === "done" ? null : answer
    if (answer.kind !== "done") return
    const { items } = answer.data
    dropCachedResponses(items)
    dropCachedAdded(items)
    if (positionOf(answer.data.through) > positionOf(through)) through = answer.data.through
    const known = entries.value ?? []
    const isGap = known.length === 0 || positionOf(items.at(-1)?.id ?? 0) > positionOf(known[0]?.id ?? 0)
    if (isGap) next.value = answer.data.next
    entries.value = isGap ? items : mergeById(items, known)
  }

  async function older() {
    if (next.value === null) return
    retry = older
    const answer = await page(next.value)
    failure.value = answer.kind === "done" ? null : answer
    if (answer.kind !== "done") return
    entries.value = mergeById(entries.value ?? [], answer.data.items)
    next.value = answer.data.next
    maxKept = Math.max(maxKept, entries.value.length + pageSize)
  }

  /** Reloads one page that begins with this entry, because reactions, replies or reversals may have changed. */
  async function refreshFrom(id: number) {
    // The entry has an id for each of its receivers.
    const entry = entries.value?.find((one) => one.id === id)
    const answer = await page(beforeOf(id, entry?.receivers.length ?? 1))
    if (answer.kind !== "done") return
    const known = entries.value ?? []
    const ids = new Set(known.map((one) => one.id))
    const items = answer.data.items.filter((one) => ids.has(one.id))
    dropCachedResponses(items)
    dropCachedAdded(items)
    entries.value = mergeById(items, known)
  }

  /** Adds new entries to the list until the returned function is called. */
  function follow(onEntries: OnEntries): () => void {
    return liveFeed.listen(through, (newEntries, about) => {
      through = newEntries.at(-1)?.id ?? through
      const ours = newEntries.filter((one) => isAbout(one, filter))
      if (ours.length === 0) return
      // Only the server can match departments, tags and text.
      if (filter.department !== undefined || filter.tag !== undefined || filter.q !== undefined) return void load()
      entries.value = mergeById(entries.value ?? [], ours) // loaded entries win: they include their responses
      trim()
      onEntries(ours, about)
    })
  }

  function trim() {
    const all = entries.value ?? []
    if (all.length <= maxKept + pageSize) return
    entries.value = all.slice(0, maxKept)
    next.value = all[maxKept - 1]?.id ?? null
  }

  const page = (before: number | undefined) =>
    request(
      api.api.v1.feed.get({
        query: {
          size: String(pageSize),
          ...filter,
          ...(before !== undefined && { before: String(before) }),
        },
      }),
    )

  return { entries, next, failure, loadFirst, load, older, refreshFrom, follow, retry: () => retry() }
}

/** Newest first, without duplicates: `some` wins over `others`. */
const mergeById = (some: readonly Recognition[], others: readonly Recognition[]): readonly Recognition[] =>
  [...new Map([...others, ...some].map((one) => [one.id, one])).values()].toSorted(byPosition).reverse()

/** Whether the recognition involves the people in the filter. */
const isAbout = (one: Recognition, { username, about }: FeedFilter): boolean =>
  [username, about === undefined ? undefined : me.peek()?.username].every(
    (person) => person === undefined || involves(one, person),
  )

/** How many lists are cached. The list of the whole feed is never evicted. */
const maxLists = 8

const whole = JSON.stringify({})

const lists = new Map<string, FeedList>()
onUserChange(() => lists.clear())

/** Whose amounts the programme shows. After a change, lists are loaded again. */
export const amountsShown = computed(() => programme.value?.amounts_shown)
amountsShown.subscribe(() => lists.clear())

/**
 * The list of a filter. It is cached, so that a screen shows its old state at once when the reader returns.
 */
export function feedListOf(filter: FeedFilter = {}): FeedList {
  const key = JSON.stringify(filter)
  const list = lists.get(key) ?? createFeedList(filter)
  lists.delete(key)
  lists.set(key, list)
  const oldest = lists.keys().find((one) => one !== whole)
  if (lists.size > maxLists && oldest !== undefined) lists.delete(oldest)
  return list
}
