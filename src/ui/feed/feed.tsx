import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useEffect, useId, useLayoutEffect, useMemo, useRef } from "preact/hooks"
import { fill } from "../../languages/writing.ts"
import { addresses, withQuery } from "../addresses.ts"
import { dayOf, formatDayName, now, parseDate } from "../dates.tsx"
import { liveFeed, type Recognition } from "../live.ts"
import { ariaModifier, modifier } from "../palette/commands.ts"
import { Button, useAction } from "../parts/button.tsx"
import { LiveStatus } from "../parts/live-status.tsx"
import { Empty, LoadFailure, Skeleton } from "../parts/placeholders.tsx"
import { isFeedInView, isReceived } from "../received/unseen.ts"
import { useAutoRefresh } from "../server/query.ts"
import { retryNow, useRetry } from "../server/retry.ts"
import { isMe, me } from "../session.ts"
import { formatNames, formatPlural, formatPoints } from "../texts/format.ts"
import { t } from "../texts/texts.ts"
import {
  matchFeed,
  outbox,
  type PendingTransfer,
  removeRecorded,
  removeTransfer,
  undoTransfer,
} from "../transfer/outbox.ts"
import { departmentOf, peopleOf } from "../transfer/transfer.ts"
import { type FeedFilter, isFiltered } from "./feed-filter.ts"
import { amountsShown, type FeedList, feedListOf } from "./feed-list.ts"
import { type FeedEntry, feedEntryOf, RecognitionEntry } from "./recognition.tsx"
import { shownFeed } from "./shown.ts"

interface FeedProps {
  /** Shows only the recognitions that it selects. */
  readonly filter?: FeedFilter
  /** Shown beside the heading; what fills a line, under it. */
  readonly controls?: ComponentChildren
  /** Shown when there are no entries. */
  readonly empty?: ComponentChildren
}

/** The live recognition feed: pending transfers first, then the newest recognitions, grouped by the reader's days. */
export function Feed({ filter = {}, controls, empty }: FeedProps) {
  const list = useMemo(() => feedListOf(filter), [JSON.stringify(filter), amountsShown.value])
  const { username } = filter
  const isWhole = !isFiltered(filter)
  const newest = useSignal<readonly Recognition[]>([])
  const id = useId()
  const pending = usePendingTransfers(username, list).filter(
    ({ state }) => isWhole || username !== undefined || state.kind === "held",
  )
  const { entries } = list

  useLayoutEffect(() => {
    void list.loadFirst()
  }, [list])
  useRetry(list.failure.value, list.retry)
  useLayoutEffect(() => {
    if (entries.value !== null) matchFeed(entries.value)
  }, [list, entries.value === null])
  useEffect(() => {
    if (entries.value === null) return
    return list.follow((newEntries, { missed }) => {
      newest.value = missed ? [] : newEntries
      matchFeed(newEntries)
    })
  }, [list, entries.value === null])
  useEffect(() => {
    if (isWhole) shownFeed.value = entries.value
  }, [isWhole, entries.value])
  const root = useRef<HTMLElement>(null)
  useAutoRefresh(async () => {
    const newestShown = newestOnScreen(root.current)
    if (newestShown !== null) await list.refreshFrom(newestShown)
  })
  const top = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isWhole && entries.value !== null) return observeTop(top.current)
  }, [isWhole, entries.value === null])

  const isEmpty = entries.value?.length === 0 && pending.length === 0
  const newIds = new Set(newest.value.map((one) => String(one.id)))
  return (
    <section ref={root} aria-labelledby={id}>
      <div class="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h2 id={id} class="text-lg font-semibold tracking-tight">
          {t().feed.title}
        </h2>
        <LiveStatus of={liveFeed} />
        {controls}
      </div>
      <Announcement of={newest.value.filter((one) => !isReceived(one))} />
      <div ref={top} />
      {entries.value === null && list.failure.value !== null && (
        <LoadFailure failure={list.failure.value} onRetry={list.retry} />
      )}
      {entries.value === null && list.failure.value === null && <FeedSkeleton />}
      {isEmpty && !isWhole && username === undefined && <Empty drawing="search">{t().feed.noneFits}</Empty>}
      {isEmpty && (isWhole || username !== undefined) && (empty ?? <Empty drawing="thanks">{t().feed.empty}</Empty>)}
      {entries.value !== null && (
        <Days
          entries={entries.value.map(feedEntryOf)}
          isNew={({ key }) => newIds.has(key)}
          pending={pending.length > 0 && <PendingTransfers transfers={pending} />}
        />
      )}
      <OlderPages of={list} />
    </section>
  )
}

/** The id of the newest entry that is on the screen; null if none is. */
function newestOnScreen(list: HTMLElement | null): number | null {
  for (const entry of list?.querySelectorAll<HTMLElement>("[data-id]") ?? []) {
    const { top, bottom } = entry.getBoundingClientRect()
    if (bottom > 0 && top < innerHeight) return Number(entry.dataset.id)
  }
  return null
}

/** The feed is in view if it begins this far above the bottom of the window, where phones have the navigation. */
const shownPx = 120

/** Points received count as seen while the top of the feed is on the screen. */
function observeTop(beginning: HTMLElement | null): (() => void) | undefined {
  if (beginning === null) return
  const observer = new IntersectionObserver(
    (changes) => {
      isFeedInView.value = changes.at(-1)?.isIntersecting ?? false
    },
    { rootMargin: `0px 0px -${shownPx}px` },
  )
  observer.observe(beginning)
  return () => {
    observer.disconnect()
    isFeedInView.value = false
  }
}

interface DaysProps {
  /** Newest first. */
  readonly entries: readonly FeedEntry[]
  /** Whether the entry arrived while the reader was looking. */
  readonly isNew?: (entry: FeedEntry) => boolean
  /** Pending transfers, shown above all other entries of today. */
  readonly pending?: ComponentChildren
}

/** Entries under headings of the reader's days. */
function Days({ entries, isNew, pending }: DaysProps) {
  const days = groupByDay(entries, pending ? dayOf(now.value) : null)
  return days.map(({ day, ms, entries }, index) => (
    <section key={day} class="mt-5 first:mt-2">
      <h3 class="text-sm font-medium text-muted">{formatDayName(ms, now.value)}</h3>
      <ol class="divide-y divide-line">
        {index === 0 && pending}
        {entries.map((entry) => (
          <li key={entry.key} data-id={entry.date === null ? undefined : entry.key}>
            <RecognitionEntry of={entry} isNew={isNew?.(entry) ?? false} />
          </li>
        ))}
      </ol>
    </section>
  ))
}

interface Day {
  readonly day: string
  readonly ms: number
  readonly entries: FeedEntry[]
}

function groupByDay(entries: readonly FeedEntry[], today: string | null): Day[] {
  const days: Day[] = today === null ? [] : [{ day: today, ms: now.value, entries: [] }]
  for (const entry of entries) {
    const ms = entry.date === null ? now.value : parseDate(entry.date)
    const last = days.at(-1)
    if (last?.day === dayOf(ms)) last.entries.push(entry)
    else days.push({ day: dayOf(ms), ms, entries: [entry] })
  }
  return days
}

/** The button that loads older entries, or the end of the feed. */
function OlderPages({ of: { entries, next, failure, older, retry } }: { of: FeedList }) {
  const { busy, run } = useAction(older)
  if (entries.value === null || entries.value.length === 0) return null
  if (failure.value !== null) return <LoadFailure failure={failure.value} onRetry={retry} />
  if (next.value === null) return <p class="py-8 text-center text-sm text-muted">{t().feed.end}</p>
  return (
    <div class="grid justify-items-center py-6">
      <Button look="plain" busy={busy.value} onClick={run}>
        {t().feed.older}
      </Button>
    </div>
  )
}

/** Announces new entries to screen readers: a single one with its names, several as a number. */
function Announcement({ of }: { of: readonly Recognition[] }) {
  return (
    <p role="status" class="sr-only">
      {of.length > 0 && announcementOf(of)}
    </p>
  )
}

function announcementOf(newEntries: readonly Recognition[]): string {
  const [one, another] = newEntries
  if (one === undefined || another !== undefined) return formatPlural(newEntries.length, t().feed.manyNews)
  const isOwn = one.from_username === me.peek()?.username
  return fill(one.value === null ? t().feed.newsWithoutPoints : t().feed.news, {
    from: isOwn ? t().feed.you : one.from_name,
    to: formatNames(one.receivers.map(({ name }) => name)),
    points: formatPoints(one.value ?? 0),
  })
}

function FeedSkeleton() {
  return (
    <div class="mt-2">
      <Skeleton class="my-0.5 h-4 w-16" />
      {["w-3/5", "w-4/5", "w-2/5", "w-3/5"].map((width, index) => (
        <div key={index} class="grid grid-cols-[auto_1fr_auto] gap-x-3.5 py-3">
          <Skeleton class="size-12 rounded-full" />
          <div class="grid min-w-0 content-start gap-2.5 pt-1">
            <Skeleton class="h-4 w-48 max-w-full" />
            <Skeleton class={`h-5 ${width}`} />
          </div>
          <Skeleton class="mt-1 h-5 w-8" />
        </div>
      ))}
    </div>
  )
}

/** How long to wait for the live feed to show a recorded transfer before the feed is loaded again. */
const feedTimeoutMs = 800

/** The user's pending transfers for this feed: all of them, or those that involve one person. */
function usePendingTransfers(username: string | undefined, list: FeedList): readonly PendingTransfer[] {
  const transfers = ownTransfers(username)
  const recordedCount = transfers.filter(({ state }) => state.kind === "recorded").length
  useLayoutEffect(() => {
    if (recordedCount === 0) return
    const timer = setTimeout(() => void refreshFeed(list), feedTimeoutMs)
    return () => clearTimeout(timer)
  }, [recordedCount, list])
  return transfers
}

async function refreshFeed(list: FeedList) {
  await list.load()
  if (list.failure.value === null) removeRecorded()
}

/** The user's pending transfers, or those that involve one person. */
export const ownTransfers = (username: string | undefined): readonly PendingTransfer[] =>
  outbox.value.filter(
    (pending) => isMe(pending.username) && !pending.isInFeed && (username === undefined || involves(pending, username)),
  )

export function PendingTransfers({ transfers }: { transfers: readonly PendingTransfer[] }) {
  return transfers.map((pending) => (
    <li key={pending.key} class="enters">
      <RecognitionEntry of={pendingEntryOf(pending)} state={<StateLine of={pending} />} />
    </li>
  ))
}

function StateLine({ of: pending }: { of: PendingTransfer }) {
  const { give } = t()
  if (pending.state.kind === "held") return <Held pending={pending} />
  if (pending.state.kind === "sending") return <span>{give.sending}</span>
  const isExpired = pending.state.kind === "expired"
  return (
    <span role="alert" class="flex flex-wrap gap-x-3 gap-y-1 text-sm text-warning">
      {isExpired ? give.expired : give.unknown}
      <a href={historyOf(pending)} class="link pointer-coarse:py-3">
        {give.lookUp}
      </a>
      <button
        type="button"
        class="link pointer-coarse:py-3"
        onClick={isExpired ? () => removeTransfer(pending) : retryNow}
      >
        {isExpired ? give.forget : give.tryAgain}
      </button>
    </span>
  )
}

/** A transfer that is not sent yet, with a button and a key that take it back into the box. */
function Held({ pending }: { pending: PendingTransfer }) {
  const { give } = t()
  const undo = () => {
    undoTransfer(pending)
    requestAnimationFrame(() => document.querySelector<HTMLElement>("#give input, #give > button")?.focus())
  }
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { target, key, ctrlKey, metaKey, shiftKey } = event
      const isTyping = target instanceof HTMLElement && "value" in target && target.value !== ""
      if (key.toLowerCase() !== "z" || !(ctrlKey || metaKey) || shiftKey || isTyping) return
      event.preventDefault()
      undo()
    }
    document.addEventListener("keydown", onKey)
    return () => document.removeEventListener("keydown", onKey)
  }, [pending.key])
  return (
    <span class="flex items-center gap-3">
      <span role="status">{give.held}</span>
      <button
        type="button"
        class="link font-medium text-primary pointer-coarse:py-3"
        aria-keyshortcuts={`${ariaModifier}+Z`}
        title={`${modifier} Z`}
        onClick={undo}
      >
        {give.undo}
      </button>
      <span class="h-1 w-16 overflow-hidden rounded-full bg-base-300" aria-hidden="true">
        <span class="runs-out block h-full bg-primary" />
      </span>
    </span>
  )
}

/** The history that would show the transfer: filtered by sender and, if there is only one, by receiver. */
function historyOf({ transfer, username }: PendingTransfer): string {
  const [one, another] = transfer.to
  const receiver = one?.kind === "person" && another === undefined ? one.username : undefined
  return withQuery(addresses.history, { from_user: username, user: receiver })
}

function pendingEntryOf({ key, transfer, username, state }: PendingTransfer): FeedEntry {
  const department = departmentOf(transfer)
  return {
    ...transfer,
    key,
    recognition: null,
    from: { username, name: me.value?.name ?? "", avatar: me.value?.avatar ?? null },
    to: peopleOf(transfer).map((person) => ({ ...person, reversed: 0, taken_back: false })),
    ...(department !== null && { dept: department.name }),
    reason: transfer.reason === "" ? null : transfer.reason,
    date: state.kind === "recorded" ? state.date : null,
  }
}

const involves = ({ transfer, username }: PendingTransfer, person: string): boolean =>
  username === person || peopleOf(transfer).some((one) => one.username === person)
