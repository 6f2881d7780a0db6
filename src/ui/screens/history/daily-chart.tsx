import { useSignal } from "@preact/signals"
import { useEffect, useMemo } from "preact/hooks"
import { useLocation } from "preact-iso"
import { fill } from "../../../languages/writing.ts"
import { formatServerDay, formatShortServerDay } from "../../dates.tsx"
import { Chart } from "../../parts/chart.tsx"
import { Choice } from "../../parts/choice.tsx"
import { LoadFailure, Skeleton } from "../../parts/placeholders.tsx"
import { budgetText } from "../../parts/pockets.tsx"
import { account, me, serviceZone } from "../../session.ts"
import { formatCompact, formatNumber } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"
import { charts, type Day, daysRequest, toDays, urlOf, useDays, type View } from "./view.ts"

const phone = matchMedia("(width < 40rem)")

/** The chart, above the list. On phones, a button hides and shows it, so that the list comes first. */
export function FoldedChart({ view }: { view: View }) {
  const isUnfolded = useSignal(!phone.matches)
  useEffect(() => {
    const follow = () => {
      if (!phone.matches) isUnfolded.value = true
    }
    phone.addEventListener("change", follow)
    return () => phone.removeEventListener("change", follow)
  }, [])
  return (
    <details
      open={isUnfolded.value}
      onToggle={({ currentTarget }) => {
        isUnfolded.value = currentTarget.open
      }}
    >
      <summary class="w-fit cursor-pointer py-3 text-sm text-muted hover:text-base-content sm:hidden print:hidden">
        {t().history.chart}
      </summary>
      {isUnfolded.value && <DailyChart view={view} />}
    </details>
  )
}

/** Balance over time and points per day: totals, a chart, and the same data as text in rows. */
function DailyChart({ view }: { view: View }) {
  const { data, failure, refresh } = useDays(daysRequest(view))
  const days = useMemo(() => data && toDays(data, view), [data, view.from, view.to])
  // The list below shows the error.
  if (failure?.kind === "refused") return null
  if (failure !== null) return <LoadFailure failure={failure} onRetry={refresh} />
  if (days?.length === 0) return null
  return (
    <section
      aria-label={t().history.overTime}
      class="mt-3 grid grid-cols-1 gap-3 sm:gap-4 rounded-box bg-base-100 p-4 sm:p-5 print:hidden"
    >
      {days === null ? (
        <Skeleton class="h-[17rem] sm:h-[19.25rem] w-full" />
      ) : (
        <ChartWithTotals view={view} days={days} />
      )}
      {view.username !== null && <ChartChoice view={view} />}
      {days !== null && <DaysTable days={days} />}
    </section>
  )
}

function ChartWithTotals({ view, days }: { view: View; days: readonly Day[] }) {
  const { history } = t()
  const isBalance = view.chart === "balance" && days[0]?.balance != null
  const series = useMemo(
    () =>
      isBalance
        ? [{ look: "line" as const, colour: "main" as const, values: days.map(({ balance }) => balance ?? 0) }]
        : barsOf(days),
    [days, isBalance],
  )
  const dayAt = (index: number) => days[index]?.day ?? ""
  return (
    <>
      <p class="text-sm text-muted">
        {fill(history.span, { first: formatServerDay(dayAt(0)), last: formatServerDay(dayAt(days.length - 1)) })}
      </p>
      <PeriodTotals view={view} days={days} />
      <Chart
        label={isBalance ? history.balanceOverTime : history.pointsADay}
        series={series}
        placeLabel={(index) => (days[index] ? formatShortServerDay(dayAt(index)) : "")}
        valueLabel={(value) => formatCompact(isBalance ? value : Math.abs(value))}
        describe={(index) => `${formatServerDay(dayAt(index))}: ${sentenceOf(days[index], isBalance)}`}
        summary={isBalance ? history.balanceOverTime : history.pointsADay}
      />
    </>
  )
}

/** Received points are above the zero line, sent points below. */
function barsOf(days: readonly Day[]) {
  const given = days.map((day) => day.given)
  if (days[0]?.received == null) return [{ look: "bars" as const, colour: "main" as const, values: given }]
  return [
    { look: "bars" as const, colour: "main" as const, values: days.map(({ received }) => received ?? 0) },
    { look: "bars" as const, colour: "other" as const, values: given.map((points) => -points) },
  ]
}

function sentenceOf(day: Day | undefined, isBalance: boolean): string {
  const { history } = t()
  if (day === undefined) return ""
  if (isBalance) return fill(history.dayBalance, { balance: formatNumber(day.balance ?? 0) })
  const given = formatNumber(day.given)
  if (day.received === null) return fill(history.dayAll, { given })
  return fill(history.dayPoints, { received: formatNumber(day.received), given })
}

function ChartChoice({ view }: { view: View }) {
  const { history } = t()
  const { query } = useLocation()
  const addressOf = (one: string) => urlOf(query, { chart: one === charts[0] ? undefined : one })
  return (
    <Choice
      label={history.chart}
      options={charts.map((one) => ({ name: history.charts[one], address: addressOf(one) }))}
      chosen={addressOf(view.chart)}
    />
  )
}

function PeriodTotals({ view, days }: { view: View; days: readonly Day[] }) {
  const { history, pockets } = t()
  const sum = (of: (day: Day) => number | null) => days.reduce((total, day) => total + (of(day) ?? 0), 0)
  const given = { name: history.given, text: formatNumber(sum((day) => day.given)) }
  const balance = days.at(-1)?.balance ?? null
  // Of the own balance both pockets are known.
  const own = view.username === me.value?.username ? account.value : null
  const points =
    own !== null
      ? [
          { name: pockets.budget, text: budgetText(own.budget) },
          { name: pockets.earned, text: formatNumber(own.redeemable) },
        ]
      : [{ name: history.balance, text: formatNumber(balance ?? 0) }]
  const figures =
    balance === null
      ? [given, { name: history.times, text: formatNumber(sum((day) => day.count)) }]
      : [...points, { name: history.received, text: formatNumber(sum((day) => day.received)) }, given]
  return (
    <dl class="flex flex-wrap gap-x-8 gap-y-3">
      {figures.map(({ name, text }) => (
        <div key={name}>
          <dt class="text-sm text-muted">{name}</dt>
          <dd class="text-2xl font-semibold tracking-tight tabular-nums">{text}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The data of the chart in rows, for screen readers and everybody who prefers it: only days with transactions. */
function DaysTable({ days }: { days: readonly Day[] }) {
  const { history } = t()
  const isOpen = useSignal(false)
  const active = days.filter(({ count }) => count > 0).toReversed()
  const hasBalance = days[0]?.balance != null
  return (
    <details
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open
      }}
    >
      <summary class="w-fit cursor-pointer text-sm text-muted hover:text-base-content pointer-coarse:py-3">
        {history.asTable}
      </summary>
      {isOpen.value && (
        <div class="mt-2">
          {active.length === 0 ? (
            <p class="text-sm text-muted">{history.noDays}</p>
          ) : (
            <table class="w-full text-sm tabular-nums">
              <caption class="pb-1 text-start text-xs text-muted">
                {fill(history.daysIn, { zone: serviceZone.value })}
              </caption>
              <thead>
                <tr class="text-end text-xs text-muted">
                  <Head name={history.day} isFirst />
                  {hasBalance && <Head name={history.received} />}
                  <Head name={history.given} />
                  {hasBalance && <Head name={history.balance} />}
                </tr>
              </thead>
              <tbody>
                {active.map(({ day, received, given, balance }) => (
                  <tr key={day} class="border-t border-line text-end">
                    <th scope="row" class="py-1.5 text-start font-normal">
                      {formatServerDay(day)}
                    </th>
                    {received !== null && <td>{formatNumber(received)}</td>}
                    <td>{formatNumber(given)}</td>
                    {balance !== null && <td>{formatNumber(balance)}</td>}
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </div>
      )}
    </details>
  )
}

function Head({ name, isFirst = false }: { name: string; isFirst?: boolean }) {
  return (
    <th scope="col" class={`py-1 font-medium ${isFirst ? "text-start" : "text-end"}`}>
      {name}
    </th>
  )
}
