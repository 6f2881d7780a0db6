import { useLayoutEffect } from "preact/hooks"
import { fill } from "../../../languages/writing.ts"
import { Button, useAction } from "../../parts/button.tsx"
import { Form, FormField, useForm } from "../../parts/form.tsx"
import { api, request } from "../../server/api.ts"
import { t } from "../../texts/texts.ts"
import { type AccountData, accountNotice } from "./account-parts.tsx"

const fields = ["birthday", "joined"] as const

interface AccountDaysProps {
  readonly of: AccountData
  readonly onChange: () => Promise<void>
}

/** The days on which a person is celebrated. */
export function AccountDays({ of, onChange }: AccountDaysProps) {
  const { days } = t().accounts
  const { username, celebrates } = of
  const form = useForm(fields)
  useLayoutEffect(
    () => {
      for (const field of fields) form.fields[field].value.value = of[field] ?? ""
    },
    fields.map((field) => of[field]),
  )

  const { busy, run } = useAction(async () => {
    form.clear()
    const correction = { birthday: form.of("birthday") || null, joined: form.of("joined") || null }
    const answer = await request(api.api.v1.users({ username }).patch(correction))
    if (answer.kind !== "done") {
      form.refuse(answer)
      return void form.isWrong()
    }
    accountNotice.value = { username, message: fill(days.saved, { name: answer.data.name }) }
    await onChange()
  })

  return (
    <Form class="mt-8 grid max-w-md gap-5" refusal={form.refusal.value} onSubmit={run}>
      <FormField label={days.birthday} of={form.fields.birthday} autoComplete="off" />
      <FormField label={days.joined} of={form.fields.joined} type="date" autoComplete="off" />
      <p class="text-sm text-muted">
        {days.text} {days.celebrates[celebrates === null ? "unsaid" : celebrates ? "yes" : "no"]}
      </p>
      <p class="justify-self-start">
        <Button look="plain" busy={busy.value}>
          {days.save}
        </Button>
      </p>
    </Form>
  )
}
