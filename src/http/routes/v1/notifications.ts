import { Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { maxValue } from "../../../domain/ledger/ledger.ts"
import { maxUnread, type NotificationPage } from "../../../domain/recognition/notifications.ts"
import { utc } from "../../../formats/views/dates.ts"
import { recognitionView, replyView } from "../../../formats/views/recognition.ts"
import type { Dependencies } from "../../dependencies.ts"
import { operation } from "../../openapi-operations.ts"
import { integer, numberOf, openObject, ProtectedQuery, pageSize, protectedQuery } from "../../schemas.ts"
import { date } from "./fields.ts"

/** What is new for the caller: recognitions received, and replies to recognitions sent or received. */
export function notificationRoutes({ app: { notifications }, guards }: Dependencies<"notifications">) {
  return new Elysia()
    .use(guards)
    .get(
      "/api/v1/notifications",
      async ({ caller: { user }, query: { before, size } }) =>
        pageView(await notifications.page(user, { before: numberOf(before), size: numberOf(size) })),
      {
        authenticated: "read",
        query: NotificationQuery,
        detail: operation("Recognition", "List your notifications, newest first", 200, "NotificationPage"),
      },
    )
    .post(
      "/api/v1/notifications/seen",
      async ({ caller: { user }, body: { through } }) => ({ unread: await notifications.markSeen(user, through) }),
      {
        authenticated: "admin",
        query: ProtectedQuery,
        body: SeenRequest,
        detail: operation("Recognition", "Mark notifications as seen", 200, "Unread"),
      },
    )
}

const NotificationQuery = protectedQuery({
  before: Type.Optional(integer("the id of a notification: continue with older ones", { minimum: 1 })),
  size: Type.Optional(pageSize),
})

const SeenRequest = openObject({
  through: Type.Integer({
    minimum: 1,
    maximum: maxValue,
    description: "the id of a notification: it and all older ones",
  }),
})

const unread = Type.Integer({ description: `notifications that are not seen; ${maxUnread} for more` })

export const notificationComponents = {
  Notification: Type.Object({
    id: Type.Integer({ description: "ascends with time" }),
    type: Type.Union([Type.Literal("recognition"), Type.Literal("reply")]),
    date: date("UTC, ISO 8601"),
    seen: Type.Boolean(),
    recognition: Type.Ref("StreamedRecognition"),
    reply: Type.Union([Type.Ref("Reply"), Type.Null()]),
  }),
  NotificationPage: Type.Object({
    items: Type.Array(Type.Ref("Notification")),
    next: Type.Union([Type.Integer(), Type.Null()], { description: "the parameter `before` of the next page" }),
    unread,
  }),
  Unread: Type.Object({ unread }),
}

const pageView = ({ items, next, unread }: NotificationPage) => ({
  items: items.map(({ id, isSeen, recognition, reply }) => ({
    id,
    type: reply ? "reply" : "recognition",
    date: utc((reply ?? recognition).date),
    seen: isSeen,
    recognition: recognitionView(recognition),
    reply: reply && replyView(reply),
  })),
  next,
  unread,
})
