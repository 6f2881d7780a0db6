import { useSignal } from "@preact/signals"
import { formatUtcDay } from "../../dates/dates.ts"
import { formatNumber } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"
import type { Day } from "./use-days.ts"

/** What the chart shows, for those who would rather read or hear it: the days on which something happened. */
export function DaysTable({ days }: { days: readonly Day[] }) {
  const { history } = t()
  const isOpen = useSignal(false)
  const busy = days.filter(({ count }) => count > 0).toReversed()
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
          {busy.length === 0 ? (
            <p class="text-sm text-muted">{history.noDays}</p>
          ) : (
            <table class="w-full text-sm tabular-nums">
              <caption class="pb-1 text-start text-xs text-muted">{history.daysUtc}</caption>
              <thead>
                <tr class="text-end text-xs text-muted">
                  <Head name={history.day} isFirst />
                  {hasBalance && <Head name={history.received} />}
                  <Head name={history.given} />
                  {hasBalance && <Head name={history.balance} />}
                </tr>
              </thead>
              <tbody>
                {busy.map(({ day, received, given, balance }) => (
                  <tr key={day} class="border-t border-line text-end">
                    <th scope="row" class="py-1.5 text-start font-normal">
                      {formatUtcDay(day)}
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
