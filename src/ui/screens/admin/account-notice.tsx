import { signal, useSignal } from "@preact/signals"
import { useId, useRef } from "preact/hooks"
import { Button } from "../../parts/button.tsx"
import { onUserChange } from "../../session.ts"
import { fill } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"

/** A message about the last change to an account, shown on its page. */
export const accountNotice = signal<{ readonly username: string; readonly message: string } | null>(null)

/**
 * A suggested password that was just saved. The server cannot return it again, so it stays until the superuser closes
 * it.
 */
export const handover = signal<{ readonly username: string; readonly name: string; readonly password: string } | null>(
  null,
)
onUserChange(() => {
  handover.value = null
})

/** Shows the new password of this account, with a button to copy it. */
export function Handover({ to }: { to: string }) {
  const { admin } = t()
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const isCopied = useSignal(false)
  const shown = handover.value
  if (shown?.username !== to) return null
  const copy = async () => {
    isCopied.value = await copied(shown.password, field.current)
  }
  return (
    <div class="mt-4 grid max-w-md gap-3 rounded-box border border-line bg-base-100 p-4">
      <label for={id} class="text-sm font-medium">
        {fill(admin.handover, { name: shown.name })}
      </label>
      <div class="input w-full border-base-content/45">
        <input
          ref={field}
          id={id}
          class="grow font-mono"
          readOnly
          value={shown.password}
          onFocus={(event) => event.currentTarget.select()}
        />
      </div>
      <p class="text-sm text-muted">{admin.handoverLead}</p>
      <p class="flex flex-wrap items-center gap-2">
        <Button look="plain" onClick={() => void copy()}>
          {admin.copy}
        </Button>
        <Button
          look="quiet"
          onClick={() => {
            handover.value = null
          }}
        >
          {admin.closeHandover}
        </Button>
        <span role="status" class="text-sm text-muted">
          {isCopied.value && admin.copied}
        </span>
      </p>
    </div>
  )
}

/** The clipboard API needs a secure context; elsewhere `execCommand` copies the selected text. */
async function copied(text: string, field: HTMLInputElement | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    field?.select()
    return document.execCommand("copy")
  }
}
