import { Download, Printer } from "lucide"
import { useLocation } from "preact-iso"
import { Icon } from "../../parts/icon.tsx"
import { fill, formatNumber, formatPlural } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"
import type { HistoryPage } from "./use-history.ts"
import { csvUrl, type View } from "./view.ts"

/** How many entries there are, which of them are shown, and how to take them along. */
export function Totals({ view, page: { items, total, page, size } }: { view: View; page: HistoryPage }) {
  const { history } = t()
  const { query } = useLocation()
  const first = (page - 1) * size + 1
  const span = { first: formatNumber(first), last: formatNumber(first + items.length - 1) }
  const isPart = items.length > 0 && items.length < total
  return (
    <div class="mt-6 flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
      <p role="status" class="text-sm text-muted tabular-nums">
        {formatPlural(total, history.entries)}
        {isPart && ` · ${fill(history.shown, span)}`}
      </p>
      <p class="-me-3 flex flex-wrap gap-1 print:hidden">
        <a class="btn btn-ghost btn-sm font-normal" href={csvUrl(view, query)} download>
          <Icon of={Download} class="size-4" />
          {history.csv}
        </a>
        <button type="button" class="btn btn-ghost btn-sm font-normal" onClick={() => print()}>
          <Icon of={Printer} class="size-4" />
          {history.print}
        </button>
      </p>
    </div>
  )
}
