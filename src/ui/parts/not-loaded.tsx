import { useLayoutEffect } from "preact/hooks"
import { reloadIfReachable, reloadWhenReachable } from "../reload.ts"
import { t } from "../texts/texts.ts"
import { Button } from "./button.tsx"
import { useAct } from "./use-act.ts"
import { useTitle } from "./use-title.ts"

/** Stands for a screen whose script could not be loaded, until the page is reloaded. */
export function NotLoaded() {
  useTitle(t().failures.screenTitle)
  const retrying = useAct(reloadIfReachable)
  useLayoutEffect(() => {
    let isWanted = true
    void reloadWhenReachable(() => isWanted)
    return () => {
      isWanted = false
    }
  }, [])
  return (
    <div class="grid justify-items-start gap-4 px-6 py-16">
      <p role="alert">
        {t().failures.screen} <span class="text-muted">{t().failures.screenWaits}</span>
      </p>
      <Button look="plain" busy={retrying.busy.value} onClick={retrying.run}>
        {t().failures.retry}
      </Button>
    </div>
  )
}
