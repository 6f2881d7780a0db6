import { LogOut } from "lucide"
import { useAction } from "../parts/button.tsx"
import { Notice } from "../parts/form.tsx"
import { Icon } from "../parts/icon.tsx"
import { messageOf } from "../server/failure-messages.ts"
import { logOut, logOutFailure } from "../session.ts"
import { t } from "../texts/texts.ts"

/** Loaded with the page, so that a log-out never depends on a script that is still to be loaded. */
export function LogOutButton() {
  const { busy, run } = useAction(logOut)
  return (
    <button
      type="button"
      class="btn btn-ghost justify-start gap-3 px-2.5 font-normal"
      aria-busy={busy.value}
      onClick={run}
    >
      <Icon of={LogOut} class="size-4.5" />
      {t().shell.logOut}
    </button>
  )
}

/** Says that the user is still logged in, and why. */
export function LogOutFailure() {
  const failure = logOutFailure.value
  if (failure === null) return null
  return (
    <Notice kind="error">
      {t().shell.stillLoggedIn} {messageOf(failure)}
    </Notice>
  )
}
