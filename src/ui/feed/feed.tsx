import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useEffect, useId, useLayoutEffect, useMemo, useRef } from "preact/hooks"
import { dayOf, formatDayName, now, parseDate } from "../dates.ts"
import { liveFeed, type Recognition } from "../live.ts"
import { Button, useAct } from "../parts/button.tsx"
import { LiveSign } from "../parts/live-status.tsx"
import { Unloaded } from "../parts/load-failure.tsx"
import { Skeleton } from "../parts/skeleton.tsx"
import { isFeedInView, isReceived } from "../received.tsx"
import { useAgain } from "../server/retry.ts"
import { me } from "../session.ts"
import { fill, formatPlural, formatPoints } from "../texts/format.ts"
import { t } from "../texts/texts.ts"
import { acknowledge } from "../transfer/outbox.ts"
import { OnTheWay, useOnTheWay } from "../transfer/pending-transfers.tsx"
import { type FeedList, listOf } from "./feed-list.ts"
import { Entry } from "./recognition.tsx"
import { type Thanks, thanksOf } from "./recognition-groups.ts"

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

interface DaysProps {
  /** The newest first. */
  readonly entries: readonly Thanks[]
  /** Of those that came while one looked. */
  readonly isNew?: (entry: Thanks) => boolean
  /** What is on its way, before everything else of today. */
  readonly onTheWay?: ComponentChildren
}

/** Entries under the reader's own days. */
export function Days({ entries, isNew, onTheWay }: DaysProps) {
  const days = byDay(entries, onTheWay ? dayOf(now.value) : null)
  return days.map(({ day, ms, entries }, index) => (
    <section key={day} class="mt-6 first:mt-4">
      <h3 class="text-sm font-medium text-muted">{formatDayName(ms, now.value)}</h3>
      <ol class="divide-y divide-line">
        {index === 0 && onTheWay}
        {entries.map((entry) => (
          <li key={entry.key}>
            <Entry of={entry} isNew={isNew?.(entry) ?? false} />
          </li>
        ))}
      </ol>
    </section>
  ))
}

interface Day {
  readonly day: string
  readonly ms: number
  readonly entries: Thanks[]
}

function byDay(entries: readonly Thanks[], today: string | null): Day[] {
  const days: Day[] = today === null ? [] : [{ day: today, ms: now.value, entries: [] }]
  for (const entry of entries) {
    const ms = entry.date === null ? now.value : parseDate(entry.date)
    const last = days.at(-1)
    if (last?.day === dayOf(ms)) last.entries.push(entry)
    else days.push({ day: dayOf(ms), ms, entries: [entry] })
  }
  return days
}

/** The way into the past, and its end. */
export function Older({ of: { entries, next, failure, older, again } }: { of: FeedList }) {
  const { busy, run } = useAct(older)
  if (entries.value === null || entries.value.length === 0) return null
  if (failure.value !== null) return <Unloaded failure={failure.value} onRetry={again} />
  if (next.value === null) return <p class="py-8 text-center text-sm text-muted">{t().feed.end}</p>
  return (
    <div class="grid justify-items-center py-6">
      <Button look="plain" busy={busy.value} onClick={run}>
        {t().feed.older}
      </Button>
    </div>
  )
}

/** What just came, for those who hear the page: one by its names, several by their number. */
export function Announcement({ of }: { of: readonly Recognition[] }) {
  return (
    <p role="status" class="sr-only">
      {of.length > 0 && wordsFor(of)}
    </p>
  )
}

function wordsFor(news: readonly Recognition[]): string {
  const [one, another] = news
  if (one === undefined || another !== undefined) return formatPlural(news.length, t().feed.manyNews)
  const isOwn = one.from_username === me.peek()?.username
  return fill(t().feed.news, {
    from: isOwn ? t().feed.youFrom : one.from_name,
    to: one.to_name,
    points: formatPoints(one.value),
  })
}

/** The shape of a first page. */
export function FeedSkeleton() {
  return (
    <div class="mt-4">
      <Skeleton class="my-0.5 h-4 w-16" />
      {["w-3/5", "w-4/5", "w-2/5", "w-3/5"].map((width, index) => (
        <div key={index} class="grid grid-cols-[auto_1fr_auto] gap-x-3.5 py-4">
          <Skeleton class="size-10 rounded-full" />
          <div class="grid min-w-0 content-start gap-2.5 pt-1">
            <Skeleton class="h-4 w-48 max-w-full" />
            <Skeleton class={`h-4 ${width}`} />
          </div>
          <Skeleton class="mt-1 h-4 w-8" />
        </div>
      ))}
    </div>
  )
}
