import { account, me } from "../session.ts"
import { formatNumber } from "../texts/format.ts"
import { t } from "../texts/texts.ts"

/**
 * The two pockets of the current user's balance, side by side, each with its own word: they are not to be added up.
 * Nothing until the account is loaded.
 */
export function Pockets() {
  const { pockets } = t()
  const own = account.value
  if (own === null) return null
  return (
    <dl class="grid grid-cols-2 gap-2">
      <Pocket name={pockets.budget} value={budgetText(own.budget)} />
      <Pocket name={pockets.earned} value={formatNumber(own.redeemable)} isWarm />
    </dl>
  )
}

function Pocket({ name, value, isWarm = false }: { name: string; value: string; isWarm?: boolean }) {
  return (
    <div class="rounded-field border border-line px-3 py-2">
      <dt class="text-xs text-muted">{name}</dt>
      <dd class={`text-lg font-semibold tracking-tight tabular-nums ${isWarm ? "text-warm" : ""}`}>{value}</dd>
    </div>
  )
}

/** Superusers give without a limit, even if they have no budget. */
export const isUnlimited = (budget: number): boolean => me.value?.role === "superuser" && budget === 0

/** The budget of the current user as text. */
export const budgetText = (budget: number): string => (isUnlimited(budget) ? t().pockets.noLimit : formatNumber(budget))
