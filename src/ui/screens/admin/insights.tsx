import { Download, Sparkles } from "lucide"
import type { ComponentChildren } from "preact"
import { useId, useMemo } from "preact/hooks"
import { addresses, personAddress, withQuery } from "../../addresses.ts"
import { formatServerDay } from "../../dates.tsx"
import { focusTransferBox } from "../../palette/commands.ts"
import { Avatar } from "../../parts/avatar.tsx"
import { Chart } from "../../parts/chart.tsx"
import { Icon } from "../../parts/icon.tsx"
import { LoadFailure, Skeleton } from "../../parts/placeholders.tsx"
import { api, request } from "../../server/api.ts"
import { createQuery, type QueryResult } from "../../server/query.ts"
import { serviceZone } from "../../session.ts"
import { cellSeparator, fill, formatCompact, formatNumber, formatPlural, perLocale } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"
import { AdminLayout } from "./admin-layout.tsx"
import { Outstanding } from "./outstanding.tsx"

/** How many people the table shows; the CSV file has all. */
const maxShown = 20

const { insights: routes } = api.api.v1
const useParticipation = createQuery((_: null) => request(routes.participation.get()))
const useOverlooked = createQuery((_: null) => request(routes.overlooked.get()))
const useBudgets = createQuery((_: null) => request(routes.budgets.get()))
const useDepartments = createQuery((_: null) => request(routes.departments.get()))
const useTags = createQuery((_: null) => request(routes.tags.get()))

/** Recognition in the whole service, for superusers. */
export function Insights() {
  const { insights } = t()
  return (
    <AdminLayout title={insights.title} isPart>
      <p class="mt-1 text-muted">{fill(insights.lead, { zone: serviceZone.value })}</p>
      <a href={withQuery(addresses.recap, { of: "company" })} class="btn btn-outline mt-3 border-line font-medium">
        <Icon of={Sparkles} class="size-4" />
        {t().shell.recap}
      </a>
      <Section name="participation" title={insights.participation} of={useParticipation(null)} show={Participation} />
      <Section name="overlooked" title={insights.overlooked} of={useOverlooked(null)} show={Overlooked} />
      <Section name="budgets" title={insights.budgets} of={useBudgets(null)} show={Budgets} />
      <Section name="departments" title={insights.departments} of={useDepartments(null)} show={Departments} />
      <Section name="tags" title={insights.tags} of={useTags(null)} show={Tags} />
      <Outstanding />
    </AdminLayout>
  )
}

Insights.prefetch = () => useParticipation.prefetch(null)

type ItemOf<Q> = Q extends (params: null) => QueryResult<{ items: (infer Item)[] }> ? Item : never

interface SectionProps<Item> {
  readonly name: string
  readonly title: string
  readonly of: QueryResult<{ items: Item[] }>
  readonly show: (props: { readonly items: readonly Item[] }) => ComponentChildren
}

function Section<Item>({ name, title, of: { data, failure, refresh }, show: Show }: SectionProps<Item>) {
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
          href={withQuery(`/api/v1/insights/${name}.csv`, { separator: cellSeparator() })}
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

function Participation({ items }: { items: readonly ItemOf<typeof useParticipation>[] }) {
  const { insights } = t()
  const series = useMemo(
    () => [
      { look: "bars" as const, colour: "main" as const, values: items.map(({ receivers }) => receivers) },
      { look: "bars" as const, colour: "other" as const, values: items.map(({ senders }) => -senders) },
    ],
    [items],
  )
  const monthAt = (index: number) => formatMonth(items[index]?.month)
  return (
    <div class="grid grid-cols-1 gap-3 rounded-box bg-base-100 p-4 sm:p-5">
      <Chart
        label={insights.participation}
        series={series}
        placeLabel={monthAt}
        valueLabel={(value) => formatCompact(Math.abs(value))}
        describe={(index) =>
          fill(insights.monthSentence, {
            month: monthAt(index),
            senders: formatNumber(items[index]?.senders ?? 0),
            receivers: formatNumber(items[index]?.receivers ?? 0),
          })
        }
        summary={insights.participationBars}
      />
      <details>
        <summary class="w-fit cursor-pointer text-sm text-muted hover:text-base-content pointer-coarse:py-3">
          {insights.asTable}
        </summary>
        <Table
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
                <span dir="auto" class="block truncate">
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
      <Table
        label={insights.budgets}
        heads={[insights.person, insights.left, insights.given]}
        rows={items
          .slice(0, maxShown)
          .map(({ username, name, value, given }) => ({ key: username, head: name, cells: [value, given] }))}
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
    <Table
      label={insights.departments}
      caption={insights.departmentsLead}
      heads={[insights.fromTo, ...names]}
      rows={names.map((from) => ({ key: from, head: from, cells: names.map((to) => countOf(from, to)) }))}
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
    <Table
      label={insights.tags}
      heads={[insights.tag, ...months.map(formatMonth)]}
      rows={tags.map((tag) => ({ key: tag, head: tag, cells: months.map((month) => countOf(tag, month)) }))}
    />
  )
}

interface TableProps {
  readonly label: string
  readonly caption?: string
  /** Column headers; the first belongs to the column of row headers. */
  readonly heads: readonly string[]
  readonly rows: readonly { readonly key: string; readonly head: string; readonly cells: readonly number[] }[]
}

function Table({ label, caption, heads, rows }: TableProps) {
  if (rows.length === 0) return <p class="text-muted">{t().insights.none}</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by keyboard
    <section class="overflow-x-auto" tabIndex={0} aria-label={fill(t().insights.table, { name: label })}>
      <table class="w-full text-sm tabular-nums">
        {caption && <caption class="pb-1 text-start text-xs text-muted">{caption}</caption>}
        <thead>
          <tr class="text-xs text-muted">
            {heads.map((head, index) => (
              <th
                key={head}
                scope="col"
                dir="auto"
                class={`px-2 py-1 font-medium ${index ? "text-end" : "text-start"}`}
              >
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, head, cells }) => (
            <tr key={key} class="border-t border-line text-end">
              <th scope="row" dir="auto" class="px-2 py-1.5 text-start font-normal">
                {head}
              </th>
              {cells.map((cell, index) => (
                <td key={heads[index + 1] ?? index} class={`px-2 ${cell === 0 ? "text-muted" : ""}`}>
                  {formatNumber(cell)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function More({ of: items }: { of: readonly unknown[] }) {
  const more = items.length - maxShown
  return more > 0 ? <p class="mt-2 text-sm text-muted">{formatPlural(more, t().insights.more)}</p> : null
}

const months = perLocale((tag) => new Intl.DateTimeFormat(tag, { month: "short", year: "numeric", timeZone: "UTC" }))

const formatMonth = (month: string | undefined): string =>
  month === undefined ? "" : months().format(Date.parse(`${month}-01T00:00:00Z`))
