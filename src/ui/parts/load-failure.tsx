import { wordsOfUnloaded } from "../server/failure-messages.ts"
import type { Failure } from "../server/request.ts"
import { t } from "../texts/texts.ts"
import { Button, useAct } from "./button.tsx"

/** Stands where something should be that did not come. It is asked again by itself; `onRetry` is for the impatient. */
export function Unloaded({ failure, onRetry }: { failure: Failure; onRetry: () => Promise<void> }) {
  const { busy, run } = useAct(onRetry)
  return (
    <div class="grid justify-items-start gap-3 py-6">
      <p role="alert" class="text-muted">
        {wordsOfUnloaded(failure)}
      </p>
      <Button look="plain" busy={busy.value} onClick={run}>
        {t().failures.retry}
      </Button>
    </div>
  )
}
