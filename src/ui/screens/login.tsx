import { useSignal } from "@preact/signals"
import { useRef } from "preact/hooks"
import { addresses } from "../addresses.ts"
import { Button, useAction } from "../parts/button.tsx"
import { Field, PasswordField } from "../parts/fields.tsx"
import { Form, useAutofocus } from "../parts/form.tsx"
import { Notice } from "../parts/notice.tsx"
import { useTitle } from "../parts/title.ts"
import { messageOf } from "../server/failure-messages.ts"
import { logIn, loginNotice, me } from "../session.ts"
import { LoginLayout } from "../shell/login-layout.tsx"
import { t } from "../texts/texts.ts"

export function Login() {
  const { login } = t()
  useTitle(login.title)
  // After a session ended, usually the same user logs in again.
  const known = me.peek()?.username ?? ""
  const username = useSignal(known)
  const password = useSignal("")
  const usernameError = useSignal<string | null>(null)
  const passwordError = useSignal<string | null>(null)
  const refusal = useSignal<string | null>(null)
  const usernameInput = useRef<HTMLInputElement>(null)
  const passwordInput = useRef<HTMLInputElement>(null)
  useAutofocus(known === "" ? usernameInput : passwordInput)

  const { busy, run } = useAction(async () => {
    refusal.value = null
    usernameError.value = username.value.trim() === "" ? login.missingUsername : null
    passwordError.value = password.value === "" ? login.missingPassword : null
    if (usernameError.value !== null) return usernameInput.current?.focus()
    if (passwordError.value !== null) return passwordInput.current?.focus()

    const failure = await logIn(username.value.trim(), password.value)
    if (failure === null) return
    refusal.value = messageOf(failure)
    passwordInput.current?.select()
  })

  return (
    <LoginLayout title={login.title}>
      <Form refusal={refusal.value} onSubmit={run}>
        {loginNotice.value !== null && refusal.value === null && (
          <Notice kind="info">{login[loginNotice.value]}</Notice>
        )}
        <Field
          label={login.username}
          value={username}
          error={usernameError.value}
          input={usernameInput}
          autoComplete="username"
          autoCapitalize="none"
        />
        <PasswordField
          label={login.password}
          value={password}
          error={passwordError.value}
          input={passwordInput}
          autoComplete="current-password"
        />
        <Button busy={busy.value} wide>
          {login.submit}
        </Button>
        <a href={addresses.forgot} class="link link-hover justify-self-start py-1 text-sm text-primary">
          {login.forgot}
        </a>
      </Form>
    </LoginLayout>
  )
}
