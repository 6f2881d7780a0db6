import { Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import type { TransactionEntry } from "../../../domain/ledger/model.ts"
import type { User } from "../../../domain/people/model.ts"
import { maxValue } from "../../../domain/points.ts"
import type { Notification } from "../../../domain/recognition/model.ts"
import { maxUnread, type NotificationPage } from "../../../domain/recognition/notifications.ts"
import { utc } from "../../../formats/views/dates.ts"
import { recognitionView, replyView } from "../../../formats/views/recognition.ts"
import type { Dependencies } from "../../dependencies.ts"
import { operation } from "../../openapi-operations.ts"
import { integer, nullableText, numberOf, openObject, ProtectedQuery, pageSize, protectedQuery } from "../../schemas.ts"
import { date, points } from "./common-fields.ts"

/** What is new for the caller: recognitions received, and replies to recognitions sent or received. */
export function notificationRoutes({ app: { notifications }, guards }: Dependencies<"notifications">) {
  return new Elysia()
    .use(guards)
    .get(
      "/api/v1/notifications",
      async ({ caller: { user }, query: { before, size } }) =>
        pageView(await notifications.page(user, { before: numberOf(before), size: numberOf(size) }), user),
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

const addition = Type.Object({
  username: Type.String(),
  name: Type.String(),
  avatar: nullableText("address of an image"),
  value: points,
})

const notificationTypes = ["recognition", "addition", "reply", "occasion"] as const

export const notificationComponents = {
  Notification: Type.Object({
    id: Type.Integer({ description: "ascends with time" }),
    type: Type.Union(notificationTypes.map((type) => Type.Literal(type))),
    date: date("UTC, ISO 8601"),
    seen: Type.Boolean(),
    recognition: Type.Ref("StreamedRecognition"),
    addition: Type.Union([addition, Type.Null()], { description: "who added points, and how many you got" }),
    reply: Type.Union([Type.Ref("Reply"), Type.Null()]),
  }),
  NotificationPage: Type.Object({
    items: Type.Array(Type.Ref("Notification")),
    next: Type.Union([Type.Integer(), Type.Null()], { description: "the parameter `before` of the next page" }),
    unread,
  }),
  Unread: Type.Object({ unread }),
}

const pageView = ({ items, next, unread }: NotificationPage, viewer: User) => ({
  items: items.map(({ id, isSeen, recognition, addition, reply }) => ({
    id,
    type: typeOf({ recognition, addition, reply }),
    date: utc((reply ?? addition ?? recognition).date),
    seen: isSeen,
    recognition: recognitionView(recognition, viewer.id),
    addition: addition && additionView(addition),
    reply: reply && replyView(reply),
  })),
  next,
  unread,
})

function typeOf({ recognition, addition, reply }: Omit<Notification, "id">): (typeof notificationTypes)[number] {
  if (reply) return "reply"
  if (addition) return "addition"
  return recognition.occasion === null ? "recognition" : "occasion"
}

const additionView = ({ sender: { username, name, avatar }, value }: TransactionEntry) => ({
  username,
  name,
  avatar,
  value,
})
