import type { PointValue } from "./point-value.ts"

/**
 * What those who run the programme decide: stored, audited, and changed in the app or with `rewards programme`. The fields
 * have the names that the interface and the command line give them (docs/interface/programme.md).
 */
export interface Programme {
  /** What people call points. */
  readonly points_name: PointsName
  /** Points that the give box offers, ascending. */
  readonly amounts: readonly number[]
  /** Whether a transfer needs a reason. The contract's endpoint never asks for one. */
  readonly reason: Need
  /** How many characters a reason has at least. */
  readonly reason_min: number
  /** Whether a transfer needs a tag, likewise. */
  readonly tag: Need
  /** The tags that a transfer may carry, in the order in which they are offered. */
  readonly tags: readonly Tag[]
  readonly most_to_one: MostToOne
  /** `concerned`: members see only the amounts of transfers that they sent or received. */
  readonly amounts_shown: (typeof audiencesOfAmounts)[number]
  readonly leaderboard: (typeof leaderboardReaders)[number]
  /** `budget`: members give only the part of their balance that is there to be given. */
  readonly give_from: (typeof pocketsToGive)[number]
  readonly occasions: Readonly<Record<OccasionKind, Occasion>>
  /** Null: points have no value in money. */
  readonly point_value: PointValue | null
}

export interface PointsName {
  readonly one: string
  readonly many: string
}

export interface Tag {
  readonly name: string
  readonly emoji: string | null
  readonly description: string | null
}

/** What one member may give one person within a period. */
export interface MostToOne {
  /** Null: there is no limit. */
  readonly points: number | null
  readonly period: LimitPeriod
}

/** How a day in somebody's life with the company is celebrated. */
export interface Occasion {
  /** Points that the person gets; 0: none. */
  readonly points: number
  /** What the feed says: `{name}` is the person, and `{years}` of an anniversary how many. */
  readonly text: string
  /** Whether it is celebrated. */
  readonly active: boolean
}

export const needs = ["optional", "required"] as const
type Need = (typeof needs)[number]

export const limitPeriods = ["week", "month", "quarter"] as const
type LimitPeriod = (typeof limitPeriods)[number]

export const audiencesOfAmounts = ["everyone", "concerned"] as const
export const leaderboardReaders = ["everyone", "superusers", "off"] as const
export const pocketsToGive = ["balance", "budget"] as const

export const occasionKinds = ["birthday", "anniversary", "first_day"] as const
export type OccasionKind = (typeof occasionKinds)[number]

/** The programme of a new database, apart from its tags. */
export const defaultProgramme: Programme = {
  points_name: { one: "point", many: "points" },
  amounts: [10, 25, 50, 100],
  reason: "optional",
  reason_min: 0,
  tag: "optional",
  tags: [],
  most_to_one: { points: null, period: "month" },
  amounts_shown: "everyone",
  leaderboard: "everyone",
  give_from: "balance",
  occasions: {
    birthday: { points: 50, text: "Happy birthday, {name}!", active: false },
    anniversary: { points: 50, text: "Happy anniversary, {name}! Years with us: {years}.", active: false },
    first_day: { points: 50, text: "Welcome, {name}! Today is your first day with us.", active: false },
  },
  point_value: null,
}
