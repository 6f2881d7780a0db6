import { formatExact, formatRelative, now, parseDate } from "../dates.ts"

/** A server date: relative as text, exact on hover and in the markup. */
export function Time({ date }: { date: string }) {
  const ms = parseDate(date)
  return (
    <time dateTime={new Date(ms).toISOString()} title={formatExact(ms)}>
      {formatRelative(ms, now.value)}
    </time>
  )
}
