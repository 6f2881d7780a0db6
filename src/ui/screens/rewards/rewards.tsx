import { useSignal } from "@preact/signals"
import { useLocation } from "preact-iso"
import { addresses, withQuery } from "../../addresses.ts"
import { loadDraft, storeDraft } from "../../browser-storage.ts"
import { Button, useAction } from "../../parts/button.tsx"
import { Dialog, DialogButtons } from "../../parts/dialog.tsx"
import { Form, Notice, TextArea } from "../../parts/form.tsx"
import { Empty, LoadFailure, Skeleton } from "../../parts/placeholders.tsx"
import { Pockets } from "../../parts/pockets.tsx"
import { useTitle } from "../../screen.ts"
import { api, request } from "../../server/api.ts"
import { messageOf } from "../../server/failure-messages.ts"
import { requestOnce } from "../../server/once.ts"
import { account, me, refreshAccount } from "../../session.ts"
import { fill, formatPlural, formatPoints } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"
import {
  maxTextLength,
  RedemptionPages,
  RedemptionText,
  type Reward,
  RewardPicture,
  useRedemptions,
  useRewards,
} from "./catalogue.tsx"

/** The rewards that the user can redeem points for, and the user's own requests. */
export function Rewards() {
  const { rewards } = t()
  useTitle(rewards.title)
  const offered = useRewards(null)
  const { before } = useLocation().query
  const own = useRedemptions({ username: me.value?.username ?? "", ...(before !== undefined && { before }) })
  const asking = useSignal<Reward | null>(null)
  const notice = useSignal<string | null>(null)
  const redeemable = account.value?.redeemable ?? null
  const items = offered.data?.items.filter(({ active }) => active) ?? null

  const done = ({ name }: Reward) => {
    asking.value = null
    notice.value = fill(rewards.asked, { name })
    void Promise.all([offered.refresh(), own.refresh(), refreshAccount()])
  }

  return (
    <>
      <h1 class="text-xl font-semibold tracking-tight">{rewards.title}</h1>
      <p class="mt-1 text-muted">{rewards.lead}</p>
      <div class="mt-3 min-h-15 max-w-xs">
        <Pockets />
      </div>
      <div class="mt-4 grid gap-4">
        {notice.value !== null && <Notice kind="info">{notice.value}</Notice>}
        {offered.failure !== null && <LoadFailure failure={offered.failure} onRetry={offered.refresh} />}
        {items === null && offered.failure === null && <Skeleton class="h-24 w-full" />}
        {items?.length === 0 && <Empty drawing="gift">{rewards.empty}</Empty>}
        <ul class="grid gap-3">
          {items?.map((reward) => (
            <Offer key={reward.id} of={reward} redeemable={redeemable ?? 0} onAsk={() => (asking.value = reward)} />
          ))}
        </ul>
      </div>
      <section class="mt-10">
        <h2 class="mb-2 text-sm font-medium text-muted">{rewards.own}</h2>
        <RedemptionPages of={own} address={(query) => withQuery(addresses.rewards, query)} empty={rewards.noneOwn}>
          {(redemption) => <RedemptionText of={redemption} />}
        </RedemptionPages>
      </section>
      {asking.value !== null && (
        <RedeemDialog
          of={asking.value}
          redeemable={redeemable ?? 0}
          onClose={() => (asking.value = null)}
          onDone={done}
        />
      )}
    </>
  )
}

Rewards.prefetch = () => useRewards.prefetch(null)

interface OfferProps {
  readonly of: Reward
  readonly redeemable: number
  readonly onAsk: () => void
}

function Offer({ of: reward, redeemable, onAsk }: OfferProps) {
  const { rewards } = t()
  const { name, description, cost, picture, stock, limit_per_person: limit } = reward
  const obstacle = obstacleTo(reward, redeemable)
  return (
    <li class="flex flex-wrap items-center gap-4 rounded-box border border-line bg-base-100 p-4">
      <RewardPicture src={picture} />
      <div class="min-w-[min(10rem,100%)] flex-1">
        <h2 dir="auto" class="font-medium">
          {name}
        </h2>
        {description !== null && (
          <p dir="auto" class="text-sm whitespace-pre-line text-muted">
            {description}
          </p>
        )}
        <p class="mt-1 flex flex-wrap gap-x-3 text-sm">
          <span class="font-medium tabular-nums">{formatPoints(cost)}</span>
          {stock !== null && stock > 0 && <span class="text-muted">{formatPlural(stock, rewards.left)}</span>}
          {limit !== null && <span class="text-muted">{formatPlural(limit, rewards.limit)}</span>}
        </p>
      </div>
      {obstacle === null ? (
        <button
          type="button"
          class="btn btn-primary font-medium"
          aria-label={fill(rewards.redeemOne, { name })}
          onClick={onAsk}
        >
          {rewards.redeem}
        </button>
      ) : (
        <p class="max-w-48 text-sm text-muted">{obstacle}</p>
      )}
    </li>
  )
}

/** Why a reward cannot be redeemed now; null when it can. */
function obstacleTo({ cost, stock, limit_per_person: limit, redeemed }: Reward, redeemable: number): string | null {
  const { rewards } = t()
  if (stock === 0) return rewards.soldOut
  if (limit !== null && redeemed >= limit) return rewards.limitReached
  return cost > redeemable ? fill(rewards.missingPoints, { points: formatPoints(cost - redeemable) }) : null
}

interface RedeemDialogProps {
  readonly of: Reward
  readonly redeemable: number
  readonly onClose: () => void
  readonly onDone: (reward: Reward) => void
}

function RedeemDialog({ of: reward, redeemable, onClose, onDone }: RedeemDialogProps) {
  const { rewards } = t()
  const { id, name, cost } = reward
  const username = me.value?.username ?? ""
  const place = `redemption of ${id}`
  // The comment is kept with the key of the request: a lost request is sent again as it was.
  const comment = useSignal(loadDraft(username, place) ?? "")
  const refusal = useSignal<string | null>(null)
  const { busy, run } = useAction(async () => {
    refusal.value = null
    storeDraft(username, place, comment.value)
    const answer = await requestOnce(place, (sent) =>
      request(api.api.v1.rewards({ id: String(id) }).redemptions.post({ comment: comment.value.trim() }, sent)),
    )
    if (answer.kind !== "done") {
      refusal.value = messageOf(answer)
      return
    }
    storeDraft(username, place, null)
    onDone(reward)
  })

  return (
    <Dialog title={fill(rewards.question, { name })} onClose={onClose}>
      <p>
        {fill(rewards.questionLead, { points: formatPoints(cost), left: formatPoints(Math.max(0, redeemable - cost)) })}
      </p>
      <Form refusal={refusal.value} onSubmit={run}>
        <TextArea label={rewards.comment} value={comment} max={maxTextLength} rows={3} />
        <DialogButtons onClose={onClose}>
          <Button busy={busy.value}>{fill(rewards.confirm, { points: formatPoints(cost) })}</Button>
        </DialogButtons>
      </Form>
    </Dialog>
  )
}
