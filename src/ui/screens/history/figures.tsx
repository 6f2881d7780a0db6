import { formatNumber } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"
import type { Day } from "./use-days.ts"

/** What the days come to. */
export function Figures({ days }: { days: readonly Day[] }) {
  const { history } = t()
  const sum = (of: (day: Day) => number | null) => days.reduce((total, day) => total + (of(day) ?? 0), 0)
  const given = { name: history.given, value: sum((day) => day.given) }
  const balance = days.at(-1)?.balance ?? null
  const figures =
    balance === null
      ? [given, { name: history.times, value: sum((day) => day.count) }]
      : [
          { name: history.balance, value: balance },
          { name: history.received, value: sum((day) => day.received) },
          given,
        ]
  return (
    <dl class="flex flex-wrap gap-x-8 gap-y-3">
      {figures.map(({ name, value }) => (
        <div key={name}>
          <dt class="text-sm text-muted">{name}</dt>
          <dd class="text-2xl font-semibold tracking-tight tabular-nums">{formatNumber(value)}</dd>
        </div>
      ))}
    </dl>
  )
}
