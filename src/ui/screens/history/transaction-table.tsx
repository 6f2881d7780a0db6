import { ArrowDown, ArrowUp } from "lucide"
import { useLocation } from "preact-iso"
import { personAddress } from "../../addresses.ts"
import { dayOf, formatClock, formatDayHeading, formatExact, formatShortDay, now, parseDate } from "../../dates.ts"
import { Avatar } from "../../parts/avatar.tsx"
import { Icon } from "../../parts/icon.tsx"
import { Skeleton } from "../../parts/skeleton.tsx"
import { me } from "../../session.ts"
import { formatNumber } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"
import { type OrderField, orderText, type Transaction, urlOf, type View } from "./view.ts"

/** Transactions in rows; ordered by date, they are grouped by the reader's days. */
export function TransactionTable({ view, items }: { view: View; items: readonly Transaction[] }) {
  const { history } = t()
  const isByDay = view.order.field === "date"
  return (
    <table class="mt-1 w-full table-fixed border-collapse text-start">
      <caption class="sr-only">{history.title}</caption>
      <thead>
        <tr>
          <SortHeader view={view} field="date" name={history.when} class={isByDay ? "w-[22%]" : "w-[26%]"} />
          <SortHeader view={view} field="from_user" name={history.from} />
          <SortHeader view={view} field="user" name={history.to} />
          <SortHeader view={view} field="value" name={history.points} class="w-[20%]" isNumber />
        </tr>
      </thead>
      {isByDay ? (
        daysOf(items).map(([first, ...others]) => (
          <tbody key={first.id}>
            <tr>
              <th scope="rowgroup" colSpan={4} class="pt-5 pb-1.5 text-start text-sm font-medium">
                {formatDayHeading(parseDate(first.date), now.value)}
              </th>
            </tr>
            {[first, ...others].map((entry) => (
              <TransactionRow key={entry.id} entry={entry} owner={view.username} hasDay={false} />
            ))}
          </tbody>
        ))
      ) : (
        <tbody>
          {items.map((entry) => (
            <TransactionRow key={entry.id} entry={entry} owner={view.username} hasDay />
          ))}
        </tbody>
      )}
    </table>
  )
}

type Day = [Transaction, ...Transaction[]]

function daysOf(items: readonly Transaction[]): Day[] {
  const days: Day[] = []
  for (const entry of items) {
    const day = days.at(-1)
    if (day && dayOf(parseDate(day[0].date)) === dayOf(parseDate(entry.date))) day.push(entry)
    else days.push([entry])
  }
  return days
}

const shapes = Array.from({ length: 10 }, (_, index) => index)

export function TransactionTableSkeleton() {
  return (
    <div class="mt-24">
      {shapes.map((index) => (
        <Skeleton key={index} class="mb-4 h-7 w-full" />
      ))}
    </div>
  )
}

interface TransactionRowProps {
  readonly entry: Transaction
  /** The owner of the history: received values get a plus, sent ones a minus. Null for everybody's history. */
  readonly owner: string | null
  /** Whether to show the day beside the time, where no heading has it. */
  readonly hasDay: boolean
}

function TransactionRow({ entry, owner, hasDay }: TransactionRowProps) {
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
      <a
        href={personAddress(username)}
        class="flex min-h-9 items-center gap-2.5 hover:underline pointer-coarse:min-h-11"
      >
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

function Value({ entry: { user, from_user, value }, owner }: Pick<TransactionRowProps, "entry" | "owner">) {
  const isIn = user === owner && from_user !== owner
  const isOut = from_user === owner && user !== owner
  return (
    <td class={`py-2 text-end font-medium tabular-nums ${isIn ? "text-primary" : ""}`}>
      {isIn ? "+" : isOut ? "−" : ""}
      {formatNumber(value)}
    </td>
  )
}

interface SortHeaderProps {
  readonly view: View
  readonly field: OrderField
  readonly name: string
  readonly class?: string
  readonly isNumber?: boolean
}

/** A column header that sorts by its column; a second click reverses the order. */
function SortHeader({ view: { order }, field, name, class: width = "", isNumber = false }: SortHeaderProps) {
  const { query } = useLocation()
  const isOrder = order.field === field
  const isDescending = isOrder ? !order.isDescending : beginsWithMost.has(field)
  const next = orderText({ field, isDescending })
  return (
    <th
      scope="col"
      class={`border-b border-line p-0 ${width}`}
      aria-sort={isOrder ? (order.isDescending ? "descending" : "ascending") : undefined}
    >
      <a
        href={urlOf(query, { order_by: next === usual ? undefined : next })}
        class={`flex min-h-9 items-center gap-1 text-xs font-medium hover:text-base-content pointer-coarse:min-h-11 ${isNumber ? "justify-end" : ""} ${isOrder ? "text-base-content" : "text-muted"}`}
      >
        {name}
        {isOrder && <Icon of={order.isDescending ? ArrowDown : ArrowUp} class="size-3.5 print:hidden" />}
      </a>
    </th>
  )
}

const beginsWithMost: ReadonlySet<OrderField> = new Set(["date", "value"])
const usual = "-date"
