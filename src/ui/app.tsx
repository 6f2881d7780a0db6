import { useLayoutEffect, useMemo } from "preact/hooks"
import { LocationProvider, useLocation } from "preact-iso"
import { addresses } from "./addresses.ts"
import { Page } from "./page.tsx"
import { afterLogin, toLogin } from "./screens/login/way.ts"
import { Missing } from "./screens/missing/missing.tsx"
import { screenAt } from "./screens.ts"
import { me, session } from "./session.ts"
import { Ended } from "./shell/ended.tsx"
import { Shell } from "./shell/shell.tsx"
import { Trouble } from "./shell/trouble.tsx"

/** Links to what the server has beside the app are left to the browser. */
const ours = new RegExp(
  `^(?:${Object.values(addresses)
    .map((address) => address.replace(/:\w+/g, "[^/?#]+"))
    .join("|")})/?(?:[?#]|$)`,
)

export function App() {
  return (
    <LocationProvider scope={ours}>
      <Gate />
    </LocationProvider>
  )
}

/** Who may see what: strangers are sent to log in and come back to where they wanted to go. */
function Gate() {
  const { path, url, route } = useLocation()
  const { kind } = session.value
  const screen = useMemo(() => screenAt(path), [path])
  const isBare = screen?.frame === "bare"
  const isNowhere = kind === "stranger" && screen === undefined
  const mustLogIn = kind === "stranger" && !isBare && !isNowhere
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
  if (session.value.kind === "failed") return <Trouble answer={session.value.answer} />
  if (mustLogIn) return null
  const isKnown = kind === "member" || kind === "ended"
  return (
    <>
      {/* Nothing of one person stays for the next. */}
      <Shell key={me.value?.username}>{isKnown && <Page frame="shell" />}</Shell>
      {kind === "ended" && <Ended />}
    </>
  )
}
