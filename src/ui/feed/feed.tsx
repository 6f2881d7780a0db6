import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useEffect, useId, useLayoutEffect, useMemo, useRef } from "preact/hooks"
import { OnTheWay, useOnTheWay } from "../give/on-the-way.tsx"
import { acknowledge } from "../give/outbox.ts"
import type { Recognition } from "../live/entry.ts"
import { liveFeed } from "../live/feed.ts"
import { LiveSign } from "../parts/live-sign.tsx"
import { Unloaded } from "../parts/unloaded.tsx"
import { isFeedInView, isReceived } from "../received/received.ts"
import { useAgain } from "../server/again.ts"
import { t } from "../texts/texts.ts"
import { Announcement } from "./announcement.tsx"
import { Days } from "./days.tsx"
import { FeedSkeleton } from "./feed-skeleton.tsx"
import { listOf } from "./lists.ts"
import { Older } from "./older.tsx"
import { thanksOf } from "./thanks.ts"

interface FeedProps {
  /** Only what this person takes part in. */
  readonly username?: string
  /** Stands in the place of entries where there are none. */
  readonly empty?: ComponentChildren
}

/** Who thanked whom, as it happens: what is on its way, then the newest first, under the reader's own days. */
export function Feed({ username, empty }: FeedProps) {
  const list = useMemo(() => listOf(username ?? null), [username])
  const latest = useSignal<readonly Recognition[]>([])
  const id = useId()
  const onTheWay = useOnTheWay(username, list)
  const { entries } = list

  useLayoutEffect(() => {
    void list.begin()
  }, [list])
  useAgain(list.failure.value, list.again)
  useLayoutEffect(() => {
    if (entries.value !== null) acknowledge(entries.value)
  }, [list, entries.value === null])
  useEffect(() => {
    if (entries.value === null) return
    return list.follow((news, { missed }) => {
      latest.value = missed ? [] : news
      acknowledge(news)
    })
  }, [list, entries.value === null])
  const beginning = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (username === undefined && entries.value !== null) return watchBeginning(beginning.current)
  }, [username, entries.value === null])

  const isEmpty = entries.value?.length === 0 && onTheWay.length === 0
  const newIds = new Set(latest.value.map((one) => String(one.id)))
  return (
    <section aria-labelledby={id}>
      <div class="flex items-baseline justify-between gap-4">
        <h2 id={id} class="text-lg font-semibold tracking-tight">
          {t().feed.title}
        </h2>
        <LiveSign of={liveFeed} />
      </div>
      <Announcement of={latest.value.filter((one) => !isReceived(one))} />
      <div ref={beginning} />
      {entries.value === null && list.failure.value !== null && (
        <Unloaded failure={list.failure.value} onRetry={list.again} />
      )}
      {entries.value === null && list.failure.value === null && <FeedSkeleton />}
      {isEmpty && (empty ?? <p class="py-6 text-muted">{t().feed.empty}</p>)}
      {entries.value !== null && (
        <Days
          entries={thanksOf(entries.value)}
          isNew={({ key }) => newIds.has(key)}
          onTheWay={onTheWay.length > 0 && <OnTheWay acts={onTheWay} />}
        />
      )}
      <Older of={list} />
    </section>
  )
}

/** So much of the first entry has to be above the bottom of the window, where a phone has the navigation. */
const shownPx = 120

/** What was received counts as seen while the feed's beginning is on the screen. */
function watchBeginning(beginning: HTMLElement | null): (() => void) | undefined {
  if (beginning === null) return
  const watching = new IntersectionObserver(
    (changes) => {
      isFeedInView.value = changes.at(-1)?.isIntersecting ?? false
    },
    { rootMargin: `0px 0px -${shownPx}px` },
  )
  watching.observe(beginning)
  return () => {
    watching.disconnect()
    isFeedInView.value = false
  }
}
