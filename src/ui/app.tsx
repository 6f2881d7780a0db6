import { useSignal } from "@preact/signals"
import { useLayoutEffect, useMemo } from "preact/hooks"
import { ErrorBoundary, LocationProvider, Route, Router, useLocation } from "preact-iso"
import { addresses } from "./addresses.ts"
import { afterLogin, toLogin } from "./login-redirect.ts"
import { Button, useAction } from "./parts/button.tsx"
import { Missing } from "./screens/missing.tsx"
import { type Screen, screenAt, screens } from "./screens.ts"
import { loadMessageOf } from "./server/failure-messages.ts"
import type { Failure } from "./server/request.ts"
import { useRetry } from "./server/retry.ts"
import { loadSession, me, session } from "./session.ts"
import { LoginDialog } from "./shell/login-dialog.tsx"
import { Shell } from "./shell/shell.tsx"
import { t } from "./texts/texts.ts"

/** Links to what the server has beside the app are left to the browser. */
const appLinks = new RegExp(
  `^(?:${Object.values(addresses)
    .map((address) => address.replace(/:\w+/g, "[^/?#]+"))
    .join("|")})/?(?:[?#]|$)`,
)

export function App() {
  return (
    <LocationProvider scope={appLinks}>
      <AccessGate />
    </LocationProvider>
  )
}

/** Who may see what: strangers are sent to log in and come back to where they wanted to go. */
function AccessGate() {
  const { path, url, route } = useLocation()
  const { kind } = session.value
  const screen = useMemo(() => screenAt(path), [path])
  const isBare = screen?.frame === "bare"
  const isNowhere = kind === "anonymous" && screen === undefined
  const mustLogIn = kind === "anonymous" && !isBare && !isNowhere
  const isIn = kind === "member" && path === addresses.login

  useLayoutEffect(() => {
    void screen?.preload()
  }, [screen])
  useLayoutEffect(() => {
    if (mustLogIn) route(toLogin(url), true)
    else if (isIn) route(afterLogin(url), true)
  }, [mustLogIn, isIn, url])

  if (isBare) return isIn ? null : <Page frame="bare" />
  if (isNowhere)
    return (
      <main class="mx-auto max-w-2xl px-6">
        <Missing />
      </main>
    )
  if (session.value.kind === "failed") return <SessionFailure answer={session.value.answer} />
  if (mustLogIn) return null
  const isKnown = kind === "member" || kind === "ended"
  return (
    <>
      {/* Nothing of one person stays for the next. */}
      <Shell key={me.value?.username}>{isKnown && <Page frame="shell" />}</Shell>
      {kind === "ended" && <LoginDialog />}
    </>
  )
}

/** The screen of the current address. The one before it stays until it is loaded. */
export function Page({ frame }: Pick<Screen, "frame">) {
  const hasFailed = useSignal(false)
  if (hasFailed.value) return <RenderFailure />
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

function RenderFailure() {
  return (
    <div class="grid justify-items-start gap-4 py-16">
      <p>{t().failures.screen}</p>
      <Button look="plain" onClick={() => location.reload()}>
        {t().failures.retry}
      </Button>
    </div>
  )
}

/** Stands for everything while it cannot be known who one is. */
export function SessionFailure({ answer }: { answer: Failure }) {
  const { busy, run } = useAction(loadSession)
  useRetry(answer, loadSession)
  return (
    <main class="grid min-h-dvh place-content-center justify-items-center gap-5 p-6 text-center">
      <p role="alert">{loadMessageOf(answer)}</p>
      <Button look="plain" busy={busy.value} onClick={run}>
        {t().failures.retry}
      </Button>
    </main>
  )
}
