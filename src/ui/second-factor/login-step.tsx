import { useSignal } from "@preact/signals"
import { useLayoutEffect, useRef } from "preact/hooks"
import { Button, useAction } from "../parts/button.tsx"
import { Field, Form } from "../parts/form.tsx"
import { messageOf } from "../server/failure-messages.ts"
import { finishLogIn, type LoginChallenge } from "../session.ts"
import { t } from "../texts/texts.ts"
import { canUsePasskeys, signWithPasskey } from "./passkey.ts"

interface LoginStepProps {
  readonly challenge: LoginChallenge
  /** Returns to the password form. */
  readonly onBack: () => void
}

/** The step of a log-in after the password: a passkey, a code from an app, or a recovery code. */
export function LoginStep({ challenge: { challenge, passkey, second_factor: methods }, onBack }: LoginStepProps) {
  const { secondFactor } = t()
  const hasPasskey = passkey !== undefined && canUsePasskeys
  const hasCodes = methods.includes("totp")
  const usesRecovery = useSignal(!hasPasskey && !hasCodes)
  const code = useSignal("")
  const refusal = useSignal<string | null>(null)
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => input.current?.focus(), [usesRecovery.value])

  const finish = async (proof: Parameters<typeof finishLogIn>[1]) => {
    const failure = await finishLogIn(challenge, proof)
    if (failure === null) return
    refusal.value = messageOf(failure)
    input.current?.select()
  }
  const sending = useAction(async () => {
    refusal.value = code.value.trim() === "" ? secondFactor.missingCode : null
    if (refusal.value !== null) return input.current?.focus()
    await finish(usesRecovery.value ? { recovery_code: code.value } : { code: code.value })
  })
  const signing = useAction(async () => {
    refusal.value = null
    const signed = await signWithPasskey(passkey ?? {})
    if (signed === null) refusal.value = secondFactor.noPasskey
    else await finish({ passkey: signed })
  })

  const asksForCode = hasCodes || usesRecovery.value
  return (
    <Form refusal={refusal.value} onSubmit={asksForCode ? sending.run : signing.run}>
      {hasPasskey && !usesRecovery.value && (
        <Button wide busy={signing.busy.value} onClick={signing.run} look={hasCodes ? "plain" : "main"}>
          {secondFactor.usePasskey}
        </Button>
      )}
      {asksForCode && (
        <>
          <Field
            label={usesRecovery.value ? secondFactor.recoveryCode : secondFactor.code}
            value={code}
            input={input}
            autoComplete={usesRecovery.value ? "off" : "one-time-code"}
            autoCapitalize="none"
          />
          <Button busy={sending.busy.value} wide>
            {t().login.submit}
          </Button>
        </>
      )}
      <p class="flex flex-wrap gap-x-4">
        {methods.includes("recovery") && !usesRecovery.value && (
          <button
            type="button"
            class="link link-hover py-1 text-sm text-primary"
            onClick={() => {
              code.value = ""
              usesRecovery.value = true
            }}
          >
            {secondFactor.useRecoveryCode}
          </button>
        )}
        <button type="button" class="link link-hover py-1 text-sm text-primary" onClick={onBack}>
          {secondFactor.back}
        </button>
      </p>
    </Form>
  )
}
