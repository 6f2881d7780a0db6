import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useId, useRef } from "preact/hooks"
import { useLocation } from "preact-iso"
import { fill } from "../../../languages/writing.ts"
import { addresses, personAddress } from "../../addresses.ts"
import { canNotify } from "../../browser-notifications.ts"
import { Time } from "../../dates.tsx"
import { loginMethods, throughProvider, typedName } from "../../login-methods.ts"
import { Celebrating } from "../../occasions/celebrating.tsx"
import { Button, useAction } from "../../parts/button.tsx"
import { Form, Notice, PasswordField } from "../../parts/form.tsx"
import { OwnPassword, useOwnPassword } from "../../parts/own-password.tsx"
import { LoadFailure, Skeleton } from "../../parts/placeholders.tsx"
import { useTitle } from "../../screen.ts"
import { SecondFactors } from "../../second-factor/second-factors.tsx"
import { type Answer, api, isNotFound, request } from "../../server/api.ts"
import { messageOf } from "../../server/failure-messages.ts"
import { requestOnce } from "../../server/once.ts"
import { createQuery, type QueryResult } from "../../server/query.ts"
import { account, accountFailure, refreshAccount } from "../../session.ts"
import { formatPlural } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"
import { NewToken, TokenList } from "../../tokens.tsx"
import { About, Picture } from "./about.tsx"
import { MailChoice, Notifications } from "./notifications.tsx"

/** The user's own profile: what others see, password and second factors, mail, sessions, tokens. */
export function Me() {
  const { profile } = t()
  useTitle(profile.title)
  const sessions = useSessions(null)
  const own = account.value
  return (
    <>
      <div class="flex flex-wrap items-baseline justify-between gap-x-4">
        <h1 class="text-xl font-semibold tracking-tight">{profile.title}</h1>
        {own && (
          <a href={personAddress(own.username)} class="link link-hover py-1 text-sm text-primary">
            {profile.asOthers}
          </a>
        )}
      </div>
      {own === null ? (
        <Loading />
      ) : (
        <>
          <p class="mt-1 text-muted">
            {own.username}
            <span aria-hidden="true"> · </span>
            {own.email}
          </p>
          <Section title={profile.picture}>
            <Picture of={own} />
          </Section>
          <Section title={profile.about}>
            <About of={own} />
          </Section>
          <Section title={profile.celebrating.title}>
            <Celebrating of={own} />
          </Section>
          {loginMethods.oidc !== null && own.role === "superuser" && (
            <Section title={profile.provider}>
              <CompanyAccount />
            </Section>
          )}
          {loginMethods.password && (
            <Section title={profile.password}>
              <Password username={own.username} onChanged={sessions.refresh} />
            </Section>
          )}
          {loginMethods.password && (
            <Section title={t().secondFactor.title}>
              <SecondFactors onChange={sessions.refresh} />
            </Section>
          )}
          <Section title={profile.mail}>
            <MailChoice of={own} />
          </Section>
          {canNotify && (
            <Section title={profile.notifications}>
              <Notifications />
            </Section>
          )}
          <Section title={profile.sessions}>
            <Sessions of={sessions} />
          </Section>
          <Section title={t().tokens.title}>
            <OwnTokens isSuperuser={own.role === "superuser"} />
          </Section>
        </>
      )}
    </>
  )
}

Me.prefetch = () => Promise.all([useSessions.prefetch(null), SecondFactors.prefetch(), OwnTokens.prefetch()])

function Section({ title, children }: { title: string; children: ComponentChildren }) {
  const id = useId()
  return (
    <section aria-labelledby={id} class="mt-10">
      <h2 id={id} class="mb-4 font-semibold">
        {title}
      </h2>
      {children}
    </section>
  )
}

function Loading() {
  if (accountFailure.value !== null) return <LoadFailure failure={accountFailure.value} onRetry={refreshAccount} />
  return (
    <>
      <Skeleton class="mt-1 h-6 w-56" />
      <Skeleton class="mt-10 size-20 rounded-full" />
    </>
  )
}

/** Superusers connect their company account here: for them, a matching e-mail address alone must not connect it. */
function CompanyAccount() {
  const { profile, login } = t()
  const { query } = useLocation()
  const refused = login.errors[query.error as keyof typeof login.errors]
  return (
    <div class="grid justify-items-start gap-3">
      {refused !== undefined && <Notice kind="error">{refused}</Notice>}
      <p class="text-sm text-muted">{profile.providerText}</p>
      <a href={throughProvider(addresses.me)} class="btn btn-outline border-line font-medium">
        {profile.connect}
      </a>
    </div>
  )
}

interface PasswordProps {
  readonly username: string
  readonly onChanged: () => Promise<void>
}

/** The form for a new password. A new password ends all other sessions; this one stays. */
function Password({ username, onChanged }: PasswordProps) {
  const { profile } = t()
  const chosen = useOwnPassword({ asksCurrent: true })
  const { fields, refusal } = chosen.form
  const isChanged = useSignal(false)

  const { busy, run } = useAction(async () => {
    isChanged.value = false
    if (chosen.isWrong()) return

    const answer = await request(
      api.api.v1.me.password.post({ current_password: fields.current_password.value.peek(), ...chosen.body() }),
    )
    if (answer.kind !== "done") {
      chosen.form.refuse(answer)
      if (!chosen.form.isWrong()) fields.password.input.current?.focus()
      return
    }
    fields.current_password.value.value = ""
    fields.password.value.value = ""
    fields.confirmation.value.value = ""
    isChanged.value = true
    await Promise.all([onChanged(), refreshAccount()])
  })

  return (
    <Form refusal={refusal.value} onSubmit={run}>
      {isChanged.value && <Notice kind="info">{profile.passwordChanged}</Notice>}
      <PasswordField
        label={profile.currentPassword}
        value={fields.current_password.value}
        error={fields.current_password.error.value}
        input={fields.current_password.input}
        autoComplete="current-password"
        aside={
          <a
            href={addresses.forgot}
            class="link link-hover text-sm text-primary"
            onClick={() => {
              typedName.value = account.peek()?.email ?? ""
            }}
          >
            {t().login.forgot}
          </a>
        }
      />
      <OwnPassword of={chosen} username={username} />
      <div class="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button busy={busy.value}>{profile.changePassword}</Button>
        <p class="text-sm text-muted">{profile.endsOthers}</p>
      </div>
    </Form>
  )
}

const useTokens = createQuery((_: null) => request(api.api.v1.tokens.get()))

/** The user's own API tokens, and a form to add one. */
function OwnTokens({ isSuperuser }: { isSuperuser: boolean }) {
  const tokens = useTokens(null)
  return (
    <div class="grid gap-4">
      <p class="text-sm text-muted">{t().tokens.lead}</p>
      <TokenList of={tokens} revoke={(id) => request(api.api.v1.tokens({ id }).delete())} />
      <NewToken
        scopes={isSuperuser ? ["read", "give", "admin"] : ["read", "give"]}
        create={(body) => requestOnce("token", (sent) => request(api.api.v1.tokens.post(body, sent)))}
        onCreated={tokens.refresh}
      />
    </div>
  )
}

OwnTokens.prefetch = () => useTokens.prefetch(null)

const useSessions = createQuery((_: null) => request(api.api.v1.me.sessions.get()))

type OpenSessions = NonNullable<ReturnType<typeof useSessions>["data"]>

/** The user's open sessions, with buttons to end them. */
function Sessions({ of: { data, failure, refresh } }: { of: QueryResult<OpenSessions> }) {
  const { profile } = t()
  const endedNotice = useSignal<string | null>(null)
  const refusal = useSignal<string | null>(null)
  const lead = useRef<HTMLParagraphElement>(null)
  const end = async (endSessions: () => Promise<Answer<{ ended: number }>>) => {
    const answer = await endSessions()
    // Not found means that the session ended meanwhile, which is what the user wanted.
    refusal.value = answer.kind === "done" || isNotFound(answer) ? null : messageOf(answer)
    if (refusal.value !== null) return
    await refresh()
    endedNotice.value = formatPlural(answer.kind === "done" ? answer.data.ended : 1, profile.ended)
    lead.current?.focus()
  }

  if (data === null && failure !== null) return <LoadFailure failure={failure} onRetry={refresh} />
  if (data === null) return <Skeleton class="h-14 w-full" />
  return (
    <div class="grid gap-4">
      <p ref={lead} tabIndex={-1} class="text-sm text-muted outline-none">
        {profile.sessionsLead}
      </p>
      {refusal.value !== null && <Notice kind="error">{refusal.value}</Notice>}
      {endedNotice.value !== null && <Notice kind="info">{endedNotice.value}</Notice>}
      <ul class="divide-y divide-line rounded-box bg-base-100 px-4">
        {data.items
          .toSorted((one, other) => Number(other.current) - Number(one.current))
          .map((session) => (
            <SessionRow
              key={session.id}
              of={session}
              onEnd={() => end(() => request(api.api.v1.me.sessions({ session: session.id }).delete()))}
            />
          ))}
      </ul>
      {data.items.length > 2 && (
        <EndOthers onEnd={() => end(() => request(api.api.v1.me.sessions.delete()))} count={data.items.length - 1} />
      )}
    </div>
  )
}

interface SessionRowProps {
  readonly of: OpenSessions["items"][number]
  readonly onEnd: () => Promise<void>
}

function SessionRow({ of: { current, opened_at, address }, onEnd }: SessionRowProps) {
  const { profile } = t()
  const { busy, run } = useAction(onEnd)
  return (
    <li class="flex min-h-16 flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2.5">
      <span>
        <span class="block font-medium">{current ? profile.thisSession : (address ?? profile.somewhere)}</span>
        <span class="block text-sm text-muted">
          {current && address !== null && `${address} · `}
          {opened_at !== null && (
            <>
              {profile.opened} <Time date={opened_at} />
            </>
          )}
        </span>
      </span>
      {!current && (
        <Button
          look="plain"
          label={fill(profile.endSession, { address: address ?? profile.somewhere })}
          busy={busy.value}
          onClick={run}
        >
          {profile.end}
        </Button>
      )}
    </li>
  )
}

function EndOthers({ onEnd, count }: { onEnd: () => Promise<void>; count: number }) {
  const { busy, run } = useAction(onEnd)
  return (
    <p>
      <Button look="plain" busy={busy.value} onClick={run}>
        {fill(t().profile.endOthers, { number: String(count) })}
      </Button>
    </p>
  )
}
