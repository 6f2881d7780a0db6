import { useSignal } from "@preact/signals"
import { useRef } from "preact/hooks"
import { useLocation } from "preact-iso"
import { addresses } from "../../addresses.ts"
import { Button } from "../../parts/button.tsx"
import { Notice } from "../../parts/notice.tsx"
import { PasswordField } from "../../parts/password-field.tsx"
import { useAct } from "../../parts/use-act.ts"
import { useFocus } from "../../parts/use-focus.ts"
import { useTitle } from "../../parts/use-title.ts"
import { api } from "../../server/api.ts"
import { ask } from "../../server/ask.ts"
import { wordsOf } from "../../server/words.ts"
import { loginNotice } from "../../session.ts"
import { Entrance } from "../../shell/entrance.tsx"
import { t } from "../../texts/texts.ts"
import { resetToken } from "./token.ts"

export function Reset() {
  const { reset } = t()
  useTitle(reset.title)
  const isSpent = useSignal(false)
  const link = resetToken()
  if (link === null) return <NewLink title={reset.missingTitle} lead={reset.missingLink} />
  if (isSpent.value) return <NewLink title={reset.spentTitle} lead={reset.spent} />
  return <NewPassword {...link} onSpent={() => (isSpent.value = true)} />
}

interface NewPasswordProps {
  readonly token: string
  readonly username: string
  readonly onSpent: () => void
}

function NewPassword({ token, username, onSpent }: NewPasswordProps) {
  const { reset } = t()
  const { route } = useLocation()
  const password = useSignal("")
  const confirmation = useSignal("")
  const passwordError = useSignal<string | null>(null)
  const confirmationError = useSignal<string | null>(null)
  const refusal = useSignal<string | null>(null)
  const passwordInput = useRef<HTMLInputElement>(null)
  const confirmationInput = useRef<HTMLInputElement>(null)
  useFocus(passwordInput)

  const { busy, run } = useAct(async () => {
    refusal.value = null
    passwordError.value = password.value === "" ? reset.missing : null
    confirmationError.value = password.value !== confirmation.value ? reset.differ : null
    if (passwordError.value !== null) return passwordInput.current?.focus()
    if (confirmationError.value !== null) return confirmationInput.current?.focus()

    const body = { password: password.value, password_confirm: confirmation.value }
    const answer = await ask(api.user({ username }).password.post(body, { query: { pwd_reset_token: token } }))
    if (answer.kind === "refused" && (answer.status === 403 || answer.status === 404)) return onSpent()
    if (answer.kind !== "done") {
      refusal.value = wordsOf(answer)
      return passwordInput.current?.focus()
    }
    loginNotice.value = "changed"
    route(addresses.login, true)
  })

  return (
    <Entrance
      title={reset.title}
      lead={
        <>
          {reset.of} <b dir="auto">{username}</b>
        </>
      }
    >
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
        <Button busy={busy.value} wide>
          {reset.submit}
        </Button>
      </form>
    </Entrance>
  )
}

function NewLink({ title, lead }: { title: string; lead: string }) {
  return (
    <Entrance title={title} lead={lead}>
      <a href={addresses.forgot} class="btn btn-primary btn-block font-medium">
        {t().reset.ask}
      </a>
    </Entrance>
  )
}
