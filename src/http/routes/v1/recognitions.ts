import { Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { checkedReference } from "../../../domain/ledger/references.ts"
import { maxValue, minValue } from "../../../domain/points.ts"
import { maxReplyLength } from "../../../domain/recognition/responses.ts"
import { feedItemView, replyView } from "../../../formats/views/recognition.ts"
import { listedTransactionView } from "../../../formats/views/transaction.ts"
import type { Dependencies } from "../../dependencies.ts"
import { idempotentOperation, operation, transferErrors } from "../../openapi-operations.ts"
import { idempotencyKeyOf, keyedRequestOf } from "../../request.ts"
import { byId, openObject, ProtectedQuery, text } from "../../schemas.ts"
import { referenceField } from "./common-fields.ts"

/** One recognition, its reactions and replies, and what others add to it. */
export function recognitionRoutes({
  app: { additions, references, responses },
  guards,
}: Dependencies<"additions" | "references" | "responses">) {
  return new Elysia()
    .use(guards)
    .get(
      "/api/v1/recognitions/:id",
      async ({ caller, recognition }) => {
        const { replyList, ...item } = await responses.conversation(caller.user, recognition)
        return { ...feedItemView(item, caller.user.id), replies_list: replyList.map(replyView) }
      },
      {
        toRecognition: "read",
        ...byId,
        detail: operation("Recognition", "Show a recognition with its replies", 200, "Conversation"),
      },
    )
    .put(
      "/api/v1/recognitions/:id/reactions/:emoji",
      async ({ caller, recognition, params: { emoji } }) =>
        feedItemView(await responses.react(caller.user, recognition, emoji, true), caller.user.id),
      {
        toRecognition: "give",
        params: Reaction,
        query: ProtectedQuery,
        detail: operation("Recognition", "React to a recognition", 200, "Recognition", [
          "too_many_reactions",
          "too_many_kinds",
        ]),
      },
    )
    .delete(
      "/api/v1/recognitions/:id/reactions/:emoji",
      async ({ caller, recognition, params: { emoji } }) =>
        feedItemView(await responses.react(caller.user, recognition, emoji, false), caller.user.id),
      {
        toRecognition: "give",
        params: Reaction,
        query: ProtectedQuery,
        detail: operation("Recognition", "Take a reaction back", 200, "Recognition", ["too_many_reactions"]),
      },
    )
    .post(
      "/api/v1/recognitions/:id/points",
      async ({ caller, recognition, body: { value, reference: name }, request, status }) => {
        const sender = caller.user
        const idempotencyKey = idempotencyKeyOf(request, caller)
        const reference = checkedReference(name, { to: { recognition: recognition.id }, value, note: {} })
        const before = await references.sentBefore(sender, reference)
        const { transfers, replayed } = before
          ? { transfers: before, replayed: true }
          : await additions.add({ sender, recognition, value, idempotencyKey, reference })
        const items = transfers.map((entry) => listedTransactionView({ ...entry, reference: reference?.name ?? null }))
        return status(201, { items, replayed })
      },
      {
        toRecognition: "give",
        ...byId,
        body: PointsRequest,
        detail: idempotentOperation("Recognition", "Add points to a recognition", 201, "AddedPoints", [
          ...transferErrors,
          "private",
          "own_recognition",
          "taken_back",
          "reference_reused",
        ]),
      },
    )
    .post(
      "/api/v1/recognitions/:id/replies",
      async ({ caller, recognition, body, request, status }) => {
        const keyed = keyedRequestOf(request, caller, body)
        return status(201, replyView(await responses.reply(caller.user, recognition, body.text, keyed)))
      },
      {
        toRecognition: "give",
        ...byId,
        body: ReplyRequest,
        detail: idempotentOperation("Recognition", "Reply to a recognition", 201, "Reply", ["too_many_replies"]),
      },
    )
    .delete(
      "/api/v1/replies/:id",
      async ({ caller, reply }) => {
        await responses.deleteReply(caller.user, reply)
        return { message: "Reply deleted" }
      },
      {
        toReply: "give",
        ...byId,
        detail: operation("Recognition", "Delete a reply of yours", 200, "Message", ["not_own_reply"]),
      },
    )
    .patch(
      "/api/v1/replies/:id",
      async ({ reply, body: { hidden }, actor }) => replyView(await responses.hideReply(reply, hidden, actor)),
      {
        toAnyReply: "admin",
        ...byId,
        body: ReplyChange,
        detail: operation("Recognition", "Hide a reply, or show it again", 200, "Reply"),
      },
    )
}

const Reaction = Type.Object({
  id: Type.String(),
  emoji: Type.String({ description: "one emoji, as recommended by Unicode (RGI)" }),
})
const PointsRequest = openObject({
  value: Type.Integer({ minimum: minValue, maximum: maxValue, description: "points for each receiver" }),
  ...referenceField,
})
const ReplyRequest = openObject({ text: text(`1 to ${maxReplyLength} characters; line breaks are kept`) })
const ReplyChange = openObject({
  hidden: Type.Boolean({ description: "whether only superusers and the author see it" }),
})
