import { dayOf, formatDayHeading, parseDate } from "../../dates/dates.ts"
import { now } from "../../dates/now.ts"
import { Skeleton } from "../../parts/skeleton.tsx"
import { t } from "../../texts/texts.ts"
import { EntryRow } from "./entry-row.tsx"
import { OrderHead } from "./order-head.tsx"
import type { Entry } from "./use-history.ts"
import type { View } from "./view.ts"

/** In order of dates they stand under the reader's days. */
export function Entries({ view, items }: { view: View; items: readonly Entry[] }) {
  const { history } = t()
  const isByDay = view.order.field === "date"
  return (
    <table class="mt-1 w-full table-fixed border-collapse text-start">
      <caption class="sr-only">{history.title}</caption>
      <thead>
        <tr>
          <OrderHead view={view} field="date" name={history.when} class={isByDay ? "w-[22%]" : "w-[26%]"} />
          <OrderHead view={view} field="from_user" name={history.from} />
          <OrderHead view={view} field="user" name={history.to} />
          <OrderHead view={view} field="value" name={history.points} class="w-[20%]" isNumber />
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
              <EntryRow key={entry.id} entry={entry} owner={view.username} hasDay={false} />
            ))}
          </tbody>
        ))
      ) : (
        <tbody>
          {items.map((entry) => (
            <EntryRow key={entry.id} entry={entry} owner={view.username} hasDay />
          ))}
        </tbody>
      )}
    </table>
  )
}

type Day = [Entry, ...Entry[]]

function daysOf(items: readonly Entry[]): Day[] {
  const days: Day[] = []
  for (const entry of items) {
    const day = days.at(-1)
    if (day && dayOf(parseDate(day[0].date)) === dayOf(parseDate(entry.date))) day.push(entry)
    else days.push([entry])
  }
  return days
}

const shapes = Array.from({ length: 10 }, (_, index) => index)

export function EntriesSkeleton() {
  return (
    <div class="mt-24">
      {shapes.map((index) => (
        <Skeleton key={index} class="mb-4 h-7 w-full" />
      ))}
    </div>
  )
}
