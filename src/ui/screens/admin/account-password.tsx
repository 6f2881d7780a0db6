import { useSignal } from "@preact/signals"
import { Button } from "../../parts/button.tsx"
import { Form } from "../../parts/form.tsx"
import { useAct } from "../../parts/use-act.ts"
import { useForm } from "../../parts/use-form.ts"
import { api } from "../../server/api.ts"
import { ask } from "../../server/ask.ts"
import { me } from "../../session.ts"
import { fill } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"
import type { AccountTold } from "./account.tsx"
import { handover } from "./handover.tsx"
import { NewPassword } from "./new-password.tsx"
import { accountNotice } from "./notice.ts"

/** Sets somebody's password, or mails a link to set one. */
export function AccountPassword({ of: { username, name, email } }: { of: AccountTold }) {
  const { admin } = t()
  const form = useForm(["password"])
  const { password } = form.fields
  const suggested = useSignal<string | null>(null)
  const isOwn = me.value?.username === username

  const setting = useAct(async () => {
    form.clear()
    const wanted = password.value.value
    if (wanted === "") form.fail("password", admin.missing.password)
    if (form.isWrong()) return
    const answer = await ask(api.user({ username }).password.post({ password: wanted, password_confirm: wanted }))
    if (answer.kind !== "done") {
      form.refuse(answer)
      return void form.isWrong()
    }
    handover.value = suggested.value === wanted ? { username, name, password: wanted } : null
    password.value.value = ""
    accountNotice.value = { username, words: fill(isOwn ? admin.ownPasswordSet : admin.passwordSet, { name }) }
  })
  const mailing = useAct(async () => {
    form.clear()
    const answer = await ask(api.user.pwd_reset_token.post({ email }))
    if (answer.kind !== "done") return form.refuse(answer)
    accountNotice.value = { username, words: fill(admin.linkSent, { email }) }
  })

  return (
    <Form class="mt-8 grid max-w-md gap-3" refusal={form.refusal.value} onSubmit={setting.run}>
      {/* For password managers: whose password it is. */}
      <input class="hidden" autoComplete="username" value={username} readOnly />
      <NewPassword label={admin.newPassword} of={password} suggested={suggested} />
      <p class="text-sm text-muted">{isOwn ? admin.endsOwn : fill(admin.endsAll, { name })}</p>
      <p class="flex flex-wrap gap-2">
        <Button look="plain" busy={setting.busy.value}>
          {admin.setPassword}
        </Button>
        <Button look="quiet" busy={mailing.busy.value} onClick={mailing.run}>
          {admin.sendLink}
        </Button>
      </p>
    </Form>
  )
}
