import { Skeleton } from "../../parts/skeleton.tsx"
import { Unloaded } from "../../parts/unloaded.tsx"
import { account, accountFailure, refreshAccount } from "../../session.ts"
import { formatNumber } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"

/** What one has, as the server last said. */
export function Balance() {
  if (account.value === null && accountFailure.value !== null)
    return <Unloaded failure={accountFailure.value} onRetry={refreshAccount} />
  return (
    <dl>
      <dt class="text-sm text-muted">{t().home.balance}</dt>
      <dd class="text-5xl font-semibold tracking-tight tabular-nums">
        {account.value === null ? <Skeleton class="h-12 w-36" /> : formatNumber(account.value.balance)}
      </dd>
    </dl>
  )
}
