import { personAt } from "../../addresses.ts"
import { formatClock, formatExact, formatShortDay, parseDate } from "../../dates/dates.ts"
import { now } from "../../dates/now.ts"
import { Avatar } from "../../parts/avatar.tsx"
import { me } from "../../session.ts"
import { formatNumber } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"
import type { Entry } from "./use-history.ts"

interface EntryRowProps {
  readonly entry: Entry
  /** Whose history it is: what came is more, what went is less; null: everybody's. */
  readonly owner: string | null
  /** Whether the day stands beside the clock, when no heading says it. */
  readonly hasDay: boolean
}

export function EntryRow({ entry, owner, hasDay }: EntryRowProps) {
  const ms = parseDate(entry.date)
  return (
    <tr class="break-inside-avoid border-b border-line align-middle">
      <td class="py-2 pe-2 text-sm text-muted tabular-nums">
        <time dateTime={new Date(ms).toISOString()} title={formatExact(ms)}>
          {hasDay && <span class="me-1.5 inline-block text-base-content">{formatShortDay(ms, now.value)}</span>}
          <span class="inline-block">{formatClock(ms)}</span>
        </time>
      </td>
      <Person username={entry.from_user} />
      <Person username={entry.user} />
      <Value entry={entry} owner={owner} />
    </tr>
  )
}

function Person({ username }: { username: string }) {
  const isMe = username === me.value?.username
  return (
    <td class="py-1 pe-2">
      <a href={personAt(username)} class="flex min-h-9 items-center gap-2.5 hover:underline pointer-coarse:min-h-11">
        <span class="max-sm:hidden print:hidden">
          <Avatar name={username} username={username} src={null} size="small" />
        </span>
        <span dir="auto" class={isMe ? "text-muted" : ""}>
          {isMe ? t().history.you : username}
        </span>
      </a>
    </td>
  )
}

function Value({ entry: { user, from_user, value }, owner }: Pick<EntryRowProps, "entry" | "owner">) {
  const isIn = user === owner && from_user !== owner
  const isOut = from_user === owner && user !== owner
  return (
    <td class={`py-2 text-end font-medium tabular-nums ${isIn ? "text-primary" : ""}`}>
      {isIn ? "+" : isOut ? "−" : ""}
      {formatNumber(value)}
    </td>
  )
}
