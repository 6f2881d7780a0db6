import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useId } from "preact/hooks"
import { useLocation } from "preact-iso"
import { addresses, personAddress } from "../../addresses.ts"
import { canNotify } from "../../browser-notifications.ts"
import { loginMethods, throughProvider } from "../../login-methods.ts"
import { Button, useAction } from "../../parts/button.tsx"
import { Form, Notice } from "../../parts/form.tsx"
import { OwnPassword, useOwnPassword } from "../../parts/own-password.tsx"
import { LoadFailure, Skeleton } from "../../parts/placeholders.tsx"
import { useTitle } from "../../screen.ts"
import { SecondFactors } from "../../second-factor/second-factors.tsx"
import { api, request } from "../../server/api.ts"
import { messageOf } from "../../server/failure-messages.ts"
import { createQuery } from "../../server/query.ts"
import { account, accountFailure, refreshAccount } from "../../session.ts"
import { t } from "../../texts/texts.ts"
import { NewToken, TokenList } from "../../tokens.tsx"
import { About } from "./about.tsx"
import { MailChoice, Notifications } from "./notifications.tsx"
import { Picture } from "./picture.tsx"
import { Sessions, useSessions } from "./sessions.tsx"

/** The user's own profile: picture, texts, password and sessions. */
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
  const chosen = useOwnPassword()
  const { fields, refusal } = chosen.form
  const isChanged = useSignal(false)

  const { busy, run } = useAction(async () => {
    isChanged.value = false
    if (chosen.isWrong()) return

    const answer = await request(api.user({ username }).password.post(chosen.body()))
    if (answer.kind !== "done") {
      refusal.value = messageOf(answer)
      return fields.password.input.current?.focus()
    }
    fields.password.value.value = ""
    fields.confirmation.value.value = ""
    isChanged.value = true
    await Promise.all([onChanged(), refreshAccount()])
  })

  return (
    <Form refusal={refusal.value} onSubmit={run}>
      {isChanged.value && <Notice kind="info">{profile.passwordChanged}</Notice>}
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
        create={(body) => request(api.api.v1.tokens.post(body))}
        onCreated={tokens.refresh}
      />
    </div>
  )
}

OwnTokens.prefetch = () => useTokens.prefetch(null)
