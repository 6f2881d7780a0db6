import { useSignal } from "@preact/signals"
import { useRef } from "preact/hooks"
import { Button } from "../../parts/button.tsx"
import { Notice } from "../../parts/notice.tsx"
import { PasswordField } from "../../parts/password-field.tsx"
import { useAct } from "../../parts/use-act.ts"
import { api } from "../../server/api.ts"
import { ask } from "../../server/ask.ts"
import { wordsOf } from "../../server/words.ts"
import { refreshAccount } from "../../session.ts"
import { t } from "../../texts/texts.ts"

interface PasswordProps {
  readonly username: string
  readonly onChanged: () => Promise<void>
}

/** A new password for oneself: every other session ends, this one goes on. */
export function Password({ username, onChanged }: PasswordProps) {
  const { profile, reset } = t()
  const password = useSignal("")
  const confirmation = useSignal("")
  const passwordError = useSignal<string | null>(null)
  const confirmationError = useSignal<string | null>(null)
  const refusal = useSignal<string | null>(null)
  const isChanged = useSignal(false)
  const passwordInput = useRef<HTMLInputElement>(null)
  const confirmationInput = useRef<HTMLInputElement>(null)

  const { busy, run } = useAct(async () => {
    refusal.value = null
    isChanged.value = false
    passwordError.value = password.value === "" ? reset.missing : null
    confirmationError.value = password.value !== confirmation.value ? reset.differ : null
    if (passwordError.value !== null) return passwordInput.current?.focus()
    if (confirmationError.value !== null) return confirmationInput.current?.focus()

    const body = { password: password.value, password_confirm: confirmation.value }
    const answer = await ask(api.user({ username }).password.post(body))
    if (answer.kind !== "done") {
      refusal.value = wordsOf(answer)
      return passwordInput.current?.focus()
    }
    password.value = ""
    confirmation.value = ""
    isChanged.value = true
    await Promise.all([onChanged(), refreshAccount()])
  })

  return (
    <form
      class="grid gap-5"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void run()
      }}
    >
      {/* For password managers: whose password it is. */}
      <input class="hidden" autoComplete="username" value={username} readOnly />
      {refusal.value !== null && <Notice kind="wrong">{refusal.value}</Notice>}
      {isChanged.value && <Notice kind="told">{profile.passwordChanged}</Notice>}
      <PasswordField
        label={reset.password}
        value={password}
        error={passwordError.value}
        input={passwordInput}
        autoComplete="new-password"
      />
      <PasswordField
        label={reset.confirm}
        value={confirmation}
        error={confirmationError.value}
        input={confirmationInput}
        autoComplete="new-password"
      />
      <div class="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button busy={busy.value}>{profile.changePassword}</Button>
        <p class="text-sm text-muted">{profile.endsOthers}</p>
      </div>
    </form>
  )
}
