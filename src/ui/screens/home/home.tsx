import { useEffect } from "preact/hooks"
import { liveFeed } from "../../live/feed.ts"
import { LiveSign } from "../../parts/live-sign.tsx"
import { Skeleton } from "../../parts/skeleton.tsx"
import { Unloaded } from "../../parts/unloaded.tsx"
import { useTitle } from "../../parts/use-title.ts"
import { account, accountFailure, me, refreshAccount } from "../../session.ts"
import { fill, formatNumber } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"

export function Home() {
  const { home } = t()
  useTitle(home.title)
  return (
    <>
      <div class="flex items-baseline justify-between gap-4">
        <h1 dir="auto" class="text-xl font-semibold tracking-tight">
          {fill(home.greeting, { name: me.value?.name ?? "" })}
        </h1>
        <LiveSign of={liveFeed} />
      </div>
      <Balance />
    </>
  )
}

function Balance() {
  useEffect(() => {
    const username = me.value?.username
    return liveFeed.listen(null, (entries) => {
      if (entries.some((one) => one.to_username === username || one.from_username === username)) void refreshAccount()
    })
  }, [me.value?.username])

  if (account.value === null && accountFailure.value !== null)
    return <Unloaded failure={accountFailure.value} onRetry={refreshAccount} />
  return (
    <dl class="mt-6">
      <dt class="text-sm text-muted">{t().home.balance}</dt>
      <dd class="text-5xl font-semibold tracking-tight tabular-nums">
        {account.value === null ? <Skeleton class="h-12 w-36" /> : formatNumber(account.value.balance)}
      </dd>
    </dl>
  )
}
