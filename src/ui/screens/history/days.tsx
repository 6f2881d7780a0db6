import { useMemo } from "preact/hooks"
import { useLocation } from "preact-iso"
import { Chart } from "../../charts/chart.tsx"
import { formatShortUtcDay, formatUtcDay } from "../../dates/dates.ts"
import { Choice } from "../../parts/choice.tsx"
import { Skeleton } from "../../parts/skeleton.tsx"
import { Unloaded } from "../../parts/unloaded.tsx"
import { fill, formatCompact, formatNumber } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"
import { DaysTable } from "./days-table.tsx"
import { Figures } from "./figures.tsx"
import { type Day, daysAsked, daysIn, useDays } from "./use-days.ts"
import { charts, periods, urlOf, type View } from "./view.ts"

/** Balance over time and points a day: figures, a chart, and the same as a table. */
export function Days({ view }: { view: View }) {
  const { data, failure, refresh } = useDays(daysAsked(view))
  const days = useMemo(() => data && daysIn(data), [data])
  if (failure !== null) return <Unloaded failure={failure} onRetry={refresh} />
  return (
    <section
      aria-label={t().history.overTime}
      class="mt-5 grid grid-cols-1 gap-3 sm:gap-4 rounded-box bg-base-100 p-4 sm:p-5 print:hidden"
    >
      {days === null ? <Skeleton class="h-[15.25rem] sm:h-[17.5rem] w-full" /> : <Drawn view={view} days={days} />}
      <Choices view={view} hasBalance={view.username !== null} />
      {days !== null && <DaysTable days={days} />}
    </section>
  )
}

function Drawn({ view, days }: { view: View; days: readonly Day[] }) {
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
      <Figures days={days} />
      <Chart
        label={isBalance ? history.balanceOverTime : history.pointsADay}
        series={series}
        placeLabel={(index) => (days[index] ? formatShortUtcDay(dayAt(index)) : "")}
        valueLabel={(value) => formatCompact(isBalance ? value : Math.abs(value))}
        describe={(index) => `${formatUtcDay(dayAt(index))}: ${sentenceOf(days[index], isBalance)}`}
        summary={isBalance ? history.balanceOverTime : history.pointsADay}
      />
    </>
  )
}

/** What came stands above the line, what went below. */
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

function Choices({ view, hasBalance }: { view: View; hasBalance: boolean }) {
  const { history } = t()
  const { query } = useLocation()
  const chartUrl = (one: string) => urlOf(query, { chart: one === charts[0] ? undefined : one })
  const periodUrl = (one: number) => urlOf(query, { days: one === periods[0] ? undefined : String(one) })
  return (
    <div class="flex flex-wrap justify-between gap-x-6 gap-y-1">
      <Choice
        label={history.period}
        options={periods.map((one) => ({ name: history.periods[one], address: periodUrl(one) }))}
        chosen={periodUrl(view.days)}
      />
      {hasBalance && (
        <Choice
          label={history.chart}
          options={charts.map((one) => ({ name: history.charts[one], address: chartUrl(one) }))}
          chosen={chartUrl(view.chart)}
        />
      )}
    </div>
  )
}
