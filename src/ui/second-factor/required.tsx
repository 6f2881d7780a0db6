import { useSignal } from "@preact/signals"
import { Button, useAction } from "../parts/button.tsx"
import { useTitle } from "../screen.ts"
import { loadSession, logOut } from "../session.ts"
import { LogOutFailure } from "../shell/log-out.tsx"
import { LoginLayout } from "../shell/login-layout.tsx"
import { t } from "../texts/texts.ts"
import { SecondFactors } from "./second-factors.tsx"

/**
 * Shown to users who must set up a second factor before anything else. Stays until they continue, so that they see the
 * recovery codes.
 */
export function RequiredFactor() {
  const { secondFactor, shell } = t()
  useTitle(secondFactor.title)
  const isDone = useSignal(false)
  const going = useAction(loadSession)
  const leaving = useAction(logOut)
  return (
    <LoginLayout title={secondFactor.title} lead={secondFactor.requiredLead}>
      <SecondFactors
        onChange={() => {
          isDone.value = true
        }}
      />
      <LogOutFailure />
      <p class="flex flex-wrap gap-2">
        {isDone.value && (
          <Button busy={going.busy.value} onClick={going.run}>
            {secondFactor.goOn}
          </Button>
        )}
        <Button look="quiet" busy={leaving.busy.value} onClick={leaving.run}>
          {shell.logOut}
        </Button>
      </p>
    </LoginLayout>
  )
}
