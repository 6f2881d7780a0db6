import { ChevronLeft, ChevronRight, Download, Printer } from "lucide"
import type { ComponentChildren } from "preact"
import { useId, useLayoutEffect, useRef } from "preact/hooks"
import { useLocation } from "preact-iso"
import { fill } from "../../../languages/writing.ts"
import { addresses } from "../../addresses.ts"
import { formatLongDay, now } from "../../dates.tsx"
import { Icon } from "../../parts/icon.tsx"
import { Empty, type EmptyProps, LoadFailure } from "../../parts/placeholders.tsx"
import { prefetchName, useNameOf } from "../../people.ts"
import { type ScreenLocation, useTitle } from "../../screen.ts"
import { useAutoRefresh } from "../../server/query.ts"
import { type Me, me } from "../../session.ts"
import { formatNumber, formatPlural } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"
import { FoldedChart } from "./daily-chart.tsx"
import { Filters } from "./filters.tsx"
import { TransactionTable, TransactionTableSkeleton } from "./transaction-table.tsx"
import {
  csvUrl,
  daysRequest,
  type HistoryPage,
  hasListFilter,
  listRequest,
  noFilters,
  pageRequest,
  sizes,
  urlOf,
  useDays,
  useHistory,
  useList,
  type View,
  viewOf,
} from "./view.ts"

/** The history of transactions: the user's own; for superusers everybody's or any person's. */
export function History() {
  const member = me.value
  return member && <HistoryOf member={member} />
}

function HistoryOf({ member }: { member: Me }) {
  const { query } = useLocation()
  const view = viewOf(query, member)
  const { history } = t()
  const isOther = view.username !== null && view.username !== member.username
  const name = useNameOf(isOther ? view.username : null)
  const title = isOther && name !== null ? fill(history.titleOf, { name }) : history.title
  useTitle(view.page > 1 ? `${title}, ${fill(history.page, { page: formatNumber(view.page) })}` : title)
  return (
    <>
      <h1 dir="auto" class="text-xl font-semibold tracking-tight">
        {title}
      </h1>
      <p class="hidden print:block">{formatLongDay(now.value)}</p>
      <Filters view={view} />
      <FoldedChart view={view} />
      {hasListFilter(view) ? <FilteredList view={view} /> : <NumberedPage view={view} />}
    </>
  )
}

History.prefetch = ({ query }: ScreenLocation, member: Me) => {
  const view = viewOf(query, member)
  return Promise.all([
    hasListFilter(view) ? useList.prefetch(listRequest(view)) : useHistory.prefetch(pageRequest(view)),
    useDays.prefetch(daysRequest(view)),
    ...[view.username, view.user, view.from_user]
      .filter((username) => username !== null && username !== member.username)
      .map(prefetchName),
  ])
}

function NumberedPage({ view }: { view: View }) {
  const { data, failure, isStale, refresh, refreshQuietly } = useHistory(pageRequest(view))
  useAutoRefresh(refreshQuietly)
  if (failure !== null) return <LoadFailure failure={failure} onRetry={refresh} />
  if (data === null) return <TransactionTableSkeleton />
  return <List view={view} page={data} isStale={isStale} onChange={refresh} />
}

/** Transactions that match the filters, newest first, with a link to older ones: such a list has no numbered pages. */
function FilteredList({ view }: { view: View }) {
  const { history } = t()
  const { query } = useLocation()
  const { data, failure, isStale, refresh, refreshQuietly } = useList(listRequest(view))
  useAutoRefresh(refreshQuietly)
  if (failure !== null) return <LoadFailure failure={failure} onRetry={refresh} />
  if (data === null) return <TransactionTableSkeleton />
  const { items, next } = data
  return (
    <div aria-busy={isStale}>
      <ListHeader view={view}>
        {formatPlural(items.length, history.entries)}
        {next !== null && ` ${history.andOlder}`}
      </ListHeader>
      {items.length === 0 ? (
        <EmptyList drawing="search" text={history.noneFits} name={history.showAll} href={urlOf(query, noFilters)} />
      ) : (
        <div class={isStale ? "opacity-60 transition-opacity delay-200" : ""}>
          <TransactionTable view={view} items={items} onChange={refresh} />
        </div>
      )}
      <nav aria-label={history.pages} class="mt-4 -ms-3 flex gap-1 print:hidden">
        {view.before !== null && (
          <a class="btn btn-ghost btn-sm font-normal" href={urlOf(query, { before: undefined })}>
            {history.newest}
          </a>
        )}
        {next !== null && (
          <a class="btn btn-ghost btn-sm font-normal" href={urlOf(query, { before: next })}>
            {history.older}
          </a>
        )}
      </nav>
    </div>
  )
}

interface ListProps {
  readonly view: View
  readonly page: HistoryPage
  readonly isStale: boolean
  readonly onChange: () => void
}

function List({ view, page, isStale, onChange }: ListProps) {
  const { wasPush } = useLocation() as ReturnType<typeof useLocation> & { wasPush: boolean }
  const top = useRef<HTMLDivElement>(null)
  const shownPage = useRef(page.page)
  useLayoutEffect(() => {
    if (wasPush && shownPage.current !== page.page) top.current?.scrollIntoView({ block: "start" })
    shownPage.current = page.page
  }, [page.page])

  return (
    <div ref={top} class="scroll-mt-4" aria-busy={isStale}>
      <ListHeader view={view}>
        <Extent page={page} />
      </ListHeader>
      {page.items.length === 0 ? (
        <EmptyPage view={view} page={page} />
      ) : (
        <div class={isStale ? "opacity-60 transition-opacity delay-200" : ""}>
          <TransactionTable view={view} items={page.items} onChange={onChange} />
        </div>
      )}
      <Pagination view={view} page={page} />
    </div>
  )
}

/** The number of transactions, and which of them are shown. */
function Extent({ page: { items, total, page, size } }: { page: HistoryPage }) {
  const { history } = t()
  const first = (page - 1) * size + 1
  const span = { first: formatNumber(first), last: formatNumber(first + items.length - 1) }
  const isPart = items.length > 0 && items.length < total
  return (
    <>
      {formatPlural(total, history.entries)}
      {isPart && ` · ${fill(history.shown, span)}`}
    </>
  )
}

/** How many transactions there are, and buttons to export and print. */
function ListHeader({ view, children }: { view: View; children: ComponentChildren }) {
  const { history } = t()
  const { query } = useLocation()
  return (
    <div class="mt-6 flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
      <p role="status" class="text-sm text-muted tabular-nums">
        {children}
      </p>
      <p class="-me-3 flex flex-wrap gap-1 print:hidden">
        <a class="btn btn-ghost btn-sm font-normal" href={csvUrl(view, query)} download>
          <Icon of={Download} class="size-4" />
          {history.csv}
        </a>
        <button type="button" class="btn btn-ghost btn-sm font-normal" onClick={() => print()}>
          <Icon of={Printer} class="size-4" />
          {history.print}
        </button>
      </p>
    </div>
  )
}

function EmptyPage({ view, page }: { view: View; page: HistoryPage }) {
  const { history } = t()
  const { query } = useLocation()
  const isFiltered = view.user !== null || view.from_user !== null
  if (page.total > 0)
    return (
      <EmptyList drawing="search" text={history.beyond} name={history.first} href={urlOf(query, { page: undefined })} />
    )
  if (isFiltered)
    return <EmptyList drawing="search" text={history.noneFits} name={history.showAll} href={urlOf(query, noFilters)} />
  return <EmptyList drawing="thanks" text={history.none} name={history.thank} href={addresses.home} />
}

interface EmptyListProps extends Pick<EmptyProps, "drawing"> {
  readonly text: string
  readonly name: string
  readonly href: string
}

/** Shown when there are no transactions, with a link that suggests what to do next. */
function EmptyList({ drawing, text, name, href }: EmptyListProps) {
  return (
    <Empty drawing={drawing}>
      <p>{text}</p>
      <a class="btn btn-outline border-line font-medium" href={href}>
        {name}
      </a>
    </Empty>
  )
}

/** Links to the previous and next page, and the page size. */
function Pagination({ view, page: { total, page, size } }: { view: View; page: HistoryPage }) {
  const { history } = t()
  const { query, route } = useLocation()
  const id = useId()
  const last = Math.max(1, Math.ceil(total / size))
  if (total <= sizes[0]) return null
  return (
    <div class="mt-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-2 print:hidden">
      <nav aria-label={history.pages} class="-ms-3 flex items-center gap-1">
        <Step icon={ChevronLeft} name={history.previous} to={page > 1 ? Math.min(page - 1, last) : null} />
        <span class="px-1 text-sm text-muted tabular-nums">
          {fill(history.pageOf, { page: formatNumber(page), last: formatNumber(last) })}
        </span>
        <Step icon={ChevronRight} name={history.next} to={page < last ? page + 1 : null} />
      </nav>
      <div class="flex items-center gap-2">
        <label for={id} class="text-sm text-muted">
          {history.size}
        </label>
        <select
          id={id}
          class="select select-sm w-auto border-base-content/45"
          value={String(view.size)}
          onChange={({ currentTarget: { value } }) =>
            route(urlOf(query, { size: value === String(sizes[0]) ? undefined : value }))
          }
        >
          {sizes.map((one) => (
            <option key={one} value={String(one)}>
              {formatNumber(one)}
            </option>
          ))}
        </select>
      </div>
    </div>
  )
}

function Step({ icon, name, to }: { icon: typeof ChevronLeft; name: string; to: number | null }) {
  const { query } = useLocation()
  const look = "btn btn-ghost btn-square btn-sm rtl:-scale-x-100"
  if (to === null)
    return (
      <span class={`${look} btn-disabled`} aria-hidden="true">
        <Icon of={icon} />
      </span>
    )
  return (
    <a class={look} href={urlOf(query, { page: to === 1 ? undefined : String(to) })} aria-label={name} title={name}>
      <Icon of={icon} />
    </a>
  )
}
