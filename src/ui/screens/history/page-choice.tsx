import { ChevronLeft, ChevronRight } from "lucide"
import { useId } from "preact/hooks"
import { useLocation } from "preact-iso"
import { Icon } from "../../parts/icon.tsx"
import { fill, formatNumber } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"
import type { HistoryPage } from "./use-history.ts"
import { sizes, urlOf, type View } from "./view.ts"

/** From page to page, and how long one is. */
export function PageChoice({ view, page: { total, page, size } }: { view: View; page: HistoryPage }) {
  const { history } = t()
  const { query, route } = useLocation()
  const id = useId()
  const last = Math.max(1, Math.ceil(total / size))
  if (total <= sizes[0]) return null
  return (
    <div class="mt-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-2 print:hidden">
      <nav aria-label={history.pages} class="-ms-3 flex items-center gap-1">
        <Step icon={ChevronLeft} name={history.previous} to={page > 1 ? Math.min(page - 1, last) : null} />
        <span class="px-1 text-sm text-muted tabular-nums">
          {fill(history.pageOf, { page: formatNumber(page), last: formatNumber(last) })}
        </span>
        <Step icon={ChevronRight} name={history.next} to={page < last ? page + 1 : null} />
      </nav>
      <div class="flex items-center gap-2">
        <label for={id} class="text-sm text-muted">
          {history.size}
        </label>
        <select
          id={id}
          class="select select-sm w-auto border-base-content/45"
          value={String(view.size)}
          onChange={({ currentTarget: { value } }) =>
            route(urlOf(query, { size: value === String(sizes[0]) ? undefined : value }))
          }
        >
          {sizes.map((one) => (
            <option key={one} value={String(one)}>
              {formatNumber(one)}
            </option>
          ))}
        </select>
      </div>
    </div>
  )
}

function Step({ icon, name, to }: { icon: typeof ChevronLeft; name: string; to: number | null }) {
  const { query } = useLocation()
  const look = "btn btn-ghost btn-square btn-sm rtl:-scale-x-100"
  if (to === null)
    return (
      <span class={`${look} btn-disabled`} aria-hidden="true">
        <Icon of={icon} />
      </span>
    )
  return (
    <a class={look} href={urlOf(query, { page: to === 1 ? undefined : String(to) })} aria-label={name} title={name}>
      <Icon of={icon} />
    </a>
  )
}
