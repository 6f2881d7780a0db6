import { useSignal } from "@preact/signals"
import { Button, useAction } from "../../parts/button.tsx"
import { Notice } from "../../parts/form.tsx"
import { api, request } from "../../server/api.ts"
import { messageOf } from "../../server/failure-messages.ts"
import { formatPlural } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"
import { saidOfMail, TrialLinks } from "./mail-sent.tsx"

/** Invites everybody again who never logged in. */
export function InviteAll() {
  const texts = t().imports.again
  const message = useSignal<{ readonly kind: "error" | "info"; readonly text: string } | null>(null)
  const { busy, run } = useAction(async () => {
    const answer = await request(api.api.v1.users.invitations.post())
    message.value =
      answer.kind === "done"
        ? { kind: "info", text: saidOfMail(formatPlural(answer.data.count, texts.done)) }
        : { kind: "error", text: messageOf(answer) }
  })
  return (
    <section class="mt-10 grid max-w-md gap-3 border-t border-line pt-6">
      <h2 class="font-medium">{texts.title}</h2>
      <p class="text-sm text-muted">{texts.lead}</p>
      {message.value !== null && <Notice kind={message.value.kind}>{message.value.text}</Notice>}
      {message.value?.kind === "info" && <TrialLinks username={null} />}
      <p>
        <Button look="plain" busy={busy.value} onClick={run}>
          {texts.submit}
        </Button>
      </p>
    </section>
  )
}
