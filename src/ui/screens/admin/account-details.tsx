import { useLayoutEffect } from "preact/hooks"
import { Button, useAction } from "../../parts/button.tsx"
import { Form, FormField, useForm } from "../../parts/form.tsx"
import { api, request } from "../../server/api.ts"
import { createQuery } from "../../server/query.ts"
import { loadSession, me } from "../../session.ts"
import { fill } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"
import { DeptField, useDeptCheck } from "./dept-field.tsx"
import { accountNotice } from "./handover.tsx"

const fields = ["name", "email", "dept"] as const

interface AccountDetailsProps {
  readonly of: AccountData
  readonly onChange: () => Promise<void>
}

/** Corrects name, e-mail address and department of an account. */
export function AccountDetails({ of, onChange }: AccountDetailsProps) {
  const { admin } = t()
  const { username } = of
  const form = useForm(fields)
  const { name, email, dept } = form.fields
  const deptCheck = useDeptCheck()
  const isNewAddress = email.value.value.trim() !== of.email && email.value.value !== ""
  useLayoutEffect(
    () => {
      for (const field of fields) form.fields[field].value.value = of[field]
    },
    fields.map((field) => of[field]),
  )

  const { busy, run } = useAction(async () => {
    form.clear()
    for (const field of fields) if (form.of(field) === "") form.fail(field, admin.missing[field])
    const changed = fields.filter((field) => form.of(field) !== of[field])
    const deptProblem = changed.includes("dept") ? deptCheck.problemWith(form.of("dept")) : null
    if (deptProblem !== null) form.fail("dept", deptProblem)
    if (form.isWrong()) return
    const correction = Object.fromEntries(changed.map((field) => [field, form.of(field)]))
    const answer = await request(api.api.v1.users({ username }).patch(correction))
    if (answer.kind === "refused" && answer.detail === emailTaken) form.fail("email", admin.emailTaken)
    else if (answer.kind !== "done") form.refuse(answer)
    if (answer.kind !== "done") return void form.isWrong()
    accountNotice.value = { username, message: fill(admin.saved, { name: answer.data.name }) }
    // A superuser who leaves management loses that role, so the session must be loaded again.
    if (me.value?.username === username) await loadSession()
    await onChange()
  })

  return (
    <Form class="mt-8 grid max-w-md gap-5" refusal={form.refusal.value} onSubmit={run}>
      <FormField label={admin.name} of={name} autoComplete="off" />
      <div class="grid gap-1.5">
        <FormField label={admin.email} of={email} type="email" autoComplete="off" />
        <p role="status" class="text-sm text-muted empty:hidden">
          {isNewAddress && admin.newAddress}
        </p>
      </div>
      <DeptField of={dept} check={deptCheck} />
      <p class="justify-self-start">
        <Button look="plain" busy={busy.value}>
          {admin.save}
        </Button>
      </p>
    </Form>
  )
}

/** The server's message for an address that somebody else has. */
const emailTaken = "E-mail address already taken"

export const useAccount = createQuery((username: string) => request(api.api.v1.users({ username }).get()))

/** An account, as the server shows it to superusers. */
export type AccountData = NonNullable<ReturnType<typeof useAccount>["data"]>
