import { useSignal } from "@preact/signals"
import { Lock } from "lucide"
import type { ComponentChildren } from "preact"
import { personAddress, recognitionAddress } from "../addresses.ts"
import { formatClock, formatExact, formatRelative, hourMs, now, parseDate } from "../dates.tsx"
import type { Recognition } from "../live.ts"
import { Avatar } from "../parts/avatar.tsx"
import { Icon } from "../parts/icon.tsx"
import { me } from "../session.ts"
import { fill, formatNumber, formatPlural, formatPoints, perLocale } from "../texts/format.ts"
import { t } from "../texts/texts.ts"
import { Responses } from "./responses.tsx"

interface EntryProps {
  readonly of: RecognitionGroup
  /** Arrived while the reader was looking: the points get a short animation. */
  readonly isNew?: boolean
  /** Whether its replies are shown from the beginning. */
  readonly isOpen?: boolean
  /** The state of a pending transfer, shown in place of the date. */
  readonly state?: ComponentChildren
}

/** One recognition: sender, receivers, points and reason. */
export function RecognitionEntry({ of, isNew = false, isOpen = false, state }: EntryProps) {
  const { single, from, to, dept, value, reason, tags, isPrivate, reversed, date } = of
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
          {dept === undefined ? <Receivers of={to} /> : <ToDepartment dept={dept} to={to} />}
        </p>
        {reason !== null && (
          <p dir="auto" class="whitespace-pre-line">
            {reason}
          </p>
        )}
        <p class="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-muted">
          {date === null ? state : <TimeOfDay date={date} id={single?.id ?? null} />}
          {reversed > 0 && (
            <span>
              {reversed === value
                ? t().feed.reversedWhole
                : fill(t().feed.reversed, { points: formatPoints(reversed) })}
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
        class={`font-semibold tabular-nums ${reversed === value ? "line-through" : ""} ${date === null ? "text-muted" : isReceived ? "text-warm" : "text-primary"} ${isNew ? "arrives" : ""}`}
        title={formatPoints(value)}
      >
        <span aria-hidden="true">+{formatNumber(value)}</span>
        <span class="sr-only">{formatPoints(value)}</span>
        {(to.length > 1 || dept !== undefined) && (
          <span class="block text-end text-xs font-normal text-muted">{t().feed.each}</span>
        )}
      </p>
      {single !== null && <Responses to={single} isOpen={isOpen} />}
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

function ToDepartment({ dept, to }: { dept: string; to: RecognitionGroup["to"] }) {
  return (
    <>
      {to.length > 0 && (
        <>
          <Receivers of={to} /> +{" "}
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

const lists = perLocale((tag) => new Intl.ListFormat(tag))

/** More names cannot be read at a glance. */
const maxNames = 3

/** The receivers as a list in the page's language, with links. A long list is cut; a button shows the rest. */
function Receivers({ of }: { of: readonly Participant[] }) {
  const showsAll = useSignal(false)
  const shown = showsAll.value || of.length <= maxNames + 1 ? of : of.slice(0, maxNames)
  const rest = of.length - shown.length
  const more = formatPlural(rest, t().feed.more)
  const parts = lists().formatToParts([...shown.map(({ username }) => username), ...(rest > 0 ? [more] : [])])
  const elements = parts.filter(({ type }) => type === "element")
  return parts.map((part, index) => {
    if (part.type === "literal") return part.value
    const person = shown[elements.indexOf(part)]
    if (person !== undefined) return <PersonName key={person.username} of={person} you={t().feed.youTo} />
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

/** One entry of the feed: a single recognition, or all recognitions of one grant. */
export interface RecognitionGroup {
  readonly key: string
  /** Null for several recognitions, and while the transfer is pending. */
  readonly single: Recognition | null
  readonly from: Participant
  readonly to: readonly Participant[]
  /** The department of a pending grant; its members are unknown until the server answers. */
  readonly dept?: string
  /** Points for each receiver. */
  readonly value: number
  readonly reason: string | null
  readonly tags: readonly string[]
  readonly isPrivate: boolean
  /** Points taken back from each receiver. */
  readonly reversed: number
  /** The server's date; null while the transfer is pending. */
  readonly date: string | null
}

/** Groups adjacent recognitions of one grant and keeps the order. */
export function groupRecognitions(recognitions: readonly Recognition[]): RecognitionGroup[] {
  const all: RecognitionGroup[] = []
  let before: Recognition | null = null
  for (const one of recognitions) {
    const last = all.at(-1)
    if (last !== undefined && before !== null && areSameGrant(before, one))
      all[all.length - 1] = { ...last, key: String(one.id), single: null, to: [receiverOf(one), ...last.to] }
    else all.push(groupOfOne(one))
    before = one
  }
  return all
}

/** All transactions of a grant are committed together and have the same date, to the millisecond. */
const areSameGrant = (one: Recognition, other: Recognition): boolean =>
  one.date === other.date &&
  one.from_username === other.from_username &&
  one.to_username !== other.to_username &&
  one.value === other.value &&
  one.reversed === other.reversed &&
  one.reason === other.reason &&
  one.tags.join() === other.tags.join()

const groupOfOne = (one: Recognition): RecognitionGroup => ({
  key: String(one.id),
  single: one,
  from: { username: one.from_username, name: one.from_name, avatar: one.from_avatar },
  to: [receiverOf(one)],
  value: one.value,
  reason: one.reason,
  tags: one.tags,
  isPrivate: one.private,
  reversed: one.reversed,
  date: one.date,
})

const receiverOf = (one: Recognition): Participant => ({
  username: one.to_username,
  name: one.to_name,
  avatar: one.to_avatar,
})
