import type { Failure } from "../server/ask.ts"
import { wordsOf } from "../server/words.ts"
import { t } from "../texts/texts.ts"
import { Button } from "./button.tsx"
import { useAct } from "./use-act.ts"

/** Stands where something should be that did not come, with the way on. */
export function Unloaded({ failure, onRetry }: { failure: Failure; onRetry: () => Promise<void> }) {
  const { busy, run } = useAct(onRetry)
  return (
    <div class="grid justify-items-start gap-3 py-6">
      <p role="alert" class="text-muted">
        {wordsOf(failure)}
      </p>
      <Button look="plain" busy={busy.value} onClick={run}>
        {t().failures.retry}
      </Button>
    </div>
  )
}
