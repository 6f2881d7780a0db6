import { type Signal, useSignal } from "@preact/signals"
import { ArrowDown, ArrowUp, ChevronDown, ChevronRight, Undo2 } from "lucide"
import { useLocation } from "preact-iso"
import { fill } from "../../../languages/writing.ts"
import { personAddress, recognitionAddress } from "../../addresses.ts"
import { dayOf, formatClock, formatDayHeading, formatExact, formatShortDay, now, parseDate } from "../../dates.tsx"
import { Avatar } from "../../parts/avatar.tsx"
import { Icon } from "../../parts/icon.tsx"
import { Skeleton } from "../../parts/placeholders.tsx"
import { me } from "../../session.ts"
import { tagText } from "../../tags.ts"
import { formatNumber, formatPlural, formatPoints } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"
import { ReversalDialog } from "./reversal-dialog.tsx"
import { type Entry, hasListFilter, type OrderField, orderText, urlOf, type View } from "./view.ts"

interface TransactionTableProps {
  readonly view: View
  readonly items: readonly Entry[]
  /** Called after points were taken back. */
  readonly onChange: () => void
}

/** Transactions in rows. If they are ordered by date, they are grouped by the reader's days. */
export function TransactionTable({ view, items, onChange }: TransactionTableProps) {
  const { history } = t()
  const isByDay = hasListFilter(view) || view.order.field === "date"
  const reversing = useSignal<Entry | null>(null)
  const close = () => {
    reversing.value = null
  }
  return (
    <>
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
          <Days view={view} items={items} reversing={reversing} />
        ) : (
          <tbody>
            {items.map((entry) => (
              <EntryRows key={entry.id} entry={entry} owner={view.username} hasDay reversing={reversing} />
            ))}
          </tbody>
        )}
      </table>
      {reversing.value !== null && (
        <ReversalDialog
          of={reversing.value}
          onClose={close}
          onDone={() => {
            close()
            onChange()
          }}
        />
      )}
    </>
  )
}

interface DaysProps extends Omit<TransactionTableProps, "onChange"> {
  /** The transaction that a superuser is about to reverse. */
  readonly reversing: Signal<Entry | null>
}

function Days({ view, items, reversing }: DaysProps) {
  return daysOf(items).map((entries) => (
    <tbody key={entries[0].id}>
      <tr>
        <th scope="rowgroup" colSpan={4} class="pt-5 pb-1.5 text-start text-sm font-medium">
          {formatDayHeading(parseDate(entries[0].date), now.value)}
        </th>
      </tr>
      {linesOf(entries, view).map((line) =>
        line.length > 1 ? (
          <FoldedRows key={line[0].id} entries={line} owner={view.username} reversing={reversing} />
        ) : (
          <EntryRows key={line[0].id} entry={line[0]} owner={view.username} hasDay={false} reversing={reversing} />
        ),
      )}
    </tbody>
  ))
}

/** What the server pays to many people at once: one line a day, unless somebody looks for this kind. */
const foldedKinds = ["allowance", "expiry"] as const
type FoldedKind = (typeof foldedKinds)[number]

const foldedKindOf = ({ kind }: Entry): FoldedKind | undefined => foldedKinds.find((one) => one === kind)

/** The entries of a line; more than one if they are folded, at the place of the newest. */
function linesOf(entries: Entries, view: View): Entries[] {
  const lines: Entries[] = []
  const folded = new Map<FoldedKind, Entries>()
  for (const entry of entries) {
    const kind = view.kind === null ? foldedKindOf(entry) : undefined
    const before = kind && folded.get(kind)
    if (before) before.push(entry)
    else {
      const line: Entries = [entry]
      lines.push(line)
      if (kind) folded.set(kind, line)
    }
  }
  return lines
}

interface FoldedRowsProps extends Pick<DaysProps, "reversing"> {
  readonly entries: Entries
  readonly owner: string | null
}

/** The payments of a day as one line, with a button that shows them. */
function FoldedRows({ entries, owner, reversing }: FoldedRowsProps) {
  const { history } = t()
  const isOpen = useSignal(false)
  const [newest] = entries
  const kind = foldedKindOf(newest) ?? "allowance"
  const ms = parseDate(newest.date)
  const sum = entries.reduce((total, { value }) => total + value, 0)
  return (
    <>
      <tr class="break-inside-avoid border-b border-line align-middle">
        <td class="py-2 pe-2 text-sm text-muted tabular-nums">
          <time dateTime={new Date(ms).toISOString()} title={formatExact(ms)}>
            {formatClock(ms)}
          </time>
        </td>
        <td colSpan={2} class="py-1 pe-2">
          <button
            type="button"
            class="flex min-h-9 w-full cursor-pointer items-center gap-2 text-start hover:underline pointer-coarse:min-h-11"
            aria-expanded={isOpen.value}
            onClick={() => {
              isOpen.value = !isOpen.value
            }}
          >
            <Icon of={isOpen.value ? ChevronDown : ChevronRight} class="size-4 text-muted rtl:-scale-x-100" />
            {formatPlural(entries.length, history.folded[kind])}
          </button>
        </td>
        <Value entry={{ ...newest, value: sum }} owner={owner} />
      </tr>
      {isOpen.value &&
        entries.map((entry) => (
          <EntryRows key={entry.id} entry={entry} owner={owner} hasDay={false} reversing={reversing} />
        ))}
    </>
  )
}

/** A transaction, and a line with its details if it has any. */
function EntryRows({ reversing, ...row }: Omit<TransactionRowProps, "hasDetails"> & Pick<DaysProps, "reversing">) {
  const hasLine = hasDetails(row.entry)
  return (
    <>
      <TransactionRow {...row} hasDetails={hasLine} />
      {hasLine && (
        <Details
          of={row.entry}
          onReverse={(entry) => {
            reversing.value = entry
          }}
        />
      )}
    </>
  )
}

type Entries = [Entry, ...Entry[]]

function daysOf(items: readonly Entry[]): Entries[] {
  const days: Entries[] = []
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

const canReverse = ({ kind, value, reversed }: Entry): boolean =>
  me.value?.role === "superuser" && value > reversed && ["transfer", "grant", "allowance", "occasion"].includes(kind)

const hasDetails = (one: Entry): boolean =>
  one.kind !== "transfer" ||
  one.reversed > 0 ||
  one.reason !== null ||
  one.private ||
  one.tags.length > 0 ||
  one.group !== null ||
  one.adds_to !== null ||
  canReverse(one)

/** A line below a transaction: its kind unless it is a transfer, reason and tags, and what was taken back. */
function Details({ of, onReverse }: { of: Entry; onReverse: (one: Entry) => void }) {
  const { history, feed } = t()
  const { kind, reason, tags, group, adds_to, reverses, reversed, value } = of
  const isWhole = reversed === value
  return (
    <tr class="break-inside-avoid border-b border-line text-sm text-muted">
      <td colSpan={4} class="pb-2">
        <div class="flex flex-wrap items-baseline gap-x-3 gap-y-0.5">
          {kind !== "transfer" && <span class="font-medium">{t().kinds[kind]}</span>}
          {reverses !== null && <span>{fill(history.reverses, { id: String(reverses) })}</span>}
          {reason !== null && (
            <span dir="auto" class="min-w-0 whitespace-pre-line">
              {reason}
            </span>
          )}
          {of.private && reason === null && <span>{feed.hidden}</span>}
          {group !== null && (
            <a href={recognitionAddress(group)} class="hover:underline">
              {history.together}
            </a>
          )}
          {adds_to !== null && (
            <a href={recognitionAddress(adds_to)} class="hover:underline">
              {history.addedTo}
            </a>
          )}
          {tags.map((tag) => (
            <span key={tag} dir="auto">
              {tagText(tag)}
            </span>
          ))}
          {reversed > 0 && (
            <span class="font-medium">
              {isWhole ? history.reversedWhole : fill(history.reversed, { points: formatPoints(reversed) })}
            </span>
          )}
          {canReverse(of) && (
            <button
              type="button"
              class="btn btn-ghost btn-xs ms-auto -me-2 font-normal print:hidden pointer-coarse:btn-sm"
              aria-label={fill(history.reverseOf, { points: formatPoints(value), name: of.to.name })}
              onClick={() => onReverse(of)}
            >
              <Icon of={Undo2} class="size-3.5" />
              {history.reverse}
            </button>
          )}
        </div>
      </td>
    </tr>
  )
}

interface TransactionRowProps {
  readonly entry: Entry
  /** The owner of the history: received values get a plus, sent ones a minus. Null for everybody's history. */
  readonly owner: string | null
  /** Whether to show the day beside the time, because no heading shows it. */
  readonly hasDay: boolean
  /** Whether a line with details follows. */
  readonly hasDetails: boolean
}

function TransactionRow({ entry, owner, hasDay, hasDetails }: TransactionRowProps) {
  const ms = parseDate(entry.date)
  return (
    <tr class={`break-inside-avoid align-middle ${hasDetails ? "" : "border-b border-line"}`}>
      <td class="py-2 pe-2 text-sm text-muted tabular-nums">
        <time dateTime={new Date(ms).toISOString()} title={formatExact(ms)}>
          {hasDay && <span class="me-1.5 inline-block text-base-content">{formatShortDay(ms, now.value)}</span>}
          <span class="inline-block">{formatClock(ms)}</span>
        </time>
      </td>
      <Person of={entry.from} />
      <Person of={entry.to} />
      <Value entry={entry} owner={owner} />
    </tr>
  )
}

function Person({ of: { username, name } }: { of: Entry["from"] }) {
  const isMe = username === me.value?.username
  return (
    <td class="py-1 pe-2">
      <a
        href={personAddress(username)}
        class="flex min-h-9 items-center gap-2.5 hover:underline pointer-coarse:min-h-11"
      >
        <span class="max-sm:hidden print:hidden">
          <Avatar name={name} username={username} src={null} size="small" />
        </span>
        <span dir="auto" class={isMe ? "text-muted" : ""}>
          {isMe ? t().history.you : name}
        </span>
      </a>
    </td>
  )
}

function Value({ entry: { from, to, value }, owner }: Pick<TransactionRowProps, "entry" | "owner">) {
  const isIn = to.username === owner && from.username !== owner
  const isOut = from.username === owner && to.username !== owner
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

/** A column header that sorts by its column; a second click reverses the order. A filtered list does not sort. */
function SortHeader({ view, field, name, class: width = "", isNumber = false }: SortHeaderProps) {
  const { query } = useLocation()
  const { order } = view
  if (hasListFilter(view))
    return (
      <th
        scope="col"
        class={`h-9 border-b border-line p-0 text-xs font-medium text-muted ${isNumber ? "text-end" : "text-start"} ${width}`}
      >
        {name}
      </th>
    )
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
        href={urlOf(query, { order_by: next === defaultOrder ? undefined : next })}
        class={`flex min-h-9 items-center gap-1 text-xs font-medium hover:text-base-content pointer-coarse:min-h-11 ${isNumber ? "justify-end" : ""} ${isOrder ? "text-base-content" : "text-muted"}`}
      >
        {name}
        {isOrder && <Icon of={order.isDescending ? ArrowDown : ArrowUp} class="size-3.5 print:hidden" />}
      </a>
    </th>
  )
}

const beginsWithMost: ReadonlySet<OrderField> = new Set(["date", "value"])
const defaultOrder = "-date"
