import { type Static, Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { maxValue, minValue } from "../../../domain/points.ts"
import {
  maxMoneyValue,
  maxRewardDescription,
  maxRewardName,
  maxStock,
  type OfferedReward,
} from "../../../domain/rewards/catalogue.ts"
import { redemptionStates } from "../../../domain/rewards/model.ts"
import { maxTextLength, type PlacedRedemption } from "../../../domain/rewards/redemptions.ts"
import { redemptionView, rewardView } from "../../../formats/views/rewards.ts"
import type { Dependencies } from "../../dependencies.ts"
import { idempotentOperation, operation, showingMore } from "../../openapi-operations.ts"
import { idempotencyKeyOf, keyedRequestOf } from "../../request.ts"
import { byId, nullableText, numberOf, oneOf, openObject, ProtectedQuery, protectedQuery, text } from "../../schemas.ts"
import { date, dateOrNull, pageOf, pageParameters, pageView, points } from "./common-fields.ts"

/** The catalogue of rewards, and redemptions. */
export function rewardRoutes({ app: { catalogue, redemptions }, guards }: Dependencies<"catalogue" | "redemptions">) {
  return new Elysia()
    .use(guards)
    .get(
      "/api/v1/rewards",
      async ({ caller: { user } }) => ({ items: (await catalogue.listFor(user)).map(offeredView) }),
      {
        authenticated: "read",
        query: ProtectedQuery,
        detail: showingMore(
          ["rewards"],
          "see inactive rewards too",
          operation("Rewards", "List what can be redeemed", 200, "Rewards"),
        ),
      },
    )
    .post(
      "/api/v1/rewards",
      async ({ caller, body, actor, request, status }) => {
        const keyed = keyedRequestOf(request, caller, body)
        return status(201, rewardView(await catalogue.create(actor, { ...body, ...fieldsOf(body) }, keyed)))
      },
      {
        rewards: "admin",
        query: ProtectedQuery,
        body: NewRewardRequest,
        detail: idempotentOperation("Rewards", "Add a reward (superusers)", 201, "Reward"),
      },
    )
    .patch(
      "/api/v1/rewards/:id",
      async ({ reward, body, actor }) => rewardView(await catalogue.change(actor, reward, fieldsOf(body))),
      {
        toReward: "admin",
        ...byId,
        body: RewardChangeRequest,
        detail: operation("Rewards", "Change the given fields of a reward (superusers)", 200, "Reward"),
      },
    )
    .put(
      "/api/v1/rewards/:id/picture",
      async ({ reward, body: bytes, actor }) =>
        rewardView(await catalogue.savePicture(actor, reward, bytes as Uint8Array<ArrayBuffer>)),
      {
        toRewardPicture: "admin",
        ...byId,
        detail: {
          ...operation("Rewards", "Upload the picture of a reward (superusers)", 200, "Reward", ["body_too_large"]),
          requestBody: { required: true, content: { "image/*": { schema: { type: "string", format: "binary" } } } },
        },
      },
    )
    .put(
      "/api/v1/rewards/:id/wish",
      async ({ caller: { user }, reward }) => offeredView(await catalogue.wish(user, reward, true)),
      {
        toOffer: "give",
        ...byId,
        detail: operation("Rewards", "Wish for a reward", 200, "OfferedReward"),
      },
    )
    .delete(
      "/api/v1/rewards/:id/wish",
      async ({ caller: { user }, reward }) => offeredView(await catalogue.wish(user, reward, false)),
      {
        toOffer: "give",
        ...byId,
        detail: operation("Rewards", "Take a wish back", 200, "OfferedReward"),
      },
    )
    .post(
      "/api/v1/rewards/:id/redemptions",
      async ({ caller, reward, body, request, status }) => {
        const idempotencyKey = idempotencyKeyOf(request, caller)
        const placed = await redemptions.redeem(caller.user, { reward, comment: body?.comment, idempotencyKey })
        return status(201, placedView(placed))
      },
      {
        toOffer: "give",
        ...byId,
        body: RedemptionRequest,
        detail: idempotentOperation("Rewards", "Redeem points for a reward", 201, "PlacedRedemption", [
          "insufficient_balance",
          "not_redeemable",
          "out_of_stock",
          "limit_reached",
          "too_many_transfers",
        ]),
      },
    )
    .get(
      "/api/v1/redemptions",
      async ({ caller: { user }, query: { state, username, before, size } }) => {
        const page = await redemptions.page(user, { state, username, before: numberOf(before), size: numberOf(size) })
        return pageView(page, redemptionView)
      },
      {
        authenticated: "read",
        query: RedemptionQuery,
        detail: showingMore(
          ["rewards"],
          "see everybody's",
          operation("Rewards", "List redemptions, newest first", 200, "RedemptionPage", [
            "user_not_found",
            "not_own_redemptions",
          ]),
        ),
      },
    )
    .post(
      "/api/v1/redemptions/:id/fulfilment",
      async ({ caller, redemption, body, actor, request }) => {
        const keyed = keyedRequestOf(request, caller, body)
        return redemptionView(await redemptions.fulfil(actor, redemption, body?.answer, keyed))
      },
      {
        toRedemption: "admin",
        ...byId,
        body: AnswerRequest,
        detail: idempotentOperation(
          "Rewards",
          "Mark a redemption as fulfilled (superusers)",
          200,
          "Redemption",
          answerErrors,
        ),
      },
    )
    .post(
      "/api/v1/redemptions/:id/rejection",
      async ({ caller, redemption, body, actor, request }) => {
        const keyed = keyedRequestOf(request, caller, body)
        return redemptionView(await redemptions.decline(actor, redemption, body?.answer, keyed))
      },
      {
        toRedemption: "admin",
        ...byId,
        body: AnswerRequest,
        detail: idempotentOperation(
          "Rewards",
          "Decline a redemption, which returns the points (superusers)",
          200,
          "Redemption",
          [...answerErrors, "balance_out_of_range"],
        ),
      },
    )
}

const answerErrors = ["not_requested", "own_request"] as const

const nullableInteger = (minimum: number, maximum: number, description: string) =>
  Type.Union([Type.Integer({ minimum, maximum }), Type.Null()], { description })

const given = {
  name: text(`1 to ${maxRewardName} characters`),
  description: nullableText(`at most ${maxRewardDescription} characters`),
  cost: Type.Integer({ minimum: minValue, maximum: maxValue, description: "points" }),
  stock: nullableInteger(0, maxStock, "how many are left; null: as many as are asked for"),
  limit_per_person: nullableInteger(1, maxValue, "how many one person may redeem; null: no limit"),
  active: Type.Boolean({ description: "whether members see it and can redeem it" }),
  money_value: Type.Union([Type.Number({ minimum: 0, maximum: maxMoneyValue }), Type.Null()], {
    description: "what it is worth in the programme's currency, with at most three decimals; null: not said",
  }),
  taxable: Type.Boolean({ description: "whether whoever gets it has to pay tax on it" }),
  emoji: nullableText("one emoji, as the cover in place of a picture"),
}

const RewardChangeRequest = Type.Partial(openObject(given))

const NewRewardRequest = openObject({
  ...Type.Partial(Type.Object(given)).properties,
  name: given.name,
  cost: given.cost,
})

const fieldsOf = ({
  name,
  description,
  cost,
  stock,
  limit_per_person: limitPerPerson,
  active: isActive,
  money_value: moneyValue,
  taxable: isTaxable,
  emoji,
}: Static<typeof RewardChangeRequest>) => ({
  ...(name !== undefined && { name }),
  ...(description !== undefined && { description }),
  ...(cost !== undefined && { cost }),
  ...(stock !== undefined && { stock }),
  ...(limitPerPerson !== undefined && { limitPerPerson }),
  ...(isActive !== undefined && { isActive }),
  ...(moneyValue !== undefined && { moneyValue }),
  ...(isTaxable !== undefined && { isTaxable }),
  ...(emoji !== undefined && { emoji }),
})

/** The schema of a body that may be left out. */
const optional = <T extends Parameters<typeof Type.Object>[0]>(properties: T) =>
  Type.Union([openObject(properties), Type.Null()])

const words = `at most ${maxTextLength} characters`
const RedemptionRequest = optional({ comment: Type.Optional(nullableText(words)) })
const AnswerRequest = optional({ answer: Type.Optional(nullableText(words)) })

const RedemptionQuery = protectedQuery({
  state: Type.Optional(oneOf(redemptionStates)),
  username: Type.Optional(text("redemptions of this person (oneself, superusers)")),
  ...pageParameters,
})

const reward = {
  id: Type.Integer(),
  ...given,
  picture: nullableText("path of an image on this server"),
}

const redemption = {
  id: Type.Integer(),
  reward: Type.Integer({ description: "id of the reward" }),
  reward_name: Type.String({ description: "as it was at that time" }),
  username: Type.String(),
  name: Type.String(),
  cost: points,
  state: Type.Union(redemptionStates.map((state) => Type.Literal(state))),
  date: date("UTC, ISO 8601"),
  comment: nullableText("text"),
  answer: nullableText("text"),
  answered_at: dateOrNull("UTC, ISO 8601"),
  transaction: Type.Integer({ description: "id of the transaction that took the points" }),
}

export const rewardComponents = {
  Reward: Type.Object(reward),
  OfferedReward: Type.Object({
    ...reward,
    affordable: Type.Boolean({ description: "whether the caller's redeemable points cover the cost" }),
    redeemed: Type.Integer({ description: "how many the caller has redeemed, declined ones left out" }),
    wished: Type.Boolean({ description: "whether the caller wishes for it" }),
    wishes: Type.Union([Type.Integer(), Type.Null()], {
      description: "how many active people wish for it; null for those who do not maintain rewards",
    }),
  }),
  Rewards: Type.Object({ items: Type.Array(Type.Ref("OfferedReward")) }),
  Redemption: Type.Object(redemption),
  PlacedRedemption: Type.Object({
    ...redemption,
    replayed: Type.Boolean({ description: "whether it was done earlier under the same `Idempotency-Key`" }),
  }),
  RedemptionPage: pageOf("Redemption"),
}

const offeredView = ({ isAffordable, redeemed, isWished, wishes, ...reward }: OfferedReward) => ({
  ...rewardView(reward),
  affordable: isAffordable,
  redeemed,
  wished: isWished,
  wishes,
})

const placedView = ({ replayed, ...redemption }: PlacedRedemption) => ({ ...redemptionView(redemption), replayed })
