import { loginMethods } from "../login-methods.ts"
import { formatPlural } from "../texts/format.ts"
import { t } from "../texts/texts.ts"
import { PasswordField, useForm } from "./form.tsx"

/** The rule for a new password; null where any will do. */
export const passwordRule = (): string | null =>
  loginMethods.password_min_length > 1 ? formatPlural(loginMethods.password_min_length, t().login.atLeast) : null

/**
 * The form state for choosing a new password for one's own account, typed twice. `asksCurrent`: the present one must be
 * given too; the screen has a field for it.
 */
export function useOwnPassword({ asksCurrent }: { readonly asksCurrent: boolean }) {
  const { reset } = t()
  const form = useForm(["current_password", "password", "confirmation"])
  const [password, confirmation] = [form.fields.password.value, form.fields.confirmation.value]

  return {
    form,
    /** Validates the fields; focuses the first with an error. */
    isWrong() {
      form.clear()
      if (asksCurrent && form.of("current_password") === "") form.fail("current_password", t().login.missingPassword)
      if (password.value === "") form.fail("password", reset.missing)
      if (password.value !== confirmation.value) form.fail("confirmation", reset.differ)
      return form.isWrong()
    },
    body: () => ({ password: password.value, password_confirm: confirmation.value }),
  }
}

interface OwnPasswordProps {
  readonly of: ReturnType<typeof useOwnPassword>
  /** The account that the password belongs to. */
  readonly username: string
}

export function OwnPassword({ of: { form }, username }: OwnPasswordProps) {
  const { reset } = t()
  const { password, confirmation } = form.fields
  return (
    <>
      {/* Tells password managers which account this is. */}
      <input class="hidden" autoComplete="username" value={username} readOnly />
      <PasswordField
        label={reset.password}
        hint={passwordRule()}
        value={password.value}
        error={password.error.value}
        input={password.input}
        autoComplete="new-password"
      />
      <PasswordField
        label={reset.confirm}
        value={confirmation.value}
        error={confirmation.error.value}
        input={confirmation.input}
        autoComplete="new-password"
      />
    </>
  )
}
