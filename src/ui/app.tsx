import { useSignal } from "@preact/signals"
import type { FunctionComponent, RefObject } from "preact"
import { useLayoutEffect, useMemo, useRef } from "preact/hooks"
import { ErrorBoundary, LocationProvider, lazy, Route, Router, useLocation } from "preact-iso"
import { addresses } from "./addresses.ts"
import { toLogin, whenLoggedIn } from "./login-methods.ts"
import { Button, useAction } from "./parts/button.tsx"
import { Missing } from "./parts/placeholders.tsx"
import { screenTitle } from "./screen.ts"
import { type Screen, screenAt, screens } from "./screens.tsx"
import type { Failure } from "./server/api.ts"
import { loadMessageOf } from "./server/failure-messages.ts"
import { useRetry } from "./server/retry.ts"
import { loadSession, me, mustSetUpFactor, session } from "./session.ts"
import { Shell } from "./shell/shell.tsx"
import { loadTexts, t } from "./texts/texts.ts"

/** The router handles only the app's own addresses; the browser handles all other links. */
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

/** Access control: redirects anonymous visitors to the log-in page, which sends them back to the requested address. */
function AccessGate() {
  const { path, url, route } = useLocation()
  const { kind } = session.value
  const screen = useMemo(() => screenAt(path), [path])
  const isBare = screen?.frame === "bare"
  const isUnknownAddress = screen === undefined
  const mustLogIn = kind === "anonymous" && !isBare && !isUnknownAddress
  const isAlreadyLoggedIn = kind === "member" && path === addresses.login
  const userNumber = useUserNumber()
  const place = useRef<HTMLDivElement>(null)

  useLayoutEffect(() => {
    void screen?.preload()
  }, [screen])
  useLayoutEffect(() => {
    if (mustLogIn) {
      screenTitle.value = t().login.title // that of the last screen may name people
      route(toLogin(url), true)
    }
    if (isAlreadyLoggedIn) route(whenLoggedIn(url), true)
  }, [mustLogIn, isAlreadyLoggedIn, url])

  if (isBare) return isAlreadyLoggedIn ? null : <Page frame="bare" />
  if (kind === "anonymous" && isUnknownAddress)
    return (
      <main class="mx-auto max-w-2xl px-6">
        <Missing />
      </main>
    )
  if (session.value.kind === "failed") return <SessionFailure answer={session.value.answer} />
  if (mustLogIn) return null
  if (kind === "member" && mustSetUpFactor.value)
    return (
      <ErrorBoundary>
        <RequiredFactor />
      </ErrorBoundary>
    )
  const isKnown = kind === "member" || kind === "ended"
  return (
    <>
      <div ref={place} class="contents">
        <div class="contents">
          <Shell key={userNumber}>{isKnown && <Page frame="shell" />}</Shell>
        </div>
      </div>
      {kind === "ended" && <LoginDialog insteadOf={place} />}
    </>
  )
}

/**
 * Another number for each user, so that no state of one user survives for the next. The first user has the number of the
 * time before, so that what was opened while the account was loading stays open.
 */
function useUserNumber(): number {
  const last = useRef<{ readonly username: string | undefined; readonly number: number }>({
    username: undefined,
    number: 0,
  })
  const username = me.value?.username
  if (username !== undefined && username !== last.current.username)
    last.current = { username, number: last.current.number + (last.current.username === undefined ? 0 : 1) }
  return last.current.number
}

/** Loaded on first use: few people ever see it. */
const RequiredFactor = lazy(async () => {
  const [{ RequiredFactor: component }] = await Promise.all([
    import("./second-factor/required.tsx"),
    loadTexts(["profile", "shared"]),
  ])
  return component
})

/** The screen of the current address. The previous screen stays visible until the new one is loaded. */
function Page({ frame }: Pick<Screen, "frame">) {
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

/** Takes the content of an element out of the document. The returned function puts it back as it was, open dialogs too. */
function takenOut(place: HTMLElement | null): () => void {
  const content = place?.firstElementChild
  if (!place || !content) return () => {}
  const [x, y] = [scrollX, scrollY]
  const dialogs = content.querySelectorAll<HTMLDialogElement>("dialog:modal")
  content.remove()
  return () => {
    place.append(content)
    for (const dialog of dialogs) {
      if (!dialog.isConnected) continue
      dialog.removeAttribute("open")
      dialog.showModal()
    }
    scrollTo(x, y)
  }
}

/** Moves the focus to the content after navigation, so that screen readers announce the new screen. */
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

/** Without a connection it comes from the service worker. */
const LastFeed = lazy(async () => (await import("./device/last-feed.tsx")).LastFeed)

/** Shown instead of the app when the session request fails. */
function SessionFailure({ answer }: { answer: Failure }) {
  const { busy, run } = useAction(loadSession)
  useRetry(answer, loadSession)
  return (
    <main class="grid min-h-dvh place-content-center justify-items-center gap-5 p-6 text-center">
      <p role="alert">{loadMessageOf(answer)}</p>
      <Button look="plain" busy={busy.value} onClick={run}>
        {t().failures.retry}
      </Button>
      {answer.kind === "unreachable" && (
        <ErrorBoundary>
          <LastFeed />
        </ErrorBoundary>
      )}
    </main>
  )
}

/**
 * The log-in screen as a dialog in place of a page whose session has ended. The page is taken out of the document, so that nothing
 * of it is shown, and put back when the same user returns, so that nothing that was typed is lost.
 */
function LoginDialog({ insteadOf }: { readonly insteadOf: RefObject<HTMLElement | null> }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const login = useSignal<FunctionComponent | null>(null)
  useLayoutEffect(() => {
    void screenAt(addresses.login)
      ?.preload()
      .then((Login) => {
        login.value = Login
      })
  }, [])
  useLayoutEffect(() => {
    const title = screenTitle.peek()
    const shown = dialog.current
    const typedIn = document.activeElement
    const putBack = takenOut(insteadOf.current)
    shown?.showModal()
    return () => {
      shown?.close()
      putBack()
      screenTitle.value = title
      // Closing the dialog restores the focus, but not the position in the text. Focusing again restores both.
      setTimeout(() => {
        if (!(typedIn instanceof HTMLElement)) return
        typedIn.blur()
        typedIn.focus()
      })
    }
  }, [])

  const Login = login.value
  return (
    <dialog
      ref={dialog}
      aria-label={t().login.title}
      class="m-0 h-dvh max-h-none w-dvw max-w-none overflow-y-auto bg-base-200 text-base-content"
      // Without this, a second Escape closes the dialog even if `cancel` is prevented.
      onKeyDown={(event) => event.key === "Escape" && event.preventDefault()}
      onCancel={(event) => event.preventDefault()}
    >
      {Login && <Login />}
    </dialog>
  )
}
