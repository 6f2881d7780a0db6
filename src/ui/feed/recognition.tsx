import { useSignal } from "@preact/signals"
import { Lock } from "lucide"
import type { ComponentChildren } from "preact"
import { personAddress, recognitionAddress } from "../addresses.ts"
import { formatClock, formatExact, formatRelative, hourMs, now, parseDate } from "../dates.tsx"
import type { Recognition } from "../live.ts"
import { Avatar } from "../parts/avatar.tsx"
import { Icon } from "../parts/icon.tsx"
import { me } from "../session.ts"
import { fill, formatNumber, formatPlural, formatPoints, maxNames, perLocale } from "../texts/format.ts"
import { t } from "../texts/texts.ts"
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

/** One recognition: sender, receivers, points and reason. */
export function RecognitionEntry({ of, isNew = false, isOpen = false, state }: EntryProps) {
  const { recognition, from, to, dept, value, reason, tags, isPrivate, date } = of
  const reversed = to.reduce((sum, one) => sum + one.reversed, 0)
  const isTakenBack = reversed > 0 && reversed === value * to.length
  const own = me.value?.username
  const isReceived = from.username !== own && to.some(({ username }) => username === own)
  return (
    <article
      class={`grid grid-cols-[auto_1fr_auto] gap-x-3.5 py-4 ${isReceived ? "-mx-3 rounded-box bg-warm/7 px-3" : ""}`}
      data-received={isReceived}
    >
      <Avatar {...from} src={from.avatar} />
      <div class="grid min-w-0 content-center gap-1.5">
        <p>
          <PersonName of={from} you={t().feed.youFrom} /> <span class="text-muted">{t().feed.to}</span>{" "}
          {dept === undefined ? (
            <Receivers of={to} value={value} />
          ) : (
            <ToDepartment dept={dept} to={to} value={value} />
          )}
        </p>
        {to.length > 1 && <Faces of={to} />}
        {reason !== null && (
          <p dir="auto" class="whitespace-pre-line">
            {reason}
          </p>
        )}
        <p class="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-muted">
          {date === null ? state : <TimeOfDay date={date} id={recognition?.id ?? null} />}
          {reversed > 0 && (
            <span>
              {isTakenBack ? t().feed.reversedWhole : fill(t().feed.reversed, { points: formatPoints(reversed) })}
            </span>
          )}
          {isPrivate && <PrivateNote hasReason={reason !== null} />}
          {tags.map((tag) => (
            <span key={tag} dir="auto">
              {`#${tag}`}
            </span>
          ))}
        </p>
      </div>
      <p
        class={`font-semibold tabular-nums ${isTakenBack ? "line-through" : ""} ${date === null ? "text-muted" : isReceived ? "text-warm" : "text-primary"} ${isNew ? "arrives" : ""}`}
        title={formatPoints(value)}
      >
        <span aria-hidden="true">+{formatNumber(value)}</span>
        <span class="sr-only">{formatPoints(value)}</span>
        {(to.length > 1 || dept !== undefined) && (
          <span class="block text-end text-xs font-normal text-muted">{t().feed.each}</span>
        )}
      </p>
      {recognition !== null && <Responses to={recognition} isOpen={isOpen} />}
    </article>
  )
}

/**
 * The time of day, because a heading shows the day; in the first hour also how long ago. It links to the recognition if
 * there is an id.
 */
function TimeOfDay({ date, id }: { date: string; id: number | null }) {
  const ms = parseDate(date)
  const time = (
    <time dateTime={new Date(ms).toISOString()} title={formatExact(ms)}>
      {formatClock(ms)}
      {now.value - ms < hourMs && ` · ${formatRelative(ms, now.value)}`}
    </time>
  )
  if (id === null) return time
  return (
    <a href={recognitionAddress(id)} class="hover:underline">
      {time}
    </a>
  )
}

function ToDepartment({ dept, to, value }: Pick<FeedEntry, "to" | "value"> & { readonly dept: string }) {
  return (
    <>
      {to.length > 0 && (
        <>
          <Receivers of={to} value={value} /> +{" "}
        </>
      )}
      <b dir="auto" class="font-semibold">
        {dept}
      </b>
    </>
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

/** As many faces as fit beside each other on a phone. */
const maxFaces = 8

/** The faces of the receivers, each over a bit of the one before. Their names are beside them. */
function Faces({ of }: { of: readonly Participant[] }) {
  return (
    <p class="flex -space-x-1.5 rtl:space-x-reverse" data-faces={of.length}>
      {of.slice(0, maxFaces).map((person) => (
        <span key={person.username} class="rounded-full ring-2 ring-base-100">
          <Avatar {...person} src={person.avatar} size="small" />
        </span>
      ))}
    </p>
  )
}

const lists = perLocale((tag) => new Intl.ListFormat(tag))

interface ReceiversProps {
  readonly of: readonly ThankedPerson[]
  /** Points for each. */
  readonly value: number
}

/**
 * The receivers as a list in the page's language, with links, the reader first. Names of those from whom everything was taken
 * back are struck through. A long list is cut; a button shows the rest.
 */
function Receivers({ of, value }: ReceiversProps) {
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
        <span key={person.username} class={all.length > 1 && person.reversed === value ? "line-through" : ""}>
          <PersonName of={person} you={t().feed.youTo} />
        </span>
      )
    return (
      <button key={index} type="button" class="link link-hover text-muted" onClick={() => (showsAll.value = true)}>
        {more}
      </button>
    )
  })
}

/** A name that links to the person; `you` replaces the name of the current user. */
function PersonName({ of: { username, name }, you }: { of: Pick<Participant, "username" | "name">; you: string }) {
  return (
    <a href={personAddress(username)} dir="auto" class="font-semibold hover:underline">
      {username === me.value?.username ? you : name}
    </a>
  )
}

/** A person in a feed entry. */
export interface Participant {
  readonly username: string
  readonly name: string
  readonly avatar: string | null
}

/** A receiver, and the points that were taken back from them. */
interface ThankedPerson extends Participant {
  readonly reversed: number
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
  /** Points for each receiver. */
  readonly value: number
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
