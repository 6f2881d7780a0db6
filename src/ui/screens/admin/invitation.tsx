import { useSignal } from "@preact/signals"
import { fill } from "../../../languages/writing.ts"
import { Button, useAction } from "../../parts/button.tsx"
import { Notice } from "../../parts/form.tsx"
import { api, request } from "../../server/api.ts"
import { messageOf } from "../../server/failure-messages.ts"
import { t } from "../../texts/texts.ts"
import { type AccountData, accountNotice } from "./account-parts.tsx"
import { saidOfMail } from "./mail-sent.tsx"

/** Invites somebody again who never logged in. */
export function AccountInvitation({ of: { username, name, email } }: { of: AccountData }) {
  const { invitations } = t().accounts
  const refusal = useSignal<string | null>(null)
  const { busy, run } = useAction(async () => {
    const answer = await request(api.api.v1.users({ username }).invitation.post())
    refusal.value = answer.kind === "done" ? null : messageOf(answer)
    if (answer.kind === "done")
      accountNotice.value = { username, message: saidOfMail(fill(invitations.sent, { email })), isMail: true }
  })
  return (
    <div class="mt-8 grid max-w-md gap-3">
      {refusal.value !== null && <Notice kind="error">{refusal.value}</Notice>}
      <p class="text-sm text-muted">{fill(invitations.never, { name })}</p>
      <p>
        <Button look="plain" busy={busy.value} onClick={run}>
          {invitations.again}
        </Button>
      </p>
    </div>
  )
}
