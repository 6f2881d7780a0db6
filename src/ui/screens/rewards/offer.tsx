import { Heart } from "lucide"
import { fill } from "../../../languages/writing.ts"
import { Icon } from "../../parts/icon.tsx"
import { Skeleton } from "../../parts/placeholders.tsx"
import { formatNumber, formatPlural, formatPoints } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"
import { Cover, type Reward } from "./catalogue.tsx"

interface OfferProps {
  readonly of: Reward
  /** The points that the user can redeem. */
  readonly redeemable: number
  readonly isWished: boolean
  readonly onWish: () => void
  readonly onAsk: () => void
}

/** A reward as a card: its cover at the top, or on a phone at the side. */
export function Offer({ of: reward, redeemable, isWished, onWish, onAsk }: OfferProps) {
  const { rewards } = t()
  const { name, description, cost, stock, limit_per_person: limit } = reward
  return (
    <li class="relative flex overflow-hidden rounded-box border border-line bg-base-100 sm:flex-col">
      <div class={`w-24 shrink-0 sm:h-32 sm:w-auto ${isGone(reward) ? "opacity-50 grayscale" : ""}`}>
        <Cover of={reward} size="text-4xl sm:text-6xl" />
      </div>
      <div class="flex min-w-0 grow flex-col gap-1 p-3.5">
        <h2 dir="auto" class="pe-9 font-medium sm:pe-0">
          {name}
        </h2>
        {description !== null && (
          <p dir="auto" class="text-sm whitespace-pre-line text-muted">
            {description}
          </p>
        )}
        <p class="flex flex-wrap gap-x-3 text-sm">
          <span class="font-medium text-warm tabular-nums">{formatPoints(cost)}</span>
          {stock !== null && stock > 0 && <span class="text-muted">{formatPlural(stock, rewards.left)}</span>}
          {limit !== null && <span class="text-muted">{formatPlural(limit, rewards.limit)}</span>}
        </p>
        <div class="mt-auto grid pt-2">
          {isGone(reward) ? (
            <p class="text-sm text-muted">{reward.stock === 0 ? rewards.soldOut : rewards.limitReached}</p>
          ) : cost > redeemable ? (
            <Missing cost={cost} redeemable={redeemable} />
          ) : (
            <button
              type="button"
              class="btn btn-primary h-auto min-h-(--size) font-medium"
              aria-label={fill(rewards.redeemOne, { name })}
              onClick={onAsk}
            >
              {rewards.redeem}
            </button>
          )}
        </div>
      </div>
      <button
        type="button"
        class={`btn btn-circle btn-sm absolute end-2 top-2 border-0 bg-base-100/85 pointer-coarse:size-11 ${isWished ? "text-error" : "text-muted"}`}
        aria-label={fill(rewards.wishFor, { name })}
        aria-pressed={isWished}
        title={rewards.wishHint}
        onClick={onWish}
      >
        <Icon of={Heart} class={`size-4.5 ${isWished ? "fill-current" : ""}`} />
      </button>
    </li>
  )
}

/** Whether nobody can redeem it any more, or this user not again. */
export const isGone = ({ stock, limit_per_person: limit, redeemed }: Reward): boolean =>
  stock === 0 || (limit !== null && redeemed >= limit)

/** How far the user has come, and how many points are missing. */
function Missing({ cost, redeemable }: { cost: number; redeemable: number }) {
  const { rewards } = t()
  const missing = fill(rewards.missingPoints, { points: formatPoints(cost - redeemable) })
  return (
    <div class="grid gap-1.5 text-sm">
      <div class="h-1.5 overflow-hidden rounded-full bg-base-content/10" aria-hidden="true">
        <div class="h-full rounded-full bg-warm" style={{ width: `${(100 * redeemable) / cost}%` }} />
      </div>
      <p class="flex flex-wrap justify-between gap-x-3 text-muted">
        <span>{missing}</span>
        <span class="tabular-nums" aria-hidden="true">
          {formatNumber(redeemable)} / {formatNumber(cost)}
        </span>
      </p>
    </div>
  )
}

export function OffersSkeleton() {
  return (
    <div class="grid gap-3 sm:grid-cols-[repeat(auto-fill,minmax(13.5rem,1fr))] sm:gap-4">
      {Array.from({ length: 6 }, (_, index) => (
        <Skeleton key={index} class="h-32 w-full rounded-box sm:h-72" />
      ))}
    </div>
  )
}
