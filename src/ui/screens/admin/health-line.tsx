import { addresses } from "../../addresses.ts"
import { Skeleton } from "../../parts/skeleton.tsx"
import { Unloaded } from "../../parts/unloaded.tsx"
import { t } from "../../texts/texts.ts"
import { useHealth } from "./health.ts"

/** In one sentence how the server fares, with the way to more. */
export function HealthLine() {
  const { health } = t()
  const { data, failure, refresh } = useHealth()
  if (failure !== null) return <Unloaded failure={failure} onRetry={refresh} />
  return (
    <a
      href={addresses.adminServer}
      class="-mx-3 flex min-h-11 items-center gap-3.5 rounded-field px-3 py-2.5 hover:bg-base-300/50"
    >
      <span class="grid size-5 shrink-0 place-content-center" aria-hidden="true">
        <span
          class={`size-2.5 rounded-full ${data === null ? "bg-base-300" : data.ready ? "bg-success" : "bg-error"}`}
        />
      </span>
      {data === null ? (
        <Skeleton class="h-4 w-40" />
      ) : (
        <span class="font-medium">{data.ready ? health.well : health.unwell}</span>
      )}
    </a>
  )
}
