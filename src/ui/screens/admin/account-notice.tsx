import { signal } from "@preact/signals"
import { ShownOnce } from "../../parts/shown-once.tsx"
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
  const shown = handover.value
  if (shown?.username !== to) return null
  return (
    <ShownOnce
      label={fill(admin.handover, { name: shown.name })}
      secret={shown.password}
      onClose={() => {
        handover.value = null
      }}
    />
  )
}
