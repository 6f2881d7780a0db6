import { useSignal } from "@preact/signals"
import { useLayoutEffect, useRef } from "preact/hooks"
import { useLocation } from "preact-iso"
import { addresses, withQuery } from "../addresses.ts"
import { loginMethods, throughProvider, typedName } from "../login-methods.ts"
import { Button, useAction } from "../parts/button.tsx"
import { Field, Form, Notice, PasswordField, useAutofocus } from "../parts/form.tsx"
import { useTitle } from "../screen.ts"
import { canUsePasskeys, signWithPasskey } from "../second-factor/passkey.ts"
import { messageOf } from "../server/failure-messages.ts"
import { finishLogIn, type LoginChallenge, logIn, loginNotice, me, openChallenge } from "../session.ts"
import { LoginLayout } from "../shell/login-layout.tsx"
import { t } from "../texts/texts.ts"

const origins = document.querySelector<HTMLMetaElement>('meta[name="origins"]')?.content.split(" ") ?? []

/**
 * The address of this server, if it refuses log-ins at the address where the page is, such as a second name or
 * an IP address; otherwise null.
 */
const rightAddress: string | null = origins[0] === undefined || origins.includes(location.origin) ? null : origins[0]

export function Login() {
  const { login } = t()
  const { url, query, path, route } = useLocation()
  useTitle(login.title)
  // After a session ended, usually the same user logs in again.
  const known = me.peek()?.username ?? ""
  const username = useSignal(known || typedName.peek())
  const password = useSignal("")
  const usernameError = useSignal<string | null>(null)
  const passwordError = useSignal<string | null>(null)
  const refusal = useSignal<string | null>(null)
  const usernameInput = useRef<HTMLInputElement>(null)
  const passwordInput = useRef<HTMLInputElement>(null)
  useAutofocus(known === "" ? usernameInput : passwordInput)

  const { busy, run } = useAction(async () => {
    refusal.value = null
    // The error in the address belongs to a log-in through the provider, not to this attempt.
    if (query.error !== undefined) route(withQuery(path, { next: query.next }), true)
    usernameError.value = username.value.trim() === "" ? login.missingUsername : null
    passwordError.value = password.value === "" ? login.missingPassword : null
    if (usernameError.value !== null) return usernameInput.current?.focus()
    if (passwordError.value !== null) return passwordInput.current?.focus()

    const failure = await logIn(username.value.trim(), password.value)
    if (failure === null) return
    refusal.value = messageOf(failure)
    passwordInput.current?.select()
  })

  const refused = login.errors[query.error as keyof typeof login.errors]
  const isQuiet = refusal.value === null
  if (rightAddress !== null)
    return (
      <LoginLayout title={login.title} lead={login.otherAddress}>
        <a href={rightAddress + url} class="btn btn-primary btn-block font-medium">
          {rightAddress}
        </a>
      </LoginLayout>
    )
  if (openChallenge.value !== null)
    return (
      <LoginLayout title={login.title} lead={t().secondFactor.loginLead}>
        <LoginStep
          challenge={openChallenge.value}
          onBack={() => {
            openChallenge.value = null
          }}
        />
      </LoginLayout>
    )
  return (
    <LoginLayout title={login.title}>
      <Form refusal={refusal.value} onSubmit={run}>
        {isQuiet && refused !== undefined && <Notice kind="error">{refused}</Notice>}
        {isQuiet && loginNotice.value !== null && <Notice kind="info">{login[loginNotice.value]}</Notice>}
        {loginMethods.oidc !== null && (
          <a
            href={throughProvider(url)}
            class={`btn btn-block font-medium ${loginMethods.password ? "btn-outline border-line" : "btn-primary"}`}
          >
            {loginMethods.oidc.button ?? login.provider}
          </a>
        )}
        {loginMethods.oidc !== null && loginMethods.password && (
          <p class="text-center text-sm text-muted">{login.or}</p>
        )}
        {loginMethods.password && (
          <>
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
            <a
              href={addresses.forgot}
              class="link link-hover justify-self-start py-1 text-sm text-primary"
              onClick={() => {
                typedName.value = username.value.trim()
              }}
            >
              {login.forgot}
            </a>
          </>
        )}
      </Form>
    </LoginLayout>
  )
}

interface LoginStepProps {
  readonly challenge: LoginChallenge
  /** Returns to the password form. */
  readonly onBack: () => void
}

/** The step of a log-in after the password: a passkey, a code from an app, or a recovery code. */
function LoginStep({ challenge: { challenge, passkey, second_factor: methods }, onBack }: LoginStepProps) {
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
