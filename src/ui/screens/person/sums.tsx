import { Skeleton } from "../../parts/skeleton.tsx"
import { formatNumber, formatPlural } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"

interface Sum {
  readonly points: number
  /** Transfers. */
  readonly count: number
}

interface SumsProps {
  readonly received: Sum | undefined
  readonly sent: Sum | undefined
}

/** What somebody received and gave in all; undefined while it is loading. */
export function Sums({ received, sent }: SumsProps) {
  const { person } = t()
  return (
    <dl class="grid grid-cols-[repeat(auto-fit,minmax(min(100%,8rem),1fr))] gap-4">
      <Side name={person.received} sum={received} />
      <Side name={person.given} sum={sent} />
    </dl>
  )
}

function Side({ name, sum }: { name: string; sum: Sum | undefined }) {
  return (
    <div class="rounded-box bg-base-100 p-4">
      <dt class="text-sm text-muted">{name}</dt>
      <dd class="mt-1">
        <span class="block text-2xl font-semibold tracking-tight tabular-nums">
          {sum === undefined ? <Skeleton class="h-8 w-20" /> : formatNumber(sum.points)}
        </span>
        <span class="block text-sm text-muted tabular-nums">
          {sum === undefined ? <Skeleton class="mt-1 h-4 w-16" /> : formatPlural(sum.count, t().person.times)}
        </span>
      </dd>
    </div>
  )
}
