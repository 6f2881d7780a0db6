import { useSignal } from "@preact/signals"
import { useLayoutEffect } from "preact/hooks"
import { useLocation, useRoute } from "preact-iso"
import { fill } from "../../../languages/writing.ts"
import { accountAddress } from "../../addresses.ts"
import { Time } from "../../dates.tsx"
import { Avatar } from "../../parts/avatar.tsx"
import { Button, useAction } from "../../parts/button.tsx"
import { Question } from "../../parts/dialog.tsx"
import { Form, FormField, Notice, useForm } from "../../parts/form.tsx"
import { LoadFailure, Skeleton } from "../../parts/placeholders.tsx"
import { management } from "../../people.ts"
import { isSuperuser } from "../../rights.ts"
import type { ScreenLocation } from "../../screen.ts"
import { api, isNotFound, request } from "../../server/api.ts"
import { messageOf } from "../../server/failure-messages.ts"
import { createQuery } from "../../server/query.ts"
import { askToLogInAgain, loadSession, me } from "../../session.ts"
import { formatPoints } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"
import { useMoved } from "../person/moved.ts"
import { usePerson } from "../person/person-query.ts"
import { AccountDays } from "./account-days.tsx"
import {
  type AccountData,
  accountNotice,
  Handover,
  NewPassword,
  refusedRole,
  suggestedPassword,
} from "./account-parts.tsx"
import { AdminLayout } from "./admin-layout.tsx"
import { Deactivation } from "./deactivation.tsx"
import { DeptField, useDeptCheck } from "./dept-field.tsx"
import { AccountInvitation } from "./invitation.tsx"
import { saidOfMail, TrialLinks } from "./mail-sent.tsx"
import { DutiesField, dutiesIn, ManagerField } from "./role-fields.tsx"

const useAccount = createQuery((username: string) => request(api.api.v1.users({ username }).get()))

/** An account in the administration: details, password, second factors and deactivation. */
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
      {failure !== null && isNotFound(failure) && <Former username={username} />}
      {failure !== null && <LoadFailure failure={failure} onRetry={refresh} />}
      {(failure === null || data !== null) && (
        <>
          {notice?.username === username && (
            <div class="mt-4">
              <Notice kind="info">{notice.message}</Notice>
              {notice.isMail === true && <TrialLinks username={username} />}
            </div>
          )}
          <Handover to={username} />
          <Face of={data} />
          {data?.erased === true && <p class="mt-8 max-w-md text-muted">{t().leaving.isErased}</p>}
          {data?.erased === false && (
            <>
              <AccountDetails of={data} onChange={refresh} />
              <AccountDays of={data} onChange={refresh} />
              {data.active && !data.has_logged_in && <AccountInvitation of={data} />}
              {data.active && isSuperuser() && <AccountPassword of={data} />}
              {data.second_factor && isSuperuser() && <AccountFactors of={data} onChange={refresh} />}
              <Deactivation of={data} onChange={refresh} />
            </>
          )}
        </>
      )}
    </AdminLayout>
  )
}

/** Leads to the account of whoever had this username before. */
function Former({ username }: { username: string }) {
  useMoved(username, usePerson(username).data?.username, accountAddress)
  return null
}

function Face({ of }: { of: AccountData | null }) {
  const { accounts, leaving } = t()
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
          {of.role === "superuser" && <span class="text-muted"> · {accounts.superuser}</span>}
        </p>
        {of.deactivated_at !== null && (
          <p class="font-medium">
            {leaving.deactivatedSince} <Time date={of.deactivated_at} />
          </p>
        )}
      </div>
    </div>
  )
}

const texts = ["name", "username", "email", "dept"] as const
const fields = [...texts, "manager", "duties"] as const

interface AccountDetailsProps {
  readonly of: AccountData
  readonly onChange: () => Promise<void>
}

/** Corrects name, username, e-mail address, department, manager and duties of an account. */
function AccountDetails({ of, onChange }: AccountDetailsProps) {
  const { accounts } = t()
  const { username } = of
  const form = useForm(fields)
  const { route } = useLocation()
  const { name, email, dept, manager, duties } = form.fields
  const deptCheck = useDeptCheck()
  const newUsername = form.of("username")
  const isRenamed = newUsername !== username && newUsername !== ""
  const isNewAddress = email.value.value.trim() !== of.email && email.value.value !== ""
  const hasDuties = isSuperuser() && form.of("dept") !== management
  const stored = { ...of, manager: of.manager ?? "", duties: of.duties.join() }
  useLayoutEffect(
    () => {
      for (const field of fields) form.fields[field].value.value = stored[field]
    },
    fields.map((field) => stored[field]),
  )
  useLayoutEffect(() => {
    const refused = refusedRole.peek()
    if (refused?.username !== username) return
    refusedRole.value = null
    manager.value.value = refused.manager
    duties.value.value = refused.duties
    form.refuse(refused.failure)
    form.isWrong()
  }, [])

  const { busy, run } = useAction(async () => {
    form.clear()
    for (const field of texts) if (form.of(field) === "") form.fail(field, accounts.missing[field])
    const changed = fields.filter((field) => form.of(field) !== stored[field] && (field !== "duties" || hasDuties))
    const deptProblem = changed.includes("dept") ? await deptCheck.problemWith(form.of("dept")) : null
    if (deptProblem !== null) form.fail("dept", deptProblem)
    if (form.isWrong()) return
    const correction = {
      ...Object.fromEntries(changed.map((field) => [field, form.of(field)])),
      ...(changed.includes("manager") && { manager: form.of("manager") || null }),
      ...(changed.includes("duties") && { duties: dutiesIn(form.of("duties")) }),
    }
    const answer = await request(api.api.v1.users({ username }).patch(correction))
    if (answer.kind !== "done") form.refuse(answer)
    if (answer.kind !== "done") return void form.isWrong()
    const saved = answer.data
    accountNotice.value = { username: saved.username, message: fill(accounts.saved, { name: saved.name }) }
    // A superuser who leaves management loses that role, so the session must be loaded again.
    if (me.value?.username === username) await loadSession()
    if (saved.username === username) await onChange()
    else route(accountAddress(saved.username), true)
  })

  return (
    <Form class="mt-8 grid max-w-md gap-5" refusal={form.refusal.value} onSubmit={run}>
      <FormField label={accounts.name} of={name} autoComplete="off" />
      {username !== "admin" && (
        <div class="grid gap-1.5">
          <FormField label={accounts.username} of={form.fields.username} autoComplete="off" />
          <p role="status" class="text-sm text-muted empty:hidden">
            {isRenamed && fill(accounts.newUsername, { username })}
          </p>
        </div>
      )}
      <div class="grid gap-1.5">
        <FormField label={accounts.email} of={email} type="email" autoComplete="off" />
        <p role="status" class="text-sm text-muted empty:hidden">
          {isNewAddress && accounts.newAddress}
        </p>
      </div>
      <DeptField of={dept} check={deptCheck} />
      <ManagerField of={manager} />
      {hasDuties && <DutiesField of={duties} />}
      <p class="justify-self-start">
        <Button look="plain" busy={busy.value}>
          {accounts.save}
        </Button>
      </p>
    </Form>
  )
}

interface AccountFactorsProps {
  readonly of: AccountData
  readonly onChange: () => Promise<void>
}

/** Removes the second factors of somebody who lost theirs. */
function AccountFactors({ of: { username, name }, onChange }: AccountFactorsProps) {
  const { factors } = t()
  const isAsking = useSignal(false)
  const refusal = useSignal<string | null>(null)
  const close = () => {
    isAsking.value = false
  }
  const { busy, run } = useAction(async () => {
    close()
    const answer = await request(api.api.v1.users({ username })["second-factors"].delete())
    if (answer.kind !== "done") {
      refusal.value = askToLogInAgain(answer) ? null : messageOf(answer)
      return
    }
    accountNotice.value = { username, message: fill(factors.resetDone, { name }) }
    await onChange()
  })
  return (
    <div class="mt-8 grid max-w-md gap-3">
      {refusal.value !== null && <Notice kind="error">{refusal.value}</Notice>}
      <p class="text-sm text-muted">{factors.has}</p>
      <p>
        <Button
          look="plain"
          busy={busy.value}
          onClick={() => {
            isAsking.value = true
          }}
        >
          {factors.reset}
        </Button>
      </p>
      {isAsking.value && (
        <Question
          title={fill(factors.resetTitle, { name })}
          text={fill(factors.resetLead, { name })}
          answer={factors.remove}
          act={run}
          onClose={close}
        />
      )}
    </div>
  )
}

/** Sets the password of an account, or mails a link to set one. */
function AccountPassword({ of: { username, name, email } }: { of: AccountData }) {
  const { accounts } = t()
  const form = useForm(["password"])
  const { password } = form.fields
  const suggested = useSignal<string | null>(null)
  const isOwn = me.value?.username === username

  const setting = useAction(async () => {
    form.clear()
    const newPassword = password.value.value
    if (newPassword === "") form.fail("password", accounts.missing.password)
    if (form.isWrong()) return
    const answer = await request(
      api.user({ username }).password.post({ password: newPassword, password_confirm: newPassword }),
    )
    if (answer.kind !== "done") {
      form.refuse(answer)
      return void form.isWrong()
    }
    suggestedPassword.value = suggested.value === newPassword ? { username, name, password: newPassword } : null
    password.value.value = ""
    accountNotice.value = { username, message: fill(isOwn ? accounts.ownPasswordSet : accounts.passwordSet, { name }) }
  })
  const mailing = useAction(async () => {
    form.clear()
    const answer = await request(api.user.pwd_reset_token.post({ email }))
    if (answer.kind !== "done") return form.refuse(answer)
    accountNotice.value = { username, message: saidOfMail(fill(accounts.linkSent, { email })), isMail: true }
  })

  return (
    <Form class="mt-8 grid max-w-md gap-3" refusal={form.refusal.value} onSubmit={setting.run}>
      {/* Tells password managers which account this is. */}
      <input class="hidden" autoComplete="username" value={username} readOnly />
      <NewPassword label={accounts.newPassword} of={password} suggested={suggested} />
      <p class="text-sm text-muted">{isOwn ? accounts.endsOwn : fill(accounts.endsAll, { name })}</p>
      <p class="flex flex-wrap gap-2">
        <Button look="plain" busy={setting.busy.value}>
          {accounts.setPassword}
        </Button>
        <Button look="quiet" busy={mailing.busy.value} onClick={mailing.run}>
          {accounts.sendLink}
        </Button>
      </p>
    </Form>
  )
}
