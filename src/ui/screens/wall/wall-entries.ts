import { computed, signal } from "@preact/signals"
import { useLayoutEffect, useState } from "preact/hooks"
import { cacheAdded } from "../../feed/additions.ts"
import { positionOf } from "../../feed/positions.ts"
import { createLive, type LiveState, liveFeed, type Recognition } from "../../live.ts"
import { api, request } from "../../server/api.ts"
import { loadSession, programme, service, session } from "../../session.ts"
import { namePoints } from "../../texts/texts.ts"

/** Where the wall gets its entries. */
interface Source {
  readonly live: { readonly state: { readonly value: LiveState } }
  /**
   * Calls `onEntries` with existing entries, then with new ones, until the returned function is called. `missed`: they
   * did not arrive live.
   */
  follow(onEntries: (entries: readonly WallEntry[], about: { readonly missed: boolean }) => void): () => void
}

/** As many entries as fit on the largest wall. */
const maxShown = 12
const retryMs = 3000
const refreshEveryMs = 30_000
/** How often a wall without a log-in asks what is different about the service by now. */
const serviceEveryMs = 60_000

/**
 * The stream that a setting or a wall key opens to anonymous viewers. Its frames contain only names and points, so they
 * only trigger the loading of the full entries.
 */
const publicStream = createLive<PublicFrame>({
  url: `${location.origin.replace(/^http/, "ws")}/transaction/ws?only=recognition`,
  initialQuery: "last=100", // more than are shown, because not all are recognitions
  hasHeartbeat: false,
})

/** Whether what the server last said of the wall had no amounts. */
const arePublicHidden = signal(false)

/** Whether the programme hides amounts, also of entries that arrived with theirs. */
export const areAmountsHidden = computed(() =>
  programme.value === null ? arePublicHidden.value : programme.value.amounts_shown === "concerned",
)

async function loadWall() {
  const answer = await request(api.api.v1.wall.get())
  if (answer.kind === "done") arePublicHidden.value = answer.data.items.some(({ value }) => value === null)
  return answer
}

/** Entries with pictures and reasons. If these fail to load, the frames of the stream serve as entries. */
const publicSource: Source = {
  live: publicStream,
  follow(onEntries) {
    let lastShown = 0
    let isFollowed = true
    const show = async (frames: readonly PublicFrame[], about: { readonly missed: boolean }) => {
      const answer = await loadWall()
      if (!isFollowed) return
      if (answer.kind === "done") for (const item of answer.data.items) cacheAdded(item)
      const found = answer.kind === "done" ? answer.data.items.toReversed().map(ofRecognition) : frames.map(ofFrame)
      const fresh = found.filter(({ id }) => positionOf(id) > lastShown)
      lastShown = Math.max(lastShown, ...fresh.map(({ id }) => positionOf(id)))
      if (fresh.length > 0) onEntries(fresh, about)
    }
    const leave = publicStream.listen(null, (frames, about) => void show(frames, about))
    // The frames do not tell of points that were added, nor of occasions without points.
    void show([], { missed: true })
    const timer = setInterval(() => void show([], { missed: false }), refreshEveryMs)
    return () => {
      isFollowed = false
      clearInterval(timer)
      leave()
    }
  },
}

/** The totals of the week and the address of the app, loaded again while they are shown. Null until loaded. */
export function useWeek(isShown: boolean) {
  const [week, setWeek] = useState<WallWeek | null>(null)
  useLayoutEffect(() => {
    if (!isShown) return
    let isWanted = true
    const load = async () => {
      const answer = await loadWall()
      if (isWanted && answer.kind === "done") setWeek(answer.data)
    }
    void load()
    const timer = setInterval(load, weekEveryMs)
    return () => {
      isWanted = false
      clearInterval(timer)
    }
  }, [isShown])
  return week
}

const weekEveryMs = 60_000

export type WallWeek = Pick<
  Extract<Awaited<ReturnType<typeof api.api.v1.wall.get>>, { error: null }>["data"],
  "week" | "url"
>

const memberSource: Source = {
  live: liveFeed,
  follow(onEntries) {
    let leave: (() => void) | null = () => clearTimeout(retry)
    let retry = 0
    const begin = async () => {
      const answer = await request(api.api.v1.feed.get({ query: { size: String(maxShown) } }))
      if (leave === null) return
      if (answer.kind !== "done") {
        retry = window.setTimeout(begin, retryMs)
        return
      }
      const { items } = answer.data
      onEntries(items.toReversed().map(ofRecognition), { missed: true })
      leave = liveFeed.listen(items[0]?.id ?? 0, (entries, about) => onEntries(entries.map(ofRecognition), about))
    }
    void begin()
    return () => {
      leave?.()
      leave = null
    }
  },
}

/**
 * The feed for members if they see all of it, or if the stream is not public; otherwise the public stream. Null until
 * known, or if a log-in is needed.
 */
export function useSource(): { readonly source: Source | null; readonly mustLogIn: boolean } {
  const [publicService, setPublicService] = useState<typeof service.value>(null)
  const now = session.value
  const open = service.value ?? publicService
  const isMember = service.value !== null // with a log-out, the wall asks what is left for everybody
  useLayoutEffect(() => {
    let retry = 0
    const load = async () => {
      if (session.peek().kind === "failed") await loadSession()
      if (service.peek() !== null) return
      const answer = await request(api.api.v1.service.get())
      if (answer.kind === "done") {
        setPublicService(answer.data)
        namePoints(answer.data.points_name)
      }
      const isIncomplete = answer.kind !== "done" || session.peek().kind === "failed"
      retry = window.setTimeout(load, isIncomplete ? retryMs : serviceEveryMs)
    }
    void load()
    return () => clearTimeout(retry)
  }, [isMember])

  if (open === null || now.kind === "unknown" || now.kind === "failed") return { source: null, mustLogIn: false }
  const isOpen = open.stream_access === "public"
  const seesAll = now.kind === "member" && (open.feed === "all" || now.me.role === "superuser")
  if (seesAll || (now.kind === "member" && !isOpen)) return { source: memberSource, mustLogIn: false }
  return { source: isOpen ? publicSource : null, mustLogIn: !isOpen }
}

/** How long a new entry stays in large type: the minimum, the time for each character of its reason, the maximum. */
const [paceMs, readMs, maxPaceMs] = [2000, 50, 12_000]
/** With more entries waiting, each stays only for the minimum time. */
const maxUnhurried = 5
/** With more entries waiting, the wall would lag behind, so it skips to the newest. */
const maxWaiting = 30

/** The entries on the wall, newest first; null until loaded. Entries of one batch appear one by one. */
export function usePacedEntries(source: Source | null): readonly WallEntry[] | null {
  const [shown, setShown] = useState<readonly WallEntry[] | null>(null)
  useLayoutEffect(() => {
    setShown(null)
    if (source === null) return
    let waiting: readonly WallEntry[] = []
    let isFirst = true
    let timer = 0
    const show = (entries: readonly WallEntry[]) =>
      setShown((before) => [...entries.toReversed(), ...(before ?? [])].slice(0, maxShown))
    const showNext = () => {
      const [next, ...rest] = waiting
      waiting = rest
      timer = next === undefined ? 0 : window.setTimeout(showNext, timeFor(next, rest.length))
      if (next) show([next])
    }
    const empty = window.setTimeout(() => setShown((before) => before ?? []), paceMs)
    const leave = source.follow((entries, { missed }) => {
      waiting = [...waiting, ...entries]
      if (isFirst || missed || waiting.length > maxWaiting) {
        isFirst = false
        show(waiting)
        waiting = []
      } else if (timer === 0) showNext()
    })
    return () => {
      leave()
      clearTimeout(timer)
      clearTimeout(empty)
    }
  }, [source])
  return shown
}

/** Long texts stay longer, unless many entries wait behind them. */
const timeFor = ({ reason }: WallEntry, waiting: number): number =>
  waiting > maxUnhurried ? paceMs : Math.min(paceMs + readMs * (reason?.length ?? 0), maxPaceMs)

interface Person {
  readonly name: string
  /** In entries of the public stream, which have no usernames: the name. */
  readonly username: string
  readonly avatar: string | null
}

/** A recognition as the wall shows it. */
export interface WallEntry {
  readonly id: number
  readonly date: string
  /** Null where the programme shows amounts only to those whom they concern. */
  readonly value: number | null
  readonly from: Person
  /** At least one. */
  readonly to: readonly Person[]
  readonly reason: string | null
  readonly tags: readonly string[]
  readonly added: Recognition["added"]
  /** What is celebrated; nobody gave such an entry. */
  readonly occasion: Recognition["occasion"]
}

/** A frame of the public stream with `?last=` or `?after=` (docs/interface/streams.md). */
interface PublicFrame {
  readonly id: number
  readonly date: string
  readonly value: number | null
  readonly from: string
  readonly to: string
  readonly receivers: readonly string[]
}

/** Leaves out private reasons, because everybody sees the wall, no matter which user is logged in there. */
const ofRecognition = (one: Recognition): WallEntry => ({
  id: one.id,
  date: one.date,
  value: one.value,
  from: { name: one.from_name, username: one.from_username, avatar: one.from_avatar },
  to: one.receivers,
  reason: one.private ? null : one.reason,
  tags: one.tags,
  added: one.added,
  occasion: one.occasion,
})

const ofFrame = ({ from, receivers, ...rest }: PublicFrame): WallEntry => ({
  ...rest,
  from: personNamed(from),
  to: receivers.map(personNamed),
  reason: null,
  tags: [],
  added: { value: 0, count: 0, own: false },
  occasion: null,
})

const personNamed = (name: string): Person => ({ name, username: name, avatar: null })
