import { useSignal } from "@preact/signals"
import { useRef } from "preact/hooks"
import { addresses } from "../addresses.ts"
import { Button, useAct } from "../parts/button.tsx"
import { Field } from "../parts/fields.tsx"
import { Form, useFocus } from "../parts/form.tsx"
import { useTitle } from "../parts/title.ts"
import { api } from "../server/api.ts"
import { wordsOf } from "../server/failure-messages.ts"
import { ask } from "../server/request.ts"
import { Entrance } from "../shell/login-layout.tsx"
import { t } from "../texts/texts.ts"

export function Forgot() {
  const { forgot } = t()
  const isSent = useSignal(false)
  useTitle(forgot.title)
  if (!isSent.value) return <Asking onSent={() => (isSent.value = true)} />
  return (
    <Entrance title={forgot.sentTitle} lead={<span role="status">{forgot.sent}</span>}>
      <div class="grid justify-items-start gap-3">
        <BackToLogin />
        <Button look="plain" onClick={() => (isSent.value = false)}>
          {forgot.again}
        </Button>
      </div>
    </Entrance>
  )
}

function Asking({ onSent }: { onSent: () => void }) {
  const { forgot } = t()
  const email = useSignal("")
  const error = useSignal<string | null>(null)
  const refusal = useSignal<string | null>(null)
  const input = useRef<HTMLInputElement>(null)
  useFocus(input)

  const { busy, run } = useAct(async () => {
    refusal.value = null
    const address = email.value.trim()
    error.value = address === "" ? forgot.missing : isAddress(address) ? null : forgot.wrong
    if (error.value !== null) return input.current?.focus()
    const answer = await ask(api.user.pwd_reset_token.post({ email: address }))
    if (answer.kind === "done") onSent()
    else refusal.value = wordsOf(answer)
  })

  return (
    <Entrance title={forgot.title} lead={forgot.lead}>
      <Form refusal={refusal.value} onSubmit={run}>
        <Field label={forgot.email} value={email} error={error.value} input={input} type="email" autoComplete="email" />
        <Button busy={busy.value} wide>
          {forgot.submit}
        </Button>
        <BackToLogin />
      </Form>
    </Entrance>
  )
}

/** The server answers every address alike, so a slip of the finger has to be noticed here. */
const isAddress = (text: string): boolean => /^[^\s@]+@[^\s@]+$/.test(text)

function BackToLogin() {
  return (
    <a href={addresses.login} class="link link-hover justify-self-start py-1 text-sm text-primary">
      {t().forgot.back}
    </a>
  )
}
