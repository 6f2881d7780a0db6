import type { ComponentChildren } from "preact"
import { dayOf, formatDayName, parseDate } from "../dates/dates.ts"
import { now } from "../dates/now.ts"
import { Entry } from "./entry.tsx"
import type { Thanks } from "./thanks.ts"

interface DaysProps {
  /** The newest first. */
  readonly entries: readonly Thanks[]
  /** Of those that came while one looked. */
  readonly isNew?: (entry: Thanks) => boolean
  /** What is on its way, before everything else of today. */
  readonly onTheWay?: ComponentChildren
}

/** Entries under the reader's own days. */
export function Days({ entries, isNew, onTheWay }: DaysProps) {
  const days = byDay(entries, onTheWay ? dayOf(now.value) : null)
  return days.map(({ day, ms, entries }, index) => (
    <section key={day} class="mt-6 first:mt-4">
      <h3 class="text-sm font-medium text-muted">{formatDayName(ms, now.value)}</h3>
      <ol class="divide-y divide-line">
        {index === 0 && onTheWay}
        {entries.map((entry) => (
          <li key={entry.key}>
            <Entry of={entry} isNew={isNew?.(entry) ?? false} />
          </li>
        ))}
      </ol>
    </section>
  ))
}

interface Day {
  readonly day: string
  readonly ms: number
  readonly entries: Thanks[]
}

function byDay(entries: readonly Thanks[], today: string | null): Day[] {
  const days: Day[] = today === null ? [] : [{ day: today, ms: now.value, entries: [] }]
  for (const entry of entries) {
    const ms = entry.date === null ? now.value : parseDate(entry.date)
    const last = days.at(-1)
    if (last?.day === dayOf(ms)) last.entries.push(entry)
    else days.push({ day: dayOf(ms), ms, entries: [entry] })
  }
  return days
}
