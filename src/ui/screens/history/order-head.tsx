import { ArrowDown, ArrowUp } from "lucide"
import { useLocation } from "preact-iso"
import { Icon } from "../../parts/icon.tsx"
import { type OrderField, orderText, urlOf, type View } from "./view.ts"

interface OrderHeadProps {
  readonly view: View
  readonly field: OrderField
  readonly name: string
  readonly class?: string
  readonly isNumber?: boolean
}

/** Head of a column: pressed, it orders by it, and once more the other way. */
export function OrderHead({ view: { order }, field, name, class: width = "", isNumber = false }: OrderHeadProps) {
  const { query } = useLocation()
  const isOrder = order.field === field
  const isDescending = isOrder ? !order.isDescending : beginsWithMost.has(field)
  const next = orderText({ field, isDescending })
  return (
    <th
      scope="col"
      class={`border-b border-line p-0 ${width}`}
      aria-sort={isOrder ? (order.isDescending ? "descending" : "ascending") : undefined}
    >
      <a
        href={urlOf(query, { order_by: next === usual ? undefined : next })}
        class={`flex min-h-9 items-center gap-1 text-xs font-medium hover:text-base-content pointer-coarse:min-h-11 ${isNumber ? "justify-end" : ""} ${isOrder ? "text-base-content" : "text-muted"}`}
      >
        {name}
        {isOrder && <Icon of={order.isDescending ? ArrowDown : ArrowUp} class="size-3.5 print:hidden" />}
      </a>
    </th>
  )
}

const beginsWithMost: ReadonlySet<OrderField> = new Set(["date", "value"])
const usual = "-date"
