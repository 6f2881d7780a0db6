import { useSignal } from "@preact/signals"
import { useLocation } from "preact-iso"
import { fill } from "../../../languages/writing.ts"
import { accountAddress } from "../../addresses.ts"
import { Button, useAction } from "../../parts/button.tsx"
import { Form, FormField, useAutofocus, useForm } from "../../parts/form.tsx"
import { management } from "../../people.ts"
import { isSuperuser } from "../../rights.ts"
import { api, request } from "../../server/api.ts"
import { requestOnce } from "../../server/once.ts"
import { t } from "../../texts/texts.ts"
import { accountNotice, NewPassword, refusedRole, suggestedPassword } from "./account-parts.tsx"
import { AdminLayout } from "./admin-layout.tsx"
import { DeptField, useDeptCheck } from "./dept-field.tsx"
import { saidOfMail } from "./mail-sent.tsx"
import { DutiesField, dutiesIn, ManagerField } from "./role-fields.tsx"

const required = ["name", "email", "dept"] as const

/** Creates an account. */
export function Create() {
  const { admin } = t()
  return (
    <AdminLayout title={admin.create} isPart>
      <NewAccount />
    </AdminLayout>
  )
}

function NewAccount() {
  const { accounts, creation } = t()
  const { route } = useLocation()
  const form = useForm(["name", "email", "dept", "username", "password", "manager", "duties"])
  const { name, email, dept, username, password, manager, duties } = form.fields
  const deptCheck = useDeptCheck()
  const suggested = useSignal<string | null>(null)
  /** Others send an invitation, and give no duties. */
  const setsPassword = isSuperuser()
  const hasDuties = setsPassword && form.of("dept") !== management
  useAutofocus(name.input)

  const { busy, run } = useAction(async () => {
    form.clear()
    for (const field of required) if (form.of(field) === "") form.fail(field, accounts.missing[field])
    if (setsPassword && form.of("password") === "") form.fail("password", accounts.missing.password)
    const deptProblem = await deptCheck.problemWith(form.of("dept"))
    if (deptProblem !== null) form.fail("dept", deptProblem)
    if (form.isWrong()) return
    const body = {
      name: form.of("name"),
      email: form.of("email"),
      dept: form.of("dept"),
      ...(form.of("username") !== "" && { username: form.of("username") }),
    }
    const initial = password.value.value
    const answer = await (setsPassword
      ? request(api.user.post({ ...body, password: initial }))
      : requestOnce("account", (sent) => request(api.api.v1.users.post(body, sent))))
    if (answer.kind !== "done") {
      form.refuse(answer)
      return void form.isWrong()
    }
    const created = answer.data
    const role = { manager: form.of("manager"), duties: hasDuties ? form.of("duties") : "" }
    if (role.manager !== "" || role.duties !== "") await appoint(created.username, role)
    if (setsPassword && suggested.value === initial) suggestedPassword.value = { ...created, password: initial }
    const message = setsPassword
      ? fill(creation.created, { name: created.name })
      : saidOfMail(fill(creation.invited, { name: created.name }))
    accountNotice.value = { username: created.username, message }
    route(accountAddress(created.username))
  })

  return (
    <Form class="mt-6 grid max-w-md gap-5" refusal={form.refusal.value} onSubmit={run}>
      <FormField label={accounts.name} of={name} autoComplete="off" />
      <FormField label={accounts.email} of={email} type="email" autoComplete="off" />
      <DeptField of={dept} check={deptCheck} />
      <FormField
        label={accounts.username}
        of={username}
        autoComplete="off"
        autoCapitalize="none"
        placeholder={usernameFrom(name.value.value)}
        aside={<span class="text-sm text-muted">{accounts.optional}</span>}
      />
      {setsPassword ? (
        <NewPassword label={creation.password} of={password} suggested={suggested} />
      ) : (
        <p class="text-sm text-muted">{creation.inviteText}</p>
      )}
      <ManagerField of={manager} />
      {hasDuties && <DutiesField of={duties} />}
      <p class="justify-self-start">
        <Button busy={busy.value}>{creation.createSubmit}</Button>
      </p>
    </Form>
  )
}

/** Says whom somebody new reports to, and what for they are responsible. Their page shows what the server refuses. */
async function appoint(username: string, { manager, duties }: { readonly manager: string; readonly duties: string }) {
  const answer = await request(
    api.api.v1.users({ username }).patch({
      ...(manager !== "" && { manager }),
      ...(duties !== "" && { duties: dutiesIn(duties) }),
    }),
  )
  if (answer.kind !== "done") refusedRole.value = { username, manager, duties, failure: answer }
}

/** The default username, as the server derives it from the name. */
const usernameFrom = (name: string): string => name.normalize("NFC").trim().toLowerCase().replace(/\s+/gu, "-")
