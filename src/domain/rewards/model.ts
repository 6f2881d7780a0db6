import type { AuditEntry } from "../audit/ports.ts"
import type { NewJob } from "../jobs/ports.ts"
import type { Note } from "../ledger/model.ts"
import type { Pockets, User } from "../people/model.ts"

/** What people can redeem points for. */
export interface Reward {
  readonly id: number
  readonly name: string
  readonly description: string | null
  /** Points. */
  readonly cost: number
  /** Path of an uploaded picture on this server. A reward has a picture or an emoji as its cover, or neither. */
  readonly picture: string | null
  readonly emoji: string | null
  /** How many are left; null: no limit. */
  readonly stock: number | null
  /** How many one person may redeem; null: no limit. Declined redemptions do not count. */
  readonly limitPerPerson: number | null
  /** Whether members see it and can redeem it. */
  readonly isActive: boolean
  /** What it is worth in the programme's currency, with at most three decimals; null: not said. */
  readonly moneyValue: number | null
  /** Whether whoever gets it has to pay tax on it. */
  readonly isTaxable: boolean
}

export type NewReward = Omit<Reward, "id" | "picture">

/** Fields that are absent stay as they are. */
export type RewardChange = Partial<NewReward>

/** That a person would like a reward. Redeeming it ends the wish. */
export interface Wish {
  readonly userId: number
  readonly rewardId: number
  readonly date: number
}

export const redemptionStates = ["requested", "fulfilled", "declined"] as const

export type RedemptionState = (typeof redemptionStates)[number]

export interface NewRedemption {
  readonly rewardId: number
  /** `userId` redeems the reward and pays the points; `receiverId` receives them. */
  readonly userId: number
  readonly receiverId: number
  readonly comment: string | null
  readonly date: number
  readonly note: Note
  /** Returns the jobs to store with the redemption that gets this id. Synchronous; a retry calls it again. */
  readonly jobs: (id: number) => readonly NewJob[]
}

/** The rewards as the store knows them for one person. */
export interface StoredCatalogue {
  /** Ascending by id. */
  readonly rewards: readonly Reward[]
  readonly pockets: Pockets
  /** How many redemptions of each reward, by its id, the person has. Declined ones do not count. */
  readonly redeemed: ReadonlyMap<number, number>
  /** Ids of the rewards that the person wishes for. */
  readonly wished: ReadonlySet<number>
  /** How many active people wish for each reward, by its id. */
  readonly wishes: ReadonlyMap<number, number>
}

/** The state that the check of a redemption gets while the ledger is locked. */
export interface RedemptionContext {
  readonly reward: Reward
  /** How many redemptions of this reward the person has. Declined ones do not count. */
  readonly redeemed: number
  /** Of the person. */
  readonly pockets: Pockets
}

export interface Redemption extends Pick<User, "username" | "name" | "dept">, Pick<Reward, "moneyValue" | "isTaxable"> {
  /** The id of the transaction that took the points. */
  readonly id: number
  readonly rewardId: number
  /** The name of the reward when it was redeemed; what it was worth, and whether it was taxable, is of then too. */
  readonly rewardName: string
  readonly userId: number
  /** Points. */
  readonly cost: number
  readonly state: RedemptionState
  readonly date: number
  readonly comment: string | null
  readonly answer: string | null
  readonly answeredAt: number | null
}

/** All fields that are present must match. */
export interface RedemptionQuery {
  readonly state?: RedemptionState | undefined
  readonly userId?: number | undefined
  /** Only ids below this one. */
  readonly before?: number | undefined
  readonly limit: number
}

/** How a redemption is answered. */
export interface RedemptionAnswer {
  readonly redemption: Pick<Redemption, "id" | "rewardId">
  readonly answer: string | null
  readonly date: number
  readonly jobs: readonly NewJob[]
  readonly audit: AuditEntry
}
