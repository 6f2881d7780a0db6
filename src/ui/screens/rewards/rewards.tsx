import { useSignal } from "@preact/signals"
import { useLocation } from "preact-iso"
import { fill } from "../../../languages/writing.ts"
import { addresses, withQuery } from "../../addresses.ts"
import { loadDraft, storeDraft } from "../../browser-storage.ts"
import { Button, useAction } from "../../parts/button.tsx"
import { Choice } from "../../parts/choice.tsx"
import { Dialog, DialogButtons } from "../../parts/dialog.tsx"
import { Form, Notice, TextArea } from "../../parts/form.tsx"
import { Empty, LoadFailure } from "../../parts/placeholders.tsx"
import { Pockets } from "../../parts/pockets.tsx"
import { useTitle } from "../../screen.ts"
import { api, request } from "../../server/api.ts"
import { messageOf } from "../../server/failure-messages.ts"
import { requestOnce } from "../../server/once.ts"
import type { QueryResult } from "../../server/query.ts"
import { account, me, refreshAccount } from "../../session.ts"
import { formatNumber, formatPoints } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"
import {
  maxTextLength,
  RedemptionPages,
  RedemptionText,
  type Reward,
  useRedemptions,
  useRewards,
} from "./catalogue.tsx"
import { isGone, Offer, OffersSkeleton } from "./offer.tsx"

/** The rewards that the user can redeem points for, the user's wish list, and the user's own requests. */
export function Rewards() {
  const { rewards } = t()
  const { before, list } = useLocation().query
  const isWishList = list === wishList
  useTitle(isWishList ? rewards.wishes : rewards.title)
  const offered = useRewards(null)
  const own = useRedemptions({ username: me.value?.username ?? "", ...(before !== undefined && { before }) })
  const wishes = useWishes(offered)
  const asking = useSignal<Reward | null>(null)
  const notice = useSignal<string | null>(null)
  const redeemable = account.value?.redeemable ?? 0
  const active = offered.data?.items.filter(({ active }) => active) ?? null
  const wished = active?.filter((reward) => wishes.isWished(reward)) ?? []
  const shown = active && byNearness(isWishList ? wished : active, redeemable)

  const done = ({ name }: Reward) => {
    asking.value = null
    notice.value = fill(rewards.asked, { name })
    void Promise.all([offered.refresh(), own.refresh(), refreshAccount()])
  }
  const addressOf = (list?: string) => withQuery(addresses.rewards, { list })

  return (
    <div class="wide">
      <h1 class="text-xl font-semibold tracking-tight">{rewards.title}</h1>
      <p class="mt-1 text-muted">{rewards.lead}</p>
      <div class="mt-3 min-h-15 max-w-xs">
        <Pockets />
      </div>
      <div class="mt-4">
        <Choice
          label={rewards.list}
          options={[
            { name: rewards.all, address: addressOf() },
            { name: wishesText(wished.length), address: addressOf(wishList) },
          ]}
          chosen={addressOf(isWishList ? wishList : undefined)}
        />
      </div>
      <div class="mt-3 grid gap-4">
        {notice.value !== null && <Notice kind="info">{notice.value}</Notice>}
        {wishes.refusal !== null && <Notice kind="error">{wishes.refusal}</Notice>}
        {offered.failure !== null && <LoadFailure failure={offered.failure} onRetry={offered.refresh} />}
        {shown === null && offered.failure === null && <OffersSkeleton />}
        {shown?.length === 0 && <Empty drawing="gift">{isWishList ? rewards.noWishes : rewards.empty}</Empty>}
        <ul class="grid gap-3 sm:grid-cols-[repeat(auto-fill,minmax(13.5rem,1fr))] sm:gap-4">
          {shown?.map((reward) => (
            <Offer
              key={reward.id}
              of={reward}
              redeemable={redeemable}
              isWished={wishes.isWished(reward)}
              onWish={() => void wishes.toggle(reward)}
              onAsk={() => (asking.value = reward)}
            />
          ))}
        </ul>
      </div>
      <section class="mt-10 max-w-2xl">
        <h2 class="mb-2 text-sm font-medium text-muted">{rewards.own}</h2>
        <RedemptionPages
          of={own}
          address={(query) => withQuery(addresses.rewards, { list, ...query })}
          empty={rewards.noneOwn}
        >
          {(redemption) => <RedemptionText of={redemption} />}
        </RedemptionPages>
      </section>
      {asking.value !== null && (
        <RedeemDialog of={asking.value} redeemable={redeemable} onClose={() => (asking.value = null)} onDone={done} />
      )}
    </div>
  )
}

Rewards.prefetch = () => useRewards.prefetch(null)

const wishList = "wishes"

function wishesText(count: number): string {
  const { rewards } = t()
  return count === 0 ? rewards.wishes : `${rewards.wishes} (${formatNumber(count)})`
}

/** Which rewards the user wishes for. A click shows at once, and is taken back with the server's words if it is refused. */
function useWishes({ refreshQuietly }: Pick<QueryResult<unknown>, "refreshQuietly">) {
  const clicked = useSignal<ReadonlyMap<number, boolean>>(new Map())
  const refusal = useSignal<string | null>(null)
  const isWished = ({ id, wished }: Reward) => clicked.value.get(id) ?? wished
  return {
    isWished,
    refusal: refusal.value,
    async toggle(reward: Reward) {
      const isOn = !isWished(reward)
      clicked.value = new Map([...clicked.value, [reward.id, isOn]])
      refusal.value = null
      const { wish } = api.api.v1.rewards({ id: String(reward.id) })
      const answer = await request(isOn ? wish.put() : wish.delete())
      if (answer.kind === "done") return refreshQuietly()
      clicked.value = new Map([...clicked.value].filter(([id]) => id !== reward.id))
      refusal.value = messageOf(answer)
    },
  }
}

/** What can be redeemed now first, then what is nearest, and what cannot be had at all last. */
const byNearness = (rewards: readonly Reward[], redeemable: number): readonly Reward[] =>
  rewards.toSorted((one, other) => {
    const rankOf = (reward: Reward) => (isGone(reward) ? 2 : reward.cost > redeemable ? 1 : 0)
    return rankOf(one) - rankOf(other) || one.cost - other.cost
  })

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
