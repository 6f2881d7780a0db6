import { useSignal } from "@preact/signals"
import { useRef } from "preact/hooks"
import { addresses } from "../addresses.ts"
import { typedName } from "../login-methods.ts"
import { Button, useAction } from "../parts/button.tsx"
import { Field, Form, useAutofocus } from "../parts/form.tsx"
import { useTitle } from "../screen.ts"
import { api, request } from "../server/api.ts"
import { messageOf } from "../server/failure-messages.ts"
import { LoginLayout } from "../shell/login-layout.tsx"
import { t } from "../texts/texts.ts"

export function Forgot() {
  const { forgot } = t()
  const isSent = useSignal(false)
  useTitle(forgot.title)
  if (!isSent.value) return <Asking onSent={() => (isSent.value = true)} />
  return (
    <LoginLayout title={forgot.sentTitle} lead={<span role="status">{forgot.sent}</span>}>
      <div class="grid justify-items-start gap-3">
        <BackToLogin />
        <Button look="plain" onClick={() => (isSent.value = false)}>
          {forgot.again}
        </Button>
      </div>
    </LoginLayout>
  )
}

function Asking({ onSent }: { onSent: () => void }) {
  const { forgot } = t()
  // A username helps nobody here.
  const email = useSignal(isAddress(typedName.peek()) ? typedName.peek() : "")
  const error = useSignal<string | null>(null)
  const refusal = useSignal<string | null>(null)
  const input = useRef<HTMLInputElement>(null)
  useAutofocus(input)

  const { busy, run } = useAction(async () => {
    refusal.value = null
    const address = email.value.trim()
    error.value = address === "" ? forgot.missing : isAddress(address) ? null : forgot.wrong
    if (error.value !== null) return input.current?.focus()
    const answer = await request(api.user.pwd_reset_token.post({ email: address }))
    if (answer.kind === "done") onSent()
    else refusal.value = messageOf(answer)
  })

  return (
    <LoginLayout title={forgot.title} lead={forgot.lead}>
      <Form refusal={refusal.value} onSubmit={run}>
        <Field label={forgot.email} value={email} error={error.value} input={input} type="email" autoComplete="email" />
        <Button busy={busy.value} wide>
          {forgot.submit}
        </Button>
        <BackToLogin />
      </Form>
    </LoginLayout>
  )
}

/** The server gives the same answer for every address, so typos must be caught here. */
const isAddress = (text: string): boolean => /^[^\s@]+@[^\s@]+$/.test(text)

function BackToLogin() {
  return (
    <a href={addresses.login} class="link link-hover justify-self-start py-1 text-sm text-primary">
      {t().forgot.back}
    </a>
  )
}
