import { api } from "../../server/api.ts"
import { createQuery } from "../../server/query.ts"
import { request } from "../../server/request.ts"

/** What can be redeemed, as the viewer sees it. */
export const useRewards = createQuery((_: null) => request(api.api.v1.rewards.get()))

export type Reward = NonNullable<ReturnType<typeof useRewards>["data"]>["items"][number]

interface RedemptionsRequest {
  readonly state?: string
  readonly username?: string
  /** `next` of the page before. */
  readonly before?: string
}

/** One page of redemptions, newest first. */
export const useRedemptions = createQuery((query: RedemptionsRequest) =>
  request(api.api.v1.redemptions.get({ query: { ...query, size: "50" } })),
)

export type Redemption = NonNullable<ReturnType<typeof useRedemptions>["data"]>["items"][number]

/** Of a comment and of an answer, in characters: the server's limit. */
export const maxTextLength = 500
