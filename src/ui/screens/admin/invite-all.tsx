import { useSignal } from "@preact/signals"
import { Button, useAction } from "../../parts/button.tsx"
import { api, request } from "../../server/api.ts"
import { formatPlural } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"
import { saidOfMail, TrialLinks } from "./mail-sent.tsx"
import { type Outcome, OutcomeNotice, outcomeOf } from "./outcome.tsx"

/** Invites everybody again who never logged in. */
export function InviteAll() {
  const texts = t().imports.again
  const message = useSignal<Outcome | null>(null)
  const { busy, run } = useAction(async () => {
    const answer = await request(api.api.v1.users.invitations.post())
    message.value = outcomeOf(answer, ({ count }) => saidOfMail(formatPlural(count, texts.done)))
  })
  return (
    <section class="mt-10 grid max-w-md gap-3 border-t border-line pt-6">
      <h2 class="font-medium">{texts.title}</h2>
      <p class="text-sm text-muted">{texts.lead}</p>
      <OutcomeNotice of={message.value} />
      {message.value?.kind === "info" && <TrialLinks username={null} />}
      <p>
        <Button look="plain" busy={busy.value} onClick={run}>
          {texts.submit}
        </Button>
      </p>
    </section>
  )
}
