import { auditEntry } from "../audit/audit-log.ts"
import type { Clock } from "../clock.ts"
import { DomainError } from "../errors.ts"
import { checkedIdempotencyKey, type KeyedRequest, type MakeOnce } from "../idempotency/idempotency.ts"
import { type MailJobs, type RedemptionMail, redemptionMailKind } from "../jobs/jobs.ts"
import type { NewJob } from "../jobs/ports.ts"
import { checkTransfer, type RequestLimitOf } from "../ledger/ledger.ts"
import { redeemableOf } from "../ledger/pockets.ts"
import { type PageBefore, type PageQuery, pageAmong, pageRange } from "../paging.ts"
import { takesPart, type User } from "../people/model.ts"
import { type Actor, hasDuty, managementDept, onlyPersonShown, requireDuty } from "../people/roles.ts"
import { theAdmin } from "../people/users.ts"
import type { Store } from "../store.ts"
import { checkText, trimmedLines, wordOf } from "../text.ts"
import {
  type Redemption,
  type RedemptionAnswer,
  type RedemptionContext,
  type RedemptionState,
  type Reward,
  redemptionStates,
} from "./model.ts"

/** The greatest length of a comment and of an answer, in characters. */
export const maxTextLength = 500

/** How many superusers at most get mail about a redemption, besides those with the duty `rewards`. */
const maxMails = 50

interface RedemptionRequest {
  readonly reward: Pick<Reward, "id" | "name">
  readonly comment?: string | null | undefined
  readonly idempotencyKey?: string | null
}

export interface PlacedRedemption extends Redemption {
  /** True when an earlier request under the same idempotency key made it; this one moved nothing. */
  readonly replayed: boolean
}

/** The query parameters of GET /api/v1/redemptions, parsed. */
interface RedemptionListQuery extends PageQuery {
  /** One of `redemptionStates`. */
  readonly state?: string | undefined
  readonly username?: string | undefined
}

interface Dependencies {
  readonly store: Pick<Store, "ledger" | "rewards" | "users">
  readonly clock: Clock
  readonly makeOnce: MakeOnce
  readonly requestLimitOf: RequestLimitOf
  readonly mailJobs: MailJobs
}

/** Redeems points for rewards, and records the answers of those who maintain them (docs/interface/rewards.md). */
export function createRedemptions(dependencies: Dependencies) {
  const { store, clock, makeOnce, requestLimitOf, mailJobs } = dependencies

  return {
    /**
     * Redeems a reward: takes its cost from the user and one from its stock. Redeemable points, stock and limit are checked
     * while the ledger is locked. A request under an idempotency key that the user has used within a day is a replay.
     * @throws DomainError `invalid` (comment or key), `reward_not_found`, `insufficient_balance`, `not_redeemable`,
     *   `out_of_stock`, `limit_reached`, `key_reused`, `too_many_transfers`
     */
    async redeem(user: User, { reward, ...request }: RedemptionRequest): Promise<PlacedRedemption> {
      const comment = checkedText("comment", request.comment)
      const date = clock()
      const key = checkedIdempotencyKey(request.idempotencyKey, { redeems: reward.id, comment }, date)
      const admin = await theAdmin(store.users)
      const informed = await peopleToTell(user, admin)
      const { id, replayed } = await store.ledger.redeem(
        {
          rewardId: reward.id,
          userId: user.id,
          receiverId: admin.id,
          comment,
          date,
          note: { reason: reward.name, tags: [], isPrivate: false },
          jobs: (redemption) => informed.map((to) => jobOf({ redemption, to, about: "request" })),
        },
        (context) => checkRedemption(user, context),
        { idempotencyKey: key, limit: requestLimitOf(user) },
      )
      mailJobs.wake()
      return { ...(await stored(id)), replayed }
    },

    /** One page of the redemptions that `viewer` may see, newest first: all for those who answer them, otherwise their own.
     *  @throws DomainError `invalid`, naming the parameter; `user_not_found`, `not_own_redemptions` (`username`) */
    async page(viewer: User, { state, username, ...query }: RedemptionListQuery): Promise<PageBefore<Redemption>> {
      const range = pageRange(query, "a redemption")
      const seesAll = hasDuty(viewer, "rewards")
      const userId = await onlyPersonShown(store.users, viewer, username, "not_own_redemptions", seesAll)
      return pageAmong(await store.rewards.redemptions({ state: stateOf(state), userId, ...range }), range)
    },

    /** @throws DomainError `not_superuser`, `invalid` (answer), `own_request`, `not_requested`, and those of `MakeOnce` */
    async fulfil(
      actor: Actor,
      redemption: Redemption,
      answer?: string | null,
      keyed?: KeyedRequest | null,
    ): Promise<Redemption> {
      const given = answerTo(actor, redemption, "reward_fulfilled", answer)
      await makeOnce<true>(keyed, async (once) => {
        if (!(await store.rewards.fulfil(given, once))) throw new DomainError("not_requested")
        return true
      })
      mailJobs.wake()
      return stored(redemption.id)
    },

    /** Declines a redemption: returns the points to the user, who may have left by now, and the reward to the stock.
     *  @throws DomainError `not_superuser`, `invalid` (answer or key), `own_request`, `not_requested`,
     *   `balance_out_of_range`, `key_reused` */
    async decline(
      actor: Actor,
      redemption: Redemption,
      answer?: string | null,
      keyed?: KeyedRequest | null,
    ): Promise<Redemption> {
      const given = answerTo(actor, redemption, "reward_declined", answer)
      const key = checkedIdempotencyKey(keyed?.key, keyed?.request, given.date)
      const admin = await theAdmin(store.users)
      const { userId, rewardName, cost: value } = redemption
      const [person] = await store.users.byIds([userId])
      if (!person) throw new Error(`user ${userId}, whom a redemption names, is missing`)
      const note = { reason: rewardName, tags: [], isPrivate: false }
      await store.ledger.refund(
        { kind: "refund", senderId: admin.id, receiverId: userId, value, date: given.date, note },
        given,
        (balances) => checkTransfer({ sender: admin, receiver: person, value }, balances),
        { idempotencyKey: key && keyed ? { ...key, ownerId: keyed.ownerId } : undefined },
      )
      mailJobs.wake()
      return stored(redemption.id)
    },
  }

  async function stored(id: number): Promise<Redemption> {
    const redemption = await store.rewards.redemption(id)
    if (!redemption) throw new Error(`redemption ${id} is missing`)
    return redemption
  }

  /**
   * Ids of those to whom mail about a redemption goes: superusers and people with the duty `rewards`, except the user and
   * `admin`, or `admin` if there are no others.
   */
  async function peopleToTell(user: User, admin: User): Promise<readonly number[]> {
    const superusers = await store.users.inDept(managementDept, maxMails)
    const holders = (await store.users.withDuties()).filter((one) => hasDuty(one, "rewards"))
    const others = [...superusers, ...holders].filter(
      (one) => takesPart(one) && one.id !== admin.id && one.id !== user.id,
    )
    return others.length === 0 ? [admin.id] : others.map(({ id }) => id)
  }

  /** Nobody answers their own request, not even a superuser. The operator answers on the command line. */
  function answerTo(
    actor: Actor,
    redemption: Redemption,
    action: "reward_fulfilled" | "reward_declined",
    answer: string | null | undefined,
  ): RedemptionAnswer {
    requireDuty(actor, "rewards")
    const date = clock()
    const { id, userId, username, rewardName } = redemption
    const words = checkedText("answer", answer)
    if (actor.user?.id === userId) throw new DomainError("own_request")
    return {
      redemption,
      answer: words,
      date,
      jobs: [jobOf({ redemption: id, to: userId, about: "answer" })],
      audit: auditEntry(actor, date, action, {
        whom: username,
        detail: `${id}: ${rewardName}`,
        before: { state: "requested" },
        after: { state: action === "reward_fulfilled" ? "fulfilled" : "declined" },
      }),
    }
  }

  function jobOf(payload: RedemptionMail): NewJob {
    return mailJobs.of(redemptionMailKind, payload)
  }
}

/**
 * The rule of a redemption. The store calls it inside the lock, with the current state.
 * @throws DomainError `reward_not_found`, `insufficient_balance`, `not_redeemable`, `out_of_stock`, `limit_reached`
 */
function checkRedemption(user: User, { reward, redeemed, pockets }: RedemptionContext) {
  const { cost, stock, limitPerPerson } = reward
  if (!reward.isActive) throw new DomainError("reward_not_found")
  if (pockets.balance < cost) throw new DomainError("insufficient_balance")
  if (redeemableOf(user, pockets) < cost) throw new DomainError("not_redeemable")
  if (stock === 0) throw new DomainError("out_of_stock")
  if (limitPerPerson !== null && redeemed >= limitPerPerson) throw new DomainError("limit_reached")
}

/** @throws DomainError `invalid` */
function checkedText(field: string, given: string | null | undefined): string | null {
  const words = trimmedLines(given ?? "")
  checkText(field, words, maxTextLength)
  return words === "" ? null : words
}

const stateOf = (word: string | undefined): RedemptionState | undefined =>
  word === undefined ? undefined : wordOf("state", redemptionStates, word)
