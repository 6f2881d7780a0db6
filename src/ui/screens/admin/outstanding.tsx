import { Download } from "lucide"
import type { ComponentChildren } from "preact"
import { useId, useMemo } from "preact/hooks"
import { useLocation } from "preact-iso"
import { fill } from "../../../languages/writing.ts"
import { addresses, personAddress, withQuery } from "../../addresses.ts"
import { formatServerDay, now } from "../../dates.tsx"
import { Icon } from "../../parts/icon.tsx"
import { LoadFailure, Skeleton } from "../../parts/placeholders.tsx"
import { isSuperuser } from "../../rights.ts"
import { api, request } from "../../server/api.ts"
import { createQuery } from "../../server/query.ts"
import { serviceZone } from "../../session.ts"
import { cellSeparator, formatNumber, perLocale } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"
import { MonthBars } from "./month-picture.tsx"

/** How many people the table shows; the CSV file has all. */
const maxShown = 10

const { outstanding: routes } = api.api.v1.insights
const useMonths = createQuery((_: null) => request(routes.monthly.get()))
const useDay = createQuery((query: { readonly at?: string }) => request(routes.get({ query })))

type Months = NonNullable<ReturnType<typeof useMonths>["data"]>["items"]
type Day = NonNullable<ReturnType<typeof useDay>["data"]>

/** Points outstanding at the end of a day that the address names, for finance. */
export function Outstanding() {
  const { finance } = t()
  const id = useId()
  return (
    <section aria-labelledby={id} class="mt-8">
      <h2 id={id} class="font-semibold">
        {finance.title}
      </h2>
      <p class="mb-3 text-sm text-muted">{finance.lead}</p>
      <HeldOnDay />
    </section>
  )
}

/** Points outstanding at the end of each month. Nothing is shown before the first month is known. */
export function OutstandingByMonth() {
  const { finance } = t()
  const id = useId()
  const { data, failure, refresh } = useMonths(null)
  if (data?.items.length === 0) return null
  return (
    <section aria-labelledby={id} class="mt-8">
      <div class="mb-3 flex flex-wrap items-center justify-between gap-2">
        <h2 id={id} class="font-semibold">
          {finance.byMonth}
        </h2>
        <File path="outstanding/monthly.csv" name={finance.byMonth} query={{}} />
      </div>
      {failure !== null ? (
        <LoadFailure failure={failure} onRetry={refresh} />
      ) : data === null ? (
        <Skeleton class="h-56 w-full rounded-box" />
      ) : (
        <ByMonth items={data.items} />
      )}
    </section>
  )
}

/** What people held at the end of a day, by default today, with a field to choose another one. */
function HeldOnDay() {
  const { finance } = t()
  const { query, route } = useLocation()
  const at = /^\d{4}-\d\d-\d\d$/.test(query.at ?? "") ? query.at : undefined
  const { data, failure, isStale, refresh } = useDay(at === undefined ? {} : { at })
  const choose = (day: string) => route(withQuery(addresses.adminInsights, { ...query, at: day }), true)

  return (
    <div class="rounded-box bg-base-100 p-4 sm:p-5" aria-busy={isStale}>
      <div class="flex flex-wrap items-end justify-between gap-3">
        <label class="grid gap-1 text-sm">
          <span class="text-muted">{finance.day}</span>
          <input
            type="date"
            class="input"
            value={at ?? data?.at ?? ""}
            max={days().format(now.value)}
            onChange={({ currentTarget }) => choose(currentTarget.value)}
          />
        </label>
        <File path="outstanding.csv" name={finance.people} query={{ at: data?.at }} />
      </div>
      {failure !== null ? (
        <LoadFailure failure={failure} onRetry={refresh} />
      ) : data === null ? (
        <Skeleton class="mt-4 h-40 w-full" />
      ) : (
        <>
          <Figures of={data} />
          <Holders of={data} />
        </>
      )}
    </div>
  )
}

function Figures({ of: { total, currency, at } }: { of: Day }) {
  const { finance } = t()
  const figures = [
    { name: finance.balance, value: formatNumber(total.balance) },
    { name: finance.redeemable, value: formatNumber(total.redeemable) },
    ...(total.value === null ? [] : [{ name: finance.value, value: formatMoney(total.value, currency) }]),
  ]
  return (
    <>
      <dl class="mt-4 flex flex-wrap gap-x-10 gap-y-3" aria-label={fill(finance.atEndOf, { day: formatServerDay(at) })}>
        {figures.map(({ name, value }) => (
          <div key={name}>
            <dt class="text-sm text-muted">{name}</dt>
            <dd class="text-2xl font-semibold tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      {total.value === null && (
        <p class="mt-2 text-sm text-muted">
          {isSuperuser() ? (
            <a href={`${addresses.adminProgramme}#worth`} class="link">
              {finance.noValue}
            </a>
          ) : (
            finance.noValue
          )}
        </p>
      )}
    </>
  )
}

/** Those who hold most that can be redeemed. */
function Holders({ of: { items, currency, at } }: { of: Day }) {
  const { finance } = t()
  const most = useMemo(
    () => items.toSorted((one, other) => other.redeemable - one.redeemable || other.balance - one.balance),
    [items],
  ).slice(0, maxShown)
  if (most.length === 0) return null
  const hasValue = currency !== null
  const label = fill(finance.most, { day: formatServerDay(at) })
  return (
    <Table
      label={label}
      heads={[finance.person, finance.balance, finance.redeemable, ...(hasValue ? [finance.value] : [])]}
      rows={most.map(({ username, name, balance, redeemable, value }) => ({
        key: username,
        head: (
          <a href={personAddress(username)} class="hover:underline">
            {name}
          </a>
        ),
        cells: [formatNumber(balance), formatNumber(redeemable), ...(hasValue ? [formatMoney(value, currency)] : [])],
      }))}
    />
  )
}

function ByMonth({ items }: { items: Months }) {
  const { finance, insights } = t()
  const hasValue = items.some(({ value }) => value !== null)
  return (
    <div class="grid grid-cols-1 gap-3 rounded-box bg-base-100 p-4 sm:p-5">
      <MonthBars
        label={finance.bars}
        months={items.map(({ month }) => formatMonth(month))}
        series={[
          { name: finance.balance, colour: "other", values: items.map(({ balance }) => balance) },
          { name: finance.redeemable, colour: "main", values: items.map(({ redeemable }) => redeemable) },
        ]}
      />
      <details>
        <summary class="w-fit cursor-pointer text-sm text-muted hover:text-base-content pointer-coarse:py-3">
          {insights.asTable}
        </summary>
        <Table
          label={finance.byMonth}
          heads={[insights.month, finance.balance, finance.redeemable, ...(hasValue ? [finance.value] : [])]}
          rows={items.toReversed().map(({ month, balance, redeemable, value, currency }) => ({
            key: month,
            head: formatMonth(month),
            cells: [
              formatNumber(balance),
              formatNumber(redeemable),
              ...(hasValue ? [formatMoney(value, currency)] : []),
            ],
          }))}
        />
      </details>
    </div>
  )
}

interface FileProps {
  readonly path: string
  readonly name: string
  readonly query: Readonly<Record<string, string | undefined>>
}

function File({ path, name, query }: FileProps) {
  const { insights } = t()
  return (
    <a
      class="btn btn-ghost btn-sm font-normal"
      href={withQuery(`/api/v1/insights/${path}`, { ...query, separator: cellSeparator() })}
      aria-label={fill(insights.file, { name })}
      download
    >
      <Icon of={Download} class="size-4" />
      {insights.csv}
    </a>
  )
}

interface TableProps {
  readonly label: string
  /** Column headers; the first belongs to the column of row headers. */
  readonly heads: readonly string[]
  readonly rows: readonly {
    readonly key: string
    readonly head: ComponentChildren
    readonly cells: readonly string[]
  }[]
}

function Table({ label, heads, rows }: TableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by keyboard
    <section class="mt-4 overflow-x-auto" tabIndex={0} aria-label={fill(t().insights.table, { name: label })}>
      <table class="w-full text-sm tabular-nums">
        <caption class="pb-1 text-start text-xs text-muted">{label}</caption>
        <thead>
          <tr class="text-xs text-muted">
            {heads.map((head, index) => (
              <th key={head} scope="col" class={`px-2 py-1 font-medium ${index ? "text-end" : "text-start"}`}>
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
                <td key={heads[index + 1]} class="px-2">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** A day of the service as fields for days take it: `2026-11-21`. */
const days = perLocale(() => new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeZone: serviceZone.value }))

const months = perLocale((tag) => new Intl.DateTimeFormat(tag, { month: "short", year: "numeric", timeZone: "UTC" }))

const formatMonth = (month: string | undefined): string =>
  month === undefined ? "" : months().format(Date.parse(`${month}-01T00:00:00Z`))

const money = perLocale((tag) => {
  const formats = new Map<string, Intl.NumberFormat>()
  return (currency: string) => {
    const known = formats.get(currency) ?? new Intl.NumberFormat(tag, { style: "currency", currency })
    formats.set(currency, known)
    return known
  }
})

const formatMoney = (value: number | null, currency: string | null): string =>
  value === null || currency === null ? "" : money()(currency).format(value)
