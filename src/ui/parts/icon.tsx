import type { IconNode } from "lucide"
import { h } from "preact"

/** A lucide icon. It is hidden from screen readers, so text or an `aria-label` must give its meaning. */
export function Icon({ of, class: className = "size-5" }: { of: IconNode; class?: string }) {
  return (
    <svg
      class={`shrink-0 ${className}`}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="1.75"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      {of.map(([tag, attributes]) => h(tag, attributes))}
    </svg>
  )
}
