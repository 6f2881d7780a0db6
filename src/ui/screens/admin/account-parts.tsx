import { type Signal, signal } from "@preact/signals"
import { fill } from "../../../languages/writing.ts"
import { type FieldState, PasswordField } from "../../parts/form.tsx"
import { passwordRule } from "../../parts/own-password.tsx"
import { ShownOnce } from "../../parts/shown-once.tsx"
import type { api, Failure } from "../../server/api.ts"
import { onUserChange } from "../../session.ts"
import { t } from "../../texts/texts.ts"

/** An account, as the server shows it to superusers. */
export type AccountData = Extract<
  Awaited<ReturnType<ReturnType<typeof api.api.v1.users>["get"]>>,
  { error: null }
>["data"]

/** A message about the last change to an account, shown on its page. */
export const accountNotice = signal<{
  readonly username: string
  readonly message: string
  /** Mail was sent, whose link is shown where mail is not set up. */
  readonly isMail?: boolean
} | null>(null)

/** The manager and duties of an account that was just created, which the server refused. Its page shows why. */
export const refusedRole = signal<{
  readonly username: string
  readonly manager: string
  readonly duties: string
  readonly failure: Failure
} | null>(null)

interface NewPasswordProps {
  readonly label: string
  readonly of: FieldState
  /** The last suggested password; null if none was. */
  readonly suggested: Signal<string | null>
}

/** A password for another person: typed, or suggested and shown in plain text so that it can be passed on. */
export function NewPassword({ label, of, suggested }: NewPasswordProps) {
  const { accounts } = t()
  return (
    <div class="grid gap-1.5">
      <PasswordField
        label={label}
        hint={passwordRule()}
        value={of.value}
        error={of.error.value}
        input={of.input}
        autoComplete="new-password"
        aside={
          <button
            type="button"
            class="link link-hover text-sm text-primary"
            onClick={() => {
              suggested.value = suggestPassword()
              of.value.value = suggested.value
            }}
          >
            {accounts.suggest}
          </button>
        }
      />
      {suggested.value !== null && suggested.value === of.value.value && (
        <p role="status" class="text-sm text-muted">
          {accounts.suggested}{" "}
          <b class="font-mono font-medium whitespace-nowrap text-base-content">{suggested.value}</b>
        </p>
      )}
    </div>
  )
}

/** Without letters and digits that look alike. */
const letters = "abcdefghjkmnpqrstuvwxyz23456789"

/** Four groups of four letters: 79 bits. */
function suggestPassword(): string {
  const group = () => Array.from({ length: 4 }, randomLetter).join("")
  return Array.from({ length: 4 }, group).join("-")
}

function randomLetter(): string {
  const [byte = 0] = crypto.getRandomValues(new Uint8Array(1))
  // Rejects the highest byte values, which would make some letters more likely (modulo bias).
  return byte < 248 ? (letters[byte % letters.length] ?? "") : randomLetter()
}

/**
 * A suggested password that was just saved. The server cannot return it again, so it stays until the superuser closes
 * it.
 */
export const suggestedPassword = signal<{
  readonly username: string
  readonly name: string
  readonly password: string
} | null>(null)
onUserChange(() => {
  accountNotice.value = null
  refusedRole.value = null
  suggestedPassword.value = null
})

/** Shows the new password of this account, with a button to copy it. */
export function Handover({ to }: { to: string }) {
  const { accounts } = t()
  const shown = suggestedPassword.value
  if (shown?.username !== to) return null
  return (
    <ShownOnce
      label={fill(accounts.handover, { name: shown.name })}
      secret={shown.password}
      onClose={() => {
        suggestedPassword.value = null
      }}
    />
  )
}
