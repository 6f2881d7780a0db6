import { Button } from "../parts/button.tsx"
import { useAct } from "../parts/use-act.ts"
import { useAgain } from "../server/again.ts"
import type { Failure } from "../server/ask.ts"
import { wordsOfUnloaded } from "../server/words.ts"
import { loadSession } from "../session.ts"
import { t } from "../texts/texts.ts"

/** Stands for everything while it cannot be known who one is. */
export function Trouble({ answer }: { answer: Failure }) {
  const { busy, run } = useAct(loadSession)
  useAgain(answer, loadSession)
  return (
    <main class="grid min-h-dvh place-content-center justify-items-center gap-5 p-6 text-center">
      <p role="alert">{wordsOfUnloaded(answer)}</p>
      <Button look="plain" busy={busy.value} onClick={run}>
        {t().failures.retry}
      </Button>
    </main>
  )
}
