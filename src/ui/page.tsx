import { useSignal } from "@preact/signals"
import { ErrorBoundary, Route, Router } from "preact-iso"
import { Button } from "./parts/button.tsx"
import { Missing } from "./screens/missing/missing.tsx"
import { type Screen, screens } from "./screens.ts"
import { t } from "./texts/texts.ts"

/** The screen of the current address. The one before it stays until it is loaded. */
export function Page({ frame }: Pick<Screen, "frame">) {
  const hasFailed = useSignal(false)
  if (hasFailed.value) return <Unloaded />
  return (
    <ErrorBoundary
      onError={() => {
        hasFailed.value = true
      }}
    >
      <Router onLoadEnd={focusOnScreen}>
        {screens
          .filter((screen) => screen.frame === frame)
          .map(({ address, component }) => (
            <Route key={address} path={address} component={component} />
          ))}
        <Route default component={Missing} />
      </Router>
    </ErrorBoundary>
  )
}

/** Whoever hears the page hears where a link led to. */
function focusOnScreen() {
  if (document.activeElement === null || document.activeElement === document.body) return
  if (document.activeElement.closest("main") === null) document.querySelector<HTMLElement>("main")?.focus()
}

function Unloaded() {
  return (
    <div class="grid justify-items-start gap-4 py-16">
      <p>{t().failures.screen}</p>
      <Button look="plain" onClick={() => location.reload()}>
        {t().failures.retry}
      </Button>
    </div>
  )
}
