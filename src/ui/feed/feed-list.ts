import { signal } from "@preact/signals"
import { liveFeed, type Recognition } from "../live.ts"
import { api } from "../server/api.ts"
import { type Failure, request } from "../server/request.ts"
import { onUserChange } from "../session.ts"

/** Of one page: more than a screen has room for, and drawn at once. */
const pageSize = 20
/** A page that stays open for weeks keeps so many, unless somebody went back further. */
const maxEntries = 200

export type FeedList = ReturnType<typeof createFeedList>

/** What happened while somebody looked; `missed`: before that, while the line was down. */
type OnNews = (entries: readonly Recognition[], about: { readonly missed: boolean }) => void

/** The feed, or what one person takes part in: page by page into the past, and what comes by itself. */
export function createFeedList(username: string | null) {
  /** The newest first; null until they are known. */
  const entries = signal<readonly Recognition[] | null>(null)
  /** The parameter `before` of the next page; null at the end. */
  const next = signal<number | null>(null)
  /** Why the first page, or the next one, is not there. */
  const failure = signal<Failure | null>(null)
  let maxKept = maxEntries
  /** Id through which the list knows everything, also what it does not show. */
  let through = 0

  let loading: Promise<void> | null = null
  /** What was asked last. */
  let retry = load

  /** Sees to the first page, if it is not there. Whoever asks while it is on its way waits for the same. */
  async function loadFirst() {
    if (entries.value !== null) return
    loading ??= load().finally(() => {
      loading = null
    })
    await loading
  }

  /** The newest page: begins the list, or brings it up to date. */
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

  /** Takes in what comes by itself until the returned function is called. */
  function follow(onNews: OnNews): () => void {
    return liveFeed.listen(through, (news, about) => {
      through = Math.max(through, news.at(-1)?.id ?? 0)
      const ours = news.filter((one) => username === null || involves(one, username))
      if (ours.length === 0) return
      entries.value = mergeById(ours, entries.value ?? [])
      trim()
      onNews(ours, about)
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

/** Each once, the newest first. */
const mergeById = (some: readonly Recognition[], others: readonly Recognition[]): readonly Recognition[] =>
  [...new Map([...others, ...some].map((one) => [one.id, one])).values()].toSorted((one, other) => other.id - one.id)

const involves = (one: Recognition, username: string) => one.from_username === username || one.to_username === username

/** So many persons' lists are kept beside the feed. */
const maxLists = 8

const lists = new Map<string | null, FeedList>()
onUserChange(() => lists.clear())

/** The feed, or what one person takes part in: whoever comes back to a screen finds it as it was. */
export function feedListOf(person: string | null): FeedList {
  const list = lists.get(person) ?? createFeedList(person)
  lists.delete(person)
  lists.set(person, list)
  const oldest = lists.keys().find((key) => key !== null)
  if (lists.size > maxLists && oldest !== undefined) lists.delete(oldest)
  return list
}
