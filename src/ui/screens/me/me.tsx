import type { ComponentChildren } from "preact"
import { useId } from "preact/hooks"
import { personAt } from "../../addresses.ts"
import { Skeleton } from "../../parts/skeleton.tsx"
import { Unloaded } from "../../parts/unloaded.tsx"
import { useTitle } from "../../parts/use-title.ts"
import { account, accountFailure, refreshAccount } from "../../session.ts"
import { t } from "../../texts/texts.ts"
import { About } from "./about.tsx"
import { Password } from "./password.tsx"
import { Picture } from "./picture.tsx"
import { Sessions, useSessions } from "./sessions.tsx"

/** The own profile, and what keeps the own account safe. */
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
          <a href={personAt(own.username)} class="link link-hover py-1 text-sm text-primary">
            {profile.asOthers}
          </a>
        )}
      </div>
      {own === null ? (
        <Coming />
      ) : (
        <>
          <p class="mt-1 text-muted">
            {own.username}
            <span aria-hidden="true"> · </span>
            {own.email}
          </p>
          <Part title={profile.picture}>
            <Picture of={own} />
          </Part>
          <Part title={profile.about}>
            <About of={own} />
          </Part>
          <Part title={profile.password}>
            <Password username={own.username} onChanged={sessions.refresh} />
          </Part>
          <Part title={profile.sessions}>
            <Sessions of={sessions} />
          </Part>
        </>
      )}
    </>
  )
}

Me.ahead = () => useSessions.ahead(null)

function Part({ title, children }: { title: string; children: ComponentChildren }) {
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

function Coming() {
  if (accountFailure.value !== null) return <Unloaded failure={accountFailure.value} onRetry={refreshAccount} />
  return (
    <>
      <Skeleton class="mt-1 h-6 w-56" />
      <Skeleton class="mt-10 size-20 rounded-full" />
    </>
  )
}
