import { useSignal } from "@preact/signals"
import { Lock } from "lucide"
import type { ComponentChildren } from "preact"
import { fill } from "../../languages/writing.ts"
import { personAddress, recognitionAddress } from "../addresses.ts"
import { formatClock, formatExact, formatRelative, hourMs, now, parseDate } from "../dates.tsx"
import type { Recognition } from "../live.ts"
import { Avatar } from "../parts/avatar.tsx"
import { Icon } from "../parts/icon.tsx"
import { me } from "../session.ts"
import { tagText } from "../tags.ts"
import { formatNumber, formatPlural, formatPoints, maxNames, perLocale } from "../texts/format.ts"
import { t } from "../texts/texts.ts"
import { Added } from "./added.tsx"
import { OccasionEntry } from "./occasion.tsx"
import { Responses } from "./responses.tsx"

interface EntryProps {
  readonly of: FeedEntry
  /** Arrived while the reader was looking: the points get a short animation. */
  readonly isNew?: boolean
  /** Whether its replies are shown from the beginning. */
  readonly isOpen?: boolean
  /** The state of a pending transfer, shown in place of the date. */
  readonly state?: ComponentChildren
}

/** One recognition: the receivers, what for, and from whom. */
export function RecognitionEntry({ of, isNew = false, isOpen = false, state }: EntryProps) {
  const { recognition, from, to, dept, value, reason, tags, isPrivate, date } = of
  const { feed } = t()
  /** Whether the mouse is over the entry. A finger opens the reactions with their button. */
  const isHovered = useSignal(false)
  const reversed = to.reduce((sum, one) => sum + (one.reversed ?? 0), 0)
  const isTakenBack = to.length > 0 && to.every((one) => one.taken_back)
  const own = me.value?.username
  const celebrated = recognition?.occasion
  if (celebrated && date !== null)
    return (
      <OccasionEntry
        of={recognition}
        kind={celebrated.kind}
        isOpen={isOpen}
        time={<TimeOfDay date={date} id={recognition.id} />}
      />
    )
  const isReceived = from.username !== own && to.some(({ username }) => username === own)
  return (
    <article
      class={`group relative grid grid-cols-[auto_minmax(0,1fr)_auto] gap-x-3.5 py-3 focus-within:z-10 hover:z-10 ${isReceived ? "-mx-3 rounded-box bg-warm/7 px-3" : ""}`}
      data-received={isReceived}
      onPointerEnter={({ pointerType }) => {
        isHovered.value = pointerType === "mouse"
      }}
      onPointerLeave={() => {
        isHovered.value = false
      }}
    >
      <Faces of={to} />
      <div class="grid min-w-0 content-center gap-0.5">
        <p class="text-sm text-muted">
          <span class="text-base text-base-content">
            <Receivers of={to} />
            {dept !== undefined && (
              <b dir="auto" class="font-semibold">
                {to.length > 0 && "+ "}
                {dept}
              </b>
            )}
          </span>{" "}
          {feed.from} <Avatar {...from} src={from.avatar} size="inline" />{" "}
          <PersonName of={from} you={feed.fromYou} class="text-base-content/85" />
          {date !== null && (
            <>
              {" · "}
              <TimeOfDay date={date} id={recognition?.id ?? null} />
            </>
          )}
        </p>
        {reason !== null && (
          <p dir="auto" class="text-lg leading-snug whitespace-pre-line">
            {reason}
          </p>
        )}
        <Responses to={recognition} isOpen={isOpen} isHovered={isHovered.value}>
          {date === null && state}
          {(reversed > 0 || isTakenBack) && (
            <span>{isTakenBack ? feed.reversedWhole : fill(feed.reversed, { points: formatPoints(reversed) })}</span>
          )}
          {recognition !== null && <Added to={recognition} />}
          {isPrivate && <PrivateNote hasReason={reason !== null} />}
          {tags.map((tag) => (
            <span key={tag} dir="auto">
              {tagText(tag)}
            </span>
          ))}
        </Responses>
      </div>
      {value !== null && (
        <p
          class={`text-lg font-semibold tabular-nums ${isTakenBack ? "line-through" : ""} ${date === null ? "text-muted" : isReceived ? "text-warm" : "text-primary"} ${isNew ? "arrives" : ""}`}
          title={formatPoints(value)}
        >
          <span aria-hidden="true">+{formatNumber(value)}</span>
          <span class="sr-only">{formatPoints(value)}</span>
          {(to.length > 1 || dept !== undefined) && (
            <span class="block text-end text-xs font-normal text-muted">{feed.each}</span>
          )}
        </p>
      )}
    </article>
  )
}

/**
 * How long ago in the first hour, then the time of day, because a heading shows the day. It links to the recognition if there
 * is an id.
 */
function TimeOfDay({ date, id }: { date: string; id: number | null }) {
  const ms = parseDate(date)
  const time = (
    <time class="whitespace-nowrap" dateTime={new Date(ms).toISOString()} title={formatExact(ms)}>
      {now.value - ms < hourMs ? formatRelative(ms, now.value) : formatClock(ms)}
    </time>
  )
  if (id === null) return time
  return (
    <a href={recognitionAddress(id)} class="hover:underline">
      {time}
    </a>
  )
}

function PrivateNote({ hasReason }: { hasReason: boolean }) {
  return (
    <span class="inline-flex items-center gap-1">
      <Icon of={Lock} class="size-3" />
      {hasReason ? t().feed.private : t().feed.hidden}
    </span>
  )
}

/** As many faces as a square has room for. */
const maxFaces = 4

/** The face of the receiver; of several, small ones in a square of the same size. The names are beside it. */
function Faces({ of }: { of: readonly Participant[] }) {
  const [first, another] = of
  if (first === undefined || another === undefined)
    return <span class="size-12">{first && <Avatar {...first} src={first.avatar} size="big" />}</span>
  const shown = of.length > maxFaces ? of.slice(0, maxFaces - 1) : of
  return (
    <span class="grid size-12 grid-cols-2 content-center gap-0.5" data-faces={of.length}>
      {shown.map((person) => (
        <Avatar key={person.username} {...person} src={person.avatar} size="quarter" />
      ))}
      {shown.length < of.length && (
        <span class="grid place-content-center text-xs text-muted tabular-nums" aria-hidden="true">
          +{formatNumber(of.length - shown.length)}
        </span>
      )}
    </span>
  )
}

const lists = perLocale((tag) => new Intl.ListFormat(tag))

/**
 * The receivers as a list in the page's language, with links, the reader first. Names of those from whom everything was taken
 * back are struck through. A long list is cut; a button shows the rest.
 */
function Receivers({ of }: { of: readonly ThankedPerson[] }) {
  const showsAll = useSignal(false)
  const own = me.value?.username
  const all = of.toSorted((one, other) => Number(other.username === own) - Number(one.username === own))
  const shown = showsAll.value || all.length <= maxNames + 1 ? all : all.slice(0, maxNames)
  const rest = all.length - shown.length
  const more = formatPlural(rest, t().feed.more)
  const parts = lists().formatToParts([...shown.map(({ username }) => username), ...(rest > 0 ? [more] : [])])
  const elements = parts.filter(({ type }) => type === "element")
  return parts.map((part, index) => {
    if (part.type === "literal") return part.value
    const person = shown[elements.indexOf(part)]
    if (person !== undefined)
      return (
        <span key={person.username} class={all.length > 1 && person.taken_back ? "line-through" : ""}>
          <PersonName of={person} you={t().feed.you} class="font-semibold" />
        </span>
      )
    return (
      <button key={index} type="button" class="link link-hover text-muted" onClick={() => (showsAll.value = true)}>
        {more}
      </button>
    )
  })
}

interface PersonNameProps {
  readonly of: Pick<Participant, "username" | "name">
  /** Replaces the name of the current user. */
  readonly you: string
  readonly class: string
}

/** A name that links to the person. */
function PersonName({ of: { username, name }, you, class: className }: PersonNameProps) {
  const isOwn = username === me.value?.username
  return (
    <a href={personAddress(username)} dir="auto" translate={isOwn} class={`hover:underline ${className}`}>
      {isOwn ? you : name}
    </a>
  )
}

/** A person in a feed entry. */
export interface Participant {
  readonly username: string
  readonly name: string
  readonly avatar: string | null
}

/** A receiver, and the points that were taken back from them; null where the reader may not see them. */
interface ThankedPerson extends Participant {
  readonly reversed: number | null
  /** Whether all were. */
  readonly taken_back: boolean
}

/** An entry of the feed. */
export interface FeedEntry {
  readonly key: string
  /** Null while the transfer is pending. */
  readonly recognition: Recognition | null
  readonly from: Participant
  readonly to: readonly ThankedPerson[]
  /** The department of a pending grant; its members are unknown until the server answers. */
  readonly dept?: string
  /** Points for each receiver; null where the reader may not see them. */
  readonly value: number | null
  readonly reason: string | null
  readonly tags: readonly string[]
  readonly isPrivate: boolean
  /** The server's date; null while the transfer is pending. */
  readonly date: string | null
}

export const feedEntryOf = (one: Recognition): FeedEntry => ({
  key: String(one.id),
  recognition: one,
  from: { username: one.from_username, name: one.from_name, avatar: one.from_avatar },
  to: one.receivers,
  value: one.value,
  reason: one.reason,
  tags: one.tags,
  isPrivate: one.private,
  date: one.date,
})
