import { signal } from "@preact/signals"
import { liveFeed, type Recognition } from "../live.ts"
import { api } from "../server/api.ts"
import { type Failure, request } from "../server/request.ts"
import { onUserChange } from "../session.ts"

/** Entries per page: more than fit on a screen, few enough to render at once. */
const pageSize = 20
/** A page may stay open for weeks, so the list is trimmed to this length unless the reader loaded more. */
const maxEntries = 200

export type FeedList = ReturnType<typeof createFeedList>

/** Receives new entries. `missed`: they happened while the connection was down. */
type OnEntries = (entries: readonly Recognition[], about: { readonly missed: boolean }) => void

/** The entries of the feed, or of one person's feed: loads older pages and receives new entries live. */
function createFeedList(username: string | null) {
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
    through = Math.max(through, answer.data.through)
    const known = entries.value ?? []
    const isGap = known.length === 0 || (items.at(-1)?.id ?? 0) > (known[0]?.id ?? 0)
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

  /** Adds new entries to the list until the returned function is called. */
  function follow(onEntries: OnEntries): () => void {
    return liveFeed.listen(through, (newEntries, about) => {
      through = Math.max(through, newEntries.at(-1)?.id ?? 0)
      const ours = newEntries.filter((one) => username === null || involves(one, username))
      if (ours.length === 0) return
      entries.value = mergeById(ours, entries.value ?? [])
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
          ...(username !== null && { username }),
          ...(before !== undefined && { before: String(before) }),
        },
      }),
    )

  return { entries, next, failure, loadFirst, load, older, follow, retry: () => retry() }
}

/** Without duplicates, newest first. */
const mergeById = (some: readonly Recognition[], others: readonly Recognition[]): readonly Recognition[] =>
  [...new Map([...others, ...some].map((one) => [one.id, one])).values()].toSorted((one, other) => other.id - one.id)

const involves = (one: Recognition, username: string) => one.from_username === username || one.to_username === username

/** How many lists of single persons stay in memory, besides the feed. */
const maxLists = 8

const lists = new Map<string | null, FeedList>()
onUserChange(() => lists.clear())

/**
 * The list of the feed (null) or of one person. It stays in memory, so that a screen shows its old state at once when
 * the reader returns.
 */
export function feedListOf(person: string | null): FeedList {
  const list = lists.get(person) ?? createFeedList(person)
  lists.delete(person)
  lists.set(person, list)
  const oldest = lists.keys().find((key) => key !== null)
  if (lists.size > maxLists && oldest !== undefined) lists.delete(oldest)
  return list
}
