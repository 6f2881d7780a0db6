import { useSignal } from "@preact/signals"
import { Button } from "../../parts/button.tsx"
import { Form } from "../../parts/form.tsx"
import { Notice } from "../../parts/notice.tsx"
import { OwnPassword, useOwnPassword } from "../../parts/own-password.tsx"
import { useAct } from "../../parts/use-act.ts"
import { api } from "../../server/api.ts"
import { ask } from "../../server/ask.ts"
import { wordsOf } from "../../server/words.ts"
import { refreshAccount } from "../../session.ts"
import { t } from "../../texts/texts.ts"

interface PasswordProps {
  readonly username: string
  readonly onChanged: () => Promise<void>
}

/** A new password for oneself: every other session ends, this one goes on. */
export function Password({ username, onChanged }: PasswordProps) {
  const { profile } = t()
  const chosen = useOwnPassword()
  const { fields, refusal } = chosen.form
  const isChanged = useSignal(false)

  const { busy, run } = useAct(async () => {
    isChanged.value = false
    if (chosen.isWrong()) return

    const answer = await ask(api.user({ username }).password.post(chosen.body()))
    if (answer.kind !== "done") {
      refusal.value = wordsOf(answer)
      return fields.password.input.current?.focus()
    }
    fields.password.value.value = ""
    fields.confirmation.value.value = ""
    isChanged.value = true
    await Promise.all([onChanged(), refreshAccount()])
  })

  return (
    <Form refusal={refusal.value} onSubmit={run}>
      {isChanged.value && <Notice kind="told">{profile.passwordChanged}</Notice>}
      <OwnPassword of={chosen} username={username} />
      <div class="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button busy={busy.value}>{profile.changePassword}</Button>
        <p class="text-sm text-muted">{profile.endsOthers}</p>
      </div>
    </Form>
  )
}
