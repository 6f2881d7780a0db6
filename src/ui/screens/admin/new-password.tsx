import type { Signal } from "@preact/signals"
import { PasswordField } from "../../parts/password-field.tsx"
import type { useForm } from "../../parts/use-form.ts"
import { t } from "../../texts/texts.ts"

interface NewPasswordProps {
  readonly label: string
  readonly of: ReturnType<typeof useForm<string>>["fields"][string]
  /** What was suggested last; null when nothing was. */
  readonly suggested: Signal<string | null>
}

/** A password for somebody else: typed, or suggested and shown so that it can be handed over. */
export function NewPassword({ label, of, suggested }: NewPasswordProps) {
  const { admin } = t()
  return (
    <div class="grid gap-1.5">
      <PasswordField
        label={label}
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
            {admin.suggest}
          </button>
        }
      />
      {suggested.value !== null && suggested.value === of.value.value && (
        <p role="status" class="text-sm text-muted">
          {admin.suggested} <b class="font-mono font-medium whitespace-nowrap text-base-content">{suggested.value}</b>
        </p>
      )}
    </div>
  )
}

/** Without letters and digits that look alike. */
const letters = "abcdefghjkmnpqrstuvwxyz23456789"

/** Four groups of four: 79 bits. */
function suggestPassword(): string {
  const group = () => Array.from({ length: 4 }, randomLetter).join("")
  return Array.from({ length: 4 }, group).join("-")
}

function randomLetter(): string {
  const [byte = 0] = crypto.getRandomValues(new Uint8Array(1))
  // What does not fall into whole rounds would make some letters likelier.
  return byte < 248 ? (letters[byte % letters.length] ?? "") : randomLetter()
}
