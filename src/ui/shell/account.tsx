import { useSignal } from "@preact/signals"
import { LogOut, UserRound } from "lucide"
import { addresses } from "../addresses.ts"
import { Avatar } from "../parts/avatar.tsx"
import { Disclosure } from "../parts/disclosure.tsx"
import { Icon } from "../parts/icon.tsx"
import { Notice } from "../parts/notice.tsx"
import { Skeleton } from "../parts/skeleton.tsx"
import { useAct } from "../parts/use-act.ts"
import { wordsOf } from "../server/words.ts"
import { logOut, type Me, me } from "../session.ts"
import { t } from "../texts/texts.ts"
import { Choices } from "./choices.tsx"

/** Who one is, and what concerns oneself: looks, language, the way out. */
export function Account() {
  const member = me.value
  if (member === null) return <Skeleton class="size-10 rounded-full lg:mt-auto lg:h-12 lg:w-full lg:rounded-field" />
  return (
    <div class="lg:mt-auto">
      <Disclosure label={t().shell.account} button={<Face of={member} />}>
        <div class="grid gap-4 p-4">
          <p class="lg:hidden">
            <Names of={member} />
          </p>
          <Choices />
        </div>
        <div class="grid gap-0.5 border-t border-line p-1.5">
          <a href={addresses.me} class="btn btn-ghost justify-start gap-3 px-2.5 font-normal">
            <Icon of={UserRound} class="size-4.5" />
            {t().shell.me}
          </a>
          <LogOutButton />
        </div>
      </Disclosure>
    </div>
  )
}

function Face({ of }: { of: Me }) {
  return (
    <span class="flex min-w-0 items-center gap-3 text-start">
      <Avatar {...of} src={of.avatar} size="small" />
      <span class="min-w-0 max-lg:hidden">
        <Names of={of} />
      </span>
    </span>
  )
}

function Names({ of: { name, username } }: { of: Me }) {
  return (
    <>
      <span dir="auto" class="block truncate text-sm font-medium">
        {name}
      </span>
      <span class="block truncate text-xs text-muted">{username}</span>
    </>
  )
}

function LogOutButton() {
  const refusal = useSignal<string | null>(null)
  const { busy, run } = useAct(async () => {
    const failure = await logOut()
    refusal.value = failure && wordsOf(failure)
  })
  return (
    <>
      {refusal.value !== null && <Notice kind="wrong">{refusal.value}</Notice>}
      <button type="button" class="btn btn-ghost justify-start gap-3 px-2.5 font-normal" aria-busy={busy} onClick={run}>
        <Icon of={LogOut} class="size-4.5" />
        {t().shell.logOut}
      </button>
    </>
  )
}
