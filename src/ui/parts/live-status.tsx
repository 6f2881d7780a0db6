import { fill } from "../../languages/writing.ts"
import { formatClock } from "../dates.tsx"
import type { LiveState } from "../live.ts"
import { t } from "../texts/texts.ts"

const dots = { live: "bg-success", trying: "bg-base-content/40", down: "bg-error" }

/** The state of the stream connection, as a small status line. */
export function LiveStatus({ of: { state } }: { of: { readonly state: { readonly value: LiveState } } }) {
  const now = state.value
  if (now.kind === "off") return null
  const { live } = t()
  const label = now.kind === "down" ? fill(live.down, { time: formatClock(now.sinceMs) }) : live[now.kind]
  return (
    <p role="status" class="flex items-center gap-2 text-xs whitespace-nowrap text-muted">
      <span class={`size-2 rounded-full ${dots[now.kind]}`} aria-hidden="true" />
      {label}
    </p>
  )
}
