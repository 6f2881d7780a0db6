import { auditEntry } from "../audit/audit-log.ts"
import type { AuditEntry, AuditValues, EntryOf } from "../audit/ports.ts"
import type { Clock } from "../clock.ts"
import { DomainError, invalid } from "../errors.ts"
import type { KeyedRequest, MakeOnce } from "../idempotency/idempotency.ts"
import { redeemableOf } from "../ledger/pockets.ts"
import type { User } from "../people/model.ts"
import { checkedPicture } from "../people/pictures.ts"
import { type Actor, hasDuty, requireDuty } from "../people/roles.ts"
import { maxValue } from "../points.ts"
import type { Store } from "../store.ts"
import { checkLine, checkText, emojiOf, sha256 } from "../text.ts"
import type { NewReward, Reward, RewardChange } from "./model.ts"

/** In characters. */
export const maxRewardName = 100
export const maxRewardDescription = 1000

/** Far below `maxValue`, so that a declined redemption can always be added to the stock again. */
export const maxStock = 1_000_000_000

/** Of the programme's currency. */
export const maxMoneyValue = 1_000_000_000

/** The body of POST /api/v1/rewards, not yet checked. */
export interface RewardRequest {
  readonly name: string
  readonly description?: string | null | undefined
  readonly cost: number
  readonly stock?: number | null | undefined
  readonly limitPerPerson?: number | null | undefined
  readonly isActive?: boolean | undefined
  readonly moneyValue?: number | null | undefined
  readonly isTaxable?: boolean | undefined
  readonly emoji?: string | null | undefined
}

/** A reward as one person sees it. */
export interface OfferedReward extends Reward {
  /** Whether the person's redeemable points cover the cost. */
  readonly isAffordable: boolean
  /** How many the person has redeemed. Declined redemptions do not count. */
  readonly redeemed: number
  /** Whether the person wishes for it. */
  readonly isWished: boolean
  /** How many active people wish for it; null for members, whom the wishes of others do not concern. */
  readonly wishes: number | null
}

interface Dependencies {
  readonly store: Pick<Store, "rewards">
  readonly clock: Clock
  readonly makeOnce: MakeOnce
}

/** What people can redeem points for (docs/interface/rewards.md). */
export function createCatalogue({ store: { rewards }, clock, makeOnce }: Dependencies) {
  return {
    /**
     * All rewards for those who maintain them, otherwise the active ones. Says whether the viewer can afford each one and wishes for
     * it, and how many they have redeemed.
     */
    async listFor(viewer: User): Promise<OfferedReward[]> {
      const { all, seen } = await seenBy(viewer)
      return all.filter(({ isActive }) => isActive || hasDuty(viewer, "rewards")).map(seen)
    },

    /** Marks a reward as what the person would like, or not (`isOn`). Doing so again changes nothing. */
    async wish(user: User, reward: Reward, isOn: boolean): Promise<OfferedReward> {
      const wish = { userId: user.id, rewardId: reward.id }
      await (isOn ? rewards.wish({ ...wish, date: clock() }) : rewards.takeBackWish(wish))
      return (await seenBy(user)).seen(reward)
    },

    /** @throws DomainError `not_superuser`, `invalid`, and those of `MakeOnce` */
    async create(actor: Actor, request: RewardRequest, keyed?: KeyedRequest | null): Promise<Reward> {
      requireDuty(actor, "rewards")
      const { name, cost, description = null, stock = null, limitPerPerson = null, isActive = true } = request
      const { moneyValue = null, isTaxable = false, emoji = null } = request
      const reward: NewReward = {
        name,
        description,
        cost,
        stock,
        limitPerPerson,
        isActive,
        moneyValue,
        isTaxable,
        emoji,
      }
      return makeOnce(keyed, async (once) => {
        const checkedReward = checked(reward)
        return rewards.create(checkedReward, creation(actor, checkedReward), once)
      })
    },

    /** Changes the given fields. Redemptions keep what the reward was then.
     *  @throws DomainError `not_superuser`, `invalid` */
    async change(actor: Actor, reward: Reward, change: RewardChange): Promise<Reward> {
      requireDuty(actor, "rewards")
      return found(await rewards.update(reward.id, checked(change), changed(actor)))
    },

    /** @throws DomainError `not_superuser`, `invalid` */
    async savePicture(actor: Actor, reward: Reward, bytes: Uint8Array<ArrayBuffer>): Promise<Reward> {
      requireDuty(actor, "rewards")
      const picture = { kind: checkedPicture(bytes, "picture"), bytes, hash: sha256(bytes) }
      return found(await rewards.savePicture(reward.id, picture, changed(actor)))
    },
  }

  /** All rewards, and how a person sees one. */
  async function seenBy(viewer: User) {
    const { rewards: all, pockets, redeemed, wished, wishes } = await rewards.catalogueOf(viewer.id)
    const redeemable = redeemableOf(viewer, pockets)
    const seen = (reward: Reward): OfferedReward => ({
      ...reward,
      isAffordable: reward.cost <= redeemable,
      redeemed: redeemed.get(reward.id) ?? 0,
      isWished: wished.has(reward.id),
      wishes: hasDuty(viewer, "rewards") ? (wishes.get(reward.id) ?? 0) : null,
    })
    return { all, seen }
  }

  function creation(actor: Actor, reward: NewReward): AuditEntry {
    return auditEntry(actor, clock(), "reward_created", { detail: reward.name, after: valuesOf(reward) })
  }

  function changed(actor: Actor): EntryOf<Reward> {
    const at = clock()
    return (before, after) =>
      auditEntry(actor, at, "reward_changed", {
        detail: before.name,
        before: valuesOf(before),
        after: valuesOf(after),
      })
  }
}

const valuesOf = ({ limitPerPerson, isActive, moneyValue, isTaxable, ...others }: NewReward | Reward): AuditValues => ({
  ...others,
  limit_per_person: limitPerPerson,
  active: isActive,
  money_value: moneyValue,
  taxable: isTaxable,
})

/** Rewards are never deleted. */
function found(reward: Reward | null): Reward {
  if (!reward) throw new DomainError("reward_not_found")
  return reward
}

/** @throws DomainError `invalid` */
function checked<T extends RewardChange>(reward: T): T {
  const { name, description, cost, stock, limitPerPerson, moneyValue, emoji } = reward
  if (name !== undefined) checkLine("name", name, maxRewardName)
  if (description != null) checkText("description", description, maxRewardDescription)
  checkNumber("cost", cost, 1)
  checkNumber("stock", stock, 0, maxStock)
  checkNumber("limit_per_person", limitPerPerson, 1)
  if (moneyValue != null && !isMoney(moneyValue))
    throw invalid("money_value", `a number from 0 to ${maxMoneyValue} with at most three decimals`)
  return emoji == null ? reward : { ...reward, emoji: checkedEmoji(emoji) }
}

function checkedEmoji(text: string): string {
  const emoji = emojiOf(text)
  if (emoji === null) throw invalid("emoji", "one emoji")
  return emoji
}

const isMoney = (value: number): boolean =>
  value >= 0 && value <= maxMoneyValue && Math.round(value * 1000) / 1000 === value

function checkNumber(field: string, value: number | null | undefined, min: number, max = maxValue) {
  if (value != null && !(Number.isSafeInteger(value) && value >= min && value <= max))
    throw invalid(field, `an integer from ${min} to ${max}`)
}
