import { Button } from "../parts/button.tsx"
import { Unloaded } from "../parts/unloaded.tsx"
import { useAct } from "../parts/use-act.ts"
import { t } from "../texts/texts.ts"
import type { FeedList } from "./list.ts"

/** The way into the past, and its end. */
export function Older({ of: { entries, next, failure, older, again } }: { of: FeedList }) {
  const { busy, run } = useAct(older)
  if (entries.value === null || entries.value.length === 0) return null
  if (failure.value !== null) return <Unloaded failure={failure.value} onRetry={again} />
  if (next.value === null) return <p class="py-8 text-center text-sm text-muted">{t().feed.end}</p>
  return (
    <div class="grid justify-items-center py-6">
      <Button look="plain" busy={busy.value} onClick={run}>
        {t().feed.older}
      </Button>
    </div>
  )
}
