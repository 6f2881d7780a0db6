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

/** The app's logo; it is decorative, because the name is beside it. */
export function Logo() {
  return (
    <svg class="size-7 shrink-0" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" class="fill-primary" />
      <path d="M16 6.5l2.6 6.9 6.9 2.6-6.9 2.6L16 25.5l-2.6-6.9L6.5 16l6.9-2.6z" class="fill-primary-content" />
    </svg>
  )
}
