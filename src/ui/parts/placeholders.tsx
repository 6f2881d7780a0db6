import { loadMessageOf } from "../server/failure-messages.ts"
import type { Failure } from "../server/request.ts"
import { t } from "../texts/texts.ts"
import { Button, useAction } from "./button.tsx"

/** A placeholder for content that is loading, visible after 200 ms. `class` sets its final size. */
export function Skeleton({ class: className }: { class: string }) {
  return <span class={`late skeleton block bg-base-300 ${className}`} aria-hidden="true" />
}

/**
 * Shown in place of data that failed to load. The app retries automatically; `onRetry` is for users who do not want to
 * wait.
 */
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
