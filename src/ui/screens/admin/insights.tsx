import { Download, Sparkles } from "lucide"
import type { ComponentChildren } from "preact"
import { useId } from "preact/hooks"
import { useLocation } from "preact-iso"
import { fill } from "../../../languages/writing.ts"
import { addresses, personAddress, withQuery } from "../../addresses.ts"
import { formatServerDay, serviceToday } from "../../dates.tsx"
import { focusTransferBox } from "../../palette/commands.ts"
import { Avatar } from "../../parts/avatar.tsx"
import { Choice } from "../../parts/choice.tsx"
import { Icon } from "../../parts/icon.tsx"
import { LoadFailure, Skeleton } from "../../parts/placeholders.tsx"
import type { ScreenLocation } from "../../screen.ts"
import { api, request } from "../../server/api.ts"
import { createQuery, type QueryResult } from "../../server/query.ts"
import { serviceZone } from "../../session.ts"
import { tagText } from "../../tags.ts"
import { cellSeparator, formatNumber, formatPlural, perLocale } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"
import { AdminLayout } from "./admin-layout.tsx"
import { MonthLines } from "./month-picture.tsx"
import { NumberTable } from "./number-table.tsx"
import { Outstanding, OutstandingByMonth } from "./outstanding.tsx"

/** How many people the table shows; the CSV file has all. */
const maxShown = 20

const { insights: routes } = api.api.v1
interface Period {
  /** The first day; null for the last twelve months, as the server has it. */
  readonly from: string | null
}

const fromOf = ({ from }: Period) => (from === null ? {} : { from })

const useParticipation = createQuery((period: Period) => request(routes.participation.get({ query: fromOf(period) })))
const useDepartments = createQuery((period: Period) => request(routes.departments.get({ query: fromOf(period) })))
const useTags = createQuery((period: Period) => request(routes.tags.get({ query: fromOf(period) })))
const useOverlooked = createQuery((_: null) => request(routes.overlooked.get()))
const useBudgets = createQuery((_: null) => request(routes.budgets.get()))

/** How many months the screen can show, with the present one. */
const spans = [3, 12, 24] as const
type Span = (typeof spans)[number]
const defaultSpan: Span = 12

const spanOf = ({ months }: Readonly<Record<string, string | undefined>>): Span =>
  spans.find((one) => one === Number(months)) ?? defaultSpan

/** From the first day of a month. */
function periodOf(span: Span): Period {
  if (span === defaultSpan) return { from: null }
  const [year = 0, month = 1] = serviceToday().split("-").map(Number)
  return { from: new Date(Date.UTC(year, month - span)).toISOString().slice(0, 10) }
}

/** Recognition in the whole service: figures, then pictures, then tables. */
export function Insights() {
  const { insights } = t()
  const { query } = useLocation()
  const span = spanOf(query)
  const period = periodOf(span)
  const participation = useParticipation(period)
  const overlooked = useOverlooked(null)
  return (
    <AdminLayout title={insights.title} isPart>
      <p class="mt-1 text-muted">{fill(insights.lead, { zone: serviceZone.value })}</p>
      <div class="mt-3 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <Periods chosen={span} />
        <a href={withQuery(addresses.recap, { of: "company" })} class="btn btn-outline btn-sm border-line font-medium">
          <Icon of={Sparkles} class="size-4" />
          {t().shell.recap}
        </a>
      </div>
      <Figures participation={participation.data?.items} overlooked={overlooked.data?.items.length} />
      <Section
        name="participation"
        title={insights.participation}
        period={period}
        of={participation}
        show={Participation}
      />
      <Section
        name="departments"
        title={insights.departments}
        period={period}
        of={useDepartments(period)}
        show={Departments}
      />
      <OutstandingByMonth />
      <Section name="overlooked" title={insights.overlooked} of={overlooked} show={Overlooked} />
      <Section name="budgets" title={insights.budgets} of={useBudgets(null)} show={Budgets} />
      <Section name="tags" title={insights.tags} period={period} of={useTags(period)} show={Tags} />
      <Outstanding />
    </AdminLayout>
  )
}

Insights.prefetch = ({ query }: ScreenLocation) => useParticipation.prefetch(periodOf(spanOf(query)))

function Periods({ chosen }: { chosen: Span }) {
  const { insights } = t()
  const { query } = useLocation()
  const addressOf = (span: Span) =>
    withQuery(addresses.adminInsights, { ...query, months: span === defaultSpan ? undefined : String(span) })
  return (
    <div class="-ms-2.5">
      <Choice
        label={insights.period}
        options={spans.map((span) => ({ name: formatPlural(span, insights.months), address: addressOf(span) }))}
        chosen={addressOf(chosen)}
      />
    </div>
  )
}

interface FiguresProps {
  readonly participation: readonly ParticipationItem[] | undefined
  /** How many people were not thanked for 30 days. */
  readonly overlooked: number | undefined
}

function Figures({ participation = [], overlooked }: FiguresProps) {
  const { figures } = t().insights
  const sum = (of: (item: ParticipationItem) => number) => participation.reduce((total, item) => total + of(item), 0)
  const shown = [
    { name: figures.count, value: sum(({ count }) => count) },
    { name: figures.value, value: sum(({ value }) => value) },
    { name: figures.senders, value: participation.at(-1)?.senders ?? 0 },
    { name: figures.overlooked, value: overlooked ?? 0 },
  ]
  const isKnown = participation.length > 0 && overlooked !== undefined
  return (
    <dl class="mt-4 grid grid-cols-[repeat(auto-fit,minmax(min(100%,7rem),1fr))] gap-4 rounded-box bg-base-100 p-4 sm:p-5">
      {shown.map(({ name, value }) => (
        <div key={name} class="flex flex-col justify-between">
          <dt class="text-sm text-muted">{name}</dt>
          <dd class="text-2xl font-semibold tracking-tight tabular-nums">{isKnown ? formatNumber(value) : "–"}</dd>
        </div>
      ))}
    </dl>
  )
}

type ItemOf<Q> = Q extends (params: never) => QueryResult<{ items: (infer Item)[] }> ? Item : never
type ParticipationItem = ItemOf<typeof useParticipation>

interface SectionProps<Item> {
  readonly name: string
  readonly title: string
  /** The days of the file; by default those of the server. */
  readonly period?: Period
  readonly of: QueryResult<{ items: Item[] }>
  readonly show: (props: { readonly items: readonly Item[] }) => ComponentChildren
}

function Section<Item>({
  name,
  title,
  period = { from: null },
  of: { data, failure, refresh },
  show: Show,
}: SectionProps<Item>) {
  const { insights } = t()
  const id = useId()
  return (
    <section aria-labelledby={id} class="mt-8">
      <div class="mb-3 flex flex-wrap items-center justify-between gap-2">
        <h2 id={id} class="font-semibold">
          {title}
        </h2>
        <a
          class="btn btn-ghost btn-sm font-normal"
          href={withQuery(`/api/v1/insights/${name}.csv`, { ...fromOf(period), separator: cellSeparator() })}
          aria-label={fill(insights.file, { name: title })}
          download
        >
          <Icon of={Download} class="size-4" />
          {insights.csv}
        </a>
      </div>
      {failure !== null ? (
        <LoadFailure failure={failure} onRetry={refresh} />
      ) : data === null ? (
        <Skeleton class="h-40 w-full rounded-box" />
      ) : (
        <Show items={data.items} />
      )}
    </section>
  )
}

function Participation({ items }: { items: readonly ParticipationItem[] }) {
  const { insights } = t()
  if (items.length === 0) return <p class="text-muted">{insights.none}</p>
  return (
    <div class="grid grid-cols-1 gap-3 rounded-box bg-base-100 p-4 sm:p-5">
      <MonthLines
        label={insights.participationLines}
        months={items.map(({ month }) => formatMonth(month))}
        series={[
          { name: insights.receivers, colour: "main", values: items.map(({ receivers }) => receivers) },
          { name: insights.senders, colour: "other", values: items.map(({ senders }) => senders) },
        ]}
      />
      <details>
        <summary class="w-fit cursor-pointer text-sm text-muted hover:text-base-content pointer-coarse:py-3">
          {insights.asTable}
        </summary>
        <NumberTable
          label={insights.participation}
          heads={[insights.month, insights.senders, insights.receivers, insights.count, insights.value]}
          rows={items.toReversed().map(({ month, senders, receivers, count, value }) => ({
            key: month,
            head: formatMonth(month),
            cells: [senders, receivers, count, value],
          }))}
        />
      </details>
    </div>
  )
}

function Overlooked({ items }: { items: readonly ItemOf<typeof useOverlooked>[] }) {
  const { insights } = t()
  if (items.length === 0) return <p class="text-muted">{insights.overlookedNone}</p>
  return (
    <>
      <ul class="grid grid-cols-1 gap-x-6 gap-y-1 sm:grid-cols-2">
        {items.slice(0, maxShown).map(({ username, name, avatar, last_thanked }) => (
          <li key={username} class="flex items-center gap-2">
            <a
              href={personAddress(username)}
              class="flex min-h-11 min-w-0 grow items-center gap-3 rounded-field hover:bg-base-200"
            >
              <Avatar name={name} username={username} src={avatar} size="small" />
              <span class="min-w-0">
                <span dir="auto" class="block wrap-anywhere">
                  {name}
                </span>
                <span class="block text-xs text-muted">
                  {last_thanked === null ? insights.never : fill(insights.last, { day: formatServerDay(last_thanked) })}
                </span>
              </span>
            </a>
            <a
              href={personAddress(username)}
              class="btn btn-sm border-line font-normal"
              aria-label={fill(insights.giveTo, { name })}
              onClick={focusTransferBox}
            >
              {insights.give}
            </a>
          </li>
        ))}
      </ul>
      <More of={items} />
    </>
  )
}

function Budgets({ items }: { items: readonly ItemOf<typeof useBudgets>[] }) {
  const { insights } = t()
  return (
    <>
      <NumberTable
        label={insights.budgets}
        heads={[insights.person, insights.left, insights.given]}
        rows={items.slice(0, maxShown).map(({ username, name, value, given }) => ({
          key: username,
          head: name,
          address: personAddress(username),
          cells: [value, given],
        }))}
      />
      <More of={items} />
    </>
  )
}

function Departments({ items }: { items: readonly ItemOf<typeof useDepartments>[] }) {
  const { insights } = t()
  const names = [...new Set(items.flatMap(({ from, to }) => [from, to]))].toSorted()
  const countOf = (from: string, to: string) => items.find((one) => one.from === from && one.to === to)?.count ?? 0
  return (
    <NumberTable
      label={insights.departments}
      caption={insights.departmentsLead}
      heads={[insights.fromTo, ...names]}
      rows={names.map((from) => ({
        key: from,
        head: from,
        address: departmentAddress(from),
        cells: names.map((to) => countOf(from, to)),
      }))}
      isShaded
    />
  )
}

function Tags({ items }: { items: readonly ItemOf<typeof useTags>[] }) {
  const { insights } = t()
  const months = [...new Set(items.map(({ month }) => month))].toSorted().slice(-6)
  const tags = [...new Set(items.map(({ tag }) => tag))].toSorted()
  const countOf = (tag: string, month: string) =>
    items.find((one) => one.tag === tag && one.month === month)?.count ?? 0
  return (
    <NumberTable
      label={insights.tags}
      heads={[insights.tag, ...months.map(formatMonth)]}
      rows={tags.map((tag) => ({
        key: tag,
        head: tagText(tag),
        address: withQuery(addresses.home, { tag }),
        cells: months.map((month) => countOf(tag, month)),
      }))}
    />
  )
}

const departmentAddress = (department: string) => withQuery(addresses.people, { department })

function More({ of: items }: { of: readonly unknown[] }) {
  const more = items.length - maxShown
  return more > 0 ? <p class="mt-2 text-sm text-muted">{formatPlural(more, t().insights.more)}</p> : null
}

const months = perLocale((tag) => new Intl.DateTimeFormat(tag, { month: "short", year: "numeric", timeZone: "UTC" }))

const formatMonth = (month: string | undefined): string =>
  month === undefined ? "" : months().format(Date.parse(`${month}-01T00:00:00Z`))
