import { useLayoutEffect } from "preact/hooks"
import { Button } from "../../parts/button.tsx"
import { Form } from "../../parts/form.tsx"
import { useAct } from "../../parts/use-act.ts"
import { useForm } from "../../parts/use-form.ts"
import { api } from "../../server/api.ts"
import { ask } from "../../server/ask.ts"
import { loadSession, me } from "../../session.ts"
import { fill } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"
import type { AccountTold } from "./account.tsx"
import { DeptField } from "./dept-field.tsx"
import { accountNotice } from "./notice.ts"

interface AccountDeptProps {
  readonly of: AccountTold
  readonly onChange: () => Promise<void>
}

/** Moves somebody to another department. */
export function AccountDept({ of: { username, name, dept }, onChange }: AccountDeptProps) {
  const { admin } = t()
  const form = useForm(["dept"])
  const field = form.fields.dept
  useLayoutEffect(() => {
    field.value.value = dept
  }, [dept])

  const { busy, run } = useAct(async () => {
    form.clear()
    if (form.of("dept") === "") form.fail("dept", admin.missing.dept)
    if (form.isWrong()) return
    const answer = await ask(api.api.v1.users({ username }).patch({ dept: form.of("dept") }))
    if (answer.kind !== "done") {
      form.refuse(answer)
      return void form.isWrong()
    }
    accountNotice.value = { username, words: fill(admin.moved, { name, dept: answer.data.dept }) }
    // Whoever leaves management is no superuser any more, and must not see this page as one.
    await (me.value?.username === username ? loadSession() : onChange())
  })

  return (
    <Form class="mt-8 grid max-w-md gap-3" refusal={form.refusal.value} onSubmit={run}>
      <DeptField of={field} />
      <p class="justify-self-start">
        <Button look="plain" busy={busy.value}>
          {admin.move}
        </Button>
      </p>
    </Form>
  )
}
