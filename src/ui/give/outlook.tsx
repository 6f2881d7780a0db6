import { fill, formatNumber, formatPoints } from "../texts/format.ts"
import { t } from "../texts/texts.ts"
import type { Judgement } from "./judge.ts"

/** What the draft comes to, and what is left then. */
export function Outlook({ of: { count, value, total, left, isTooMuch } }: { of: Judgement }) {
  const { give } = t()
  const sum =
    value === null || total === null
      ? null
      : count > 1
        ? fill(give.sum, { count: formatNumber(count), value: formatNumber(value), total: formatPoints(total) })
        : formatPoints(value)
  return (
    <output class="min-w-0 text-sm tabular-nums">
      {sum !== null && <span class="font-medium">{sum}</span>}
      {sum !== null && left !== null && !isTooMuch && (
        <span class="text-muted"> · {fill(give.leaves, { points: formatNumber(left) })}</span>
      )}
    </output>
  )
}
