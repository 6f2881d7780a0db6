import { loadMessageOf } from "../server/failure-messages.ts"
import type { Failure } from "../server/request.ts"
import { t } from "../texts/texts.ts"
import { Button, useAction } from "./button.tsx"

/** Stands where something should be that did not come. It is asked again by itself; `onRetry` is for the impatient. */
export function LoadFailure({ failure, onRetry }: { failure: Failure; onRetry: () => Promise<void> }) {
  const { busy, run } = useAction(onRetry)
  return (
    <div class="grid justify-items-start gap-3 py-6">
      <p role="alert" class="text-muted">
        {loadMessageOf(failure)}
      </p>
      <Button look="plain" busy={busy.value} onClick={run}>
        {t().failures.retry}
      </Button>
    </div>
  )
}
