import { useSignal } from "@preact/signals"
import { useLayoutEffect } from "preact/hooks"
import { useRoute } from "preact-iso"
import { Avatar } from "../../parts/avatar.tsx"
import { Button, useAction } from "../../parts/button.tsx"
import { Form, useForm } from "../../parts/form.tsx"
import { LoadFailure } from "../../parts/load-failure.tsx"
import { Notice } from "../../parts/notice.tsx"
import { Skeleton } from "../../parts/skeleton.tsx"
import type { ScreenLocation } from "../../screen.ts"
import { api } from "../../server/api.ts"
import { createQuery } from "../../server/query.ts"
import { request } from "../../server/request.ts"
import { loadSession, me } from "../../session.ts"
import { fill, formatPoints } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"
import { DeptField, NewPassword } from "./account-fields.tsx"
import { accountNotice, Handover, handover } from "./account-notice.tsx"
import { AdminLayout } from "./admin-layout.tsx"

/** An account, as the server shows it to superusers. */
type AccountData = NonNullable<ReturnType<typeof useAccount>["data"]>

const useAccount = createQuery((username: string) => request(api.api.v1.users({ username }).get()))

/** An account in the administration: department and password. */
export function Account() {
  const { params } = useRoute()
  const username = params.username ?? ""
  return <Loaded key={username} username={username} />
}

Account.prefetch = ({ params: { username = "" } }: ScreenLocation) => useAccount.prefetch(username)

function Loaded({ username }: { username: string }) {
  const { data, failure, refresh } = useAccount(username)
  const notice = accountNotice.value
  return (
    <AdminLayout title={data?.name ?? username} isPart>
      {failure !== null ? (
        <LoadFailure failure={failure} onRetry={refresh} />
      ) : (
        <>
          {notice?.username === username && (
            <div class="mt-4">
              <Notice kind="info">{notice.message}</Notice>
            </div>
          )}
          <Handover to={username} />
          <Face of={data} />
          {data !== null && (
            <>
              <AccountDept of={data} onChange={refresh} />
              <AccountPassword of={data} />
            </>
          )}
        </>
      )}
    </AdminLayout>
  )
}

function Face({ of }: { of: AccountData | null }) {
  const { admin } = t()
  if (of === null) return <Skeleton class="mt-5 h-20 w-full" />
  return (
    <div class="mt-5 flex items-center gap-5">
      <Avatar name={of.name} username={of.username} src={of.avatar} size="large" />
      <div class="min-w-0">
        <p class="text-muted">
          {of.username} · <span dir="auto">{of.dept}</span>
        </p>
        <p class="text-muted">{of.email}</p>
        <p class="tabular-nums">
          {formatPoints(of.balance)}
          {of.role === "superuser" && <span class="text-muted"> · {admin.superuser}</span>}
        </p>
      </div>
    </div>
  )
}

interface AccountDeptProps {
  readonly of: AccountData
  readonly onChange: () => Promise<void>
}

/** The form that moves an account to another department. */
function AccountDept({ of: { username, name, dept }, onChange }: AccountDeptProps) {
  const { admin } = t()
  const form = useForm(["dept"])
  const field = form.fields.dept
  useLayoutEffect(() => {
    field.value.value = dept
  }, [dept])

  const { busy, run } = useAction(async () => {
    form.clear()
    if (form.of("dept") === "") form.fail("dept", admin.missing.dept)
    if (form.isWrong()) return
    const answer = await request(api.api.v1.users({ username }).patch({ dept: form.of("dept") }))
    if (answer.kind !== "done") {
      form.refuse(answer)
      return void form.isWrong()
    }
    accountNotice.value = { username, message: fill(admin.moved, { name, dept: answer.data.dept }) }
    // A user who leaves management loses the superuser role, so the session must be loaded again.
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

/** Sets the password of an account, or mails a link to set one. */
function AccountPassword({ of: { username, name, email } }: { of: AccountData }) {
  const { admin } = t()
  const form = useForm(["password"])
  const { password } = form.fields
  const suggested = useSignal<string | null>(null)
  const isOwn = me.value?.username === username

  const setting = useAction(async () => {
    form.clear()
    const newPassword = password.value.value
    if (newPassword === "") form.fail("password", admin.missing.password)
    if (form.isWrong()) return
    const answer = await request(
      api.user({ username }).password.post({ password: newPassword, password_confirm: newPassword }),
    )
    if (answer.kind !== "done") {
      form.refuse(answer)
      return void form.isWrong()
    }
    handover.value = suggested.value === newPassword ? { username, name, password: newPassword } : null
    password.value.value = ""
    accountNotice.value = { username, message: fill(isOwn ? admin.ownPasswordSet : admin.passwordSet, { name }) }
  })
  const mailing = useAction(async () => {
    form.clear()
    const answer = await request(api.user.pwd_reset_token.post({ email }))
    if (answer.kind !== "done") return form.refuse(answer)
    accountNotice.value = { username, message: fill(admin.linkSent, { email }) }
  })

  return (
    <Form class="mt-8 grid max-w-md gap-3" refusal={form.refusal.value} onSubmit={setting.run}>
      {/* Tells password managers which account this is. */}
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
