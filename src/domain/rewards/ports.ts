import type { AuditEntry, EntryOf } from "../audit/ports.ts"
import type { Once } from "../idempotency/ports.ts"
import type { Balances, NewTransaction, PostResult, Transaction } from "../ledger/model.ts"
import type { PostOptions } from "../ledger/ports.ts"
import type { Picture } from "../people/model.ts"
import type {
  NewRedemption,
  NewReward,
  Redemption,
  RedemptionAnswer,
  RedemptionContext,
  RedemptionQuery,
  Reward,
  RewardChange,
  StoredCatalogue,
  Wish,
} from "./model.ts"

/** The catalogue of rewards. `RewardLedger.redeem` and `RewardLedger.refund` move points for it. */
export interface RewardStore {
  /** Ascending by id. */
  list(): Promise<Reward[]>
  find(id: number): Promise<Reward | null>
  create(reward: NewReward, audit: AuditEntry, once?: Once<Reward>): Promise<Reward>
  /** Sets the fields that are given; an emoji takes the place of a picture. Null when there is none with this id. */
  update(id: number, change: RewardChange, audit: EntryOf<Reward>): Promise<Reward | null>
  /** Sets the reward's picture, in place of an emoji. Null when there is no such reward. A picture that is no longer used is deleted. */
  savePicture(id: number, picture: Picture, audit: EntryOf<Reward>): Promise<Reward | null>
  /** Every reward, and what a person has to do with it, as of one moment. */
  catalogueOf(userId: number): Promise<StoredCatalogue>
  /** Stores that a person wishes for a reward, or no longer does. Doing so again changes nothing. */
  wish(wish: Wish): Promise<void>
  takeBackWish(wish: Omit<Wish, "date">): Promise<void>
  redemption(id: number): Promise<Redemption | null>
  /** Newest first. */
  redemptions(query: RedemptionQuery): Promise<Redemption[]>
  /** Fulfils a redemption, and stores answer and jobs. False, with nothing changed, when it has been answered. */
  fulfil(answer: RedemptionAnswer, once?: Once<true>): Promise<boolean>
}

/** What the ledger does for rewards. */
export interface RewardLedger {
  /**
   * Redeems a reward in one commit: posts the cost that it has at that moment, takes one from its stock, and stores the
   * redemption and its jobs. `check`, idempotency key and limit work as for `LedgerStore.post`.
   * @throws DomainError `reward_not_found`, `key_reused`, `too_many_transfers`
   */
  redeem(
    redemption: NewRedemption,
    check: (context: RedemptionContext) => void,
    options?: Omit<PostOptions, "reference">,
  ): Promise<Transaction & Pick<PostResult, "replayed">>
  /**
   * Declines a redemption in one commit: posts `refund`, puts one back into the stock, and stores answer and jobs.
   * @throws DomainError `not_requested` when it has been answered; and what `check` throws
   */
  refund(
    refund: NewTransaction,
    answer: RedemptionAnswer,
    check: (balances: Balances) => void,
    options?: Pick<PostOptions, "idempotencyKey">,
  ): Promise<Transaction>
}
