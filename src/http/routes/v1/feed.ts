import { Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { invalid } from "../../../domain/errors.ts"
import { maxSearchLength } from "../../../domain/ledger/transaction-list.ts"
import type { User } from "../../../domain/people/model.ts"
import { occasionKinds } from "../../../domain/programme/model.ts"
import type { FeedPage } from "../../../domain/recognition/feed.ts"
import { positionOf } from "../../../domain/recognition/positions.ts"
import { feedItemView } from "../../../formats/views/recognition.ts"
import type { Dependencies } from "../../dependencies.ts"
import { operation } from "../../openapi-operations.ts"
import type { OriginRule } from "../../origin.ts"
import { entryId, nullableText, numberOf, oneOf, openObject, pageSize, protectedQuery, text } from "../../schemas.ts"
import { admissionCheck, handshakeCheck, type Upgrade } from "../../upgrade.ts"
import { date, shownPoints } from "./common-fields.ts"

interface FeedDependencies extends Dependencies<"access" | "feed" | "feedHub" | "store"> {
  readonly origin: OriginRule
  readonly upgrade: Upgrade
}

/** Recognitions, newest first, and the WebSocket that continues them. src/stream/ sends the entries. */
export function feedRoutes({ app: { access, feed, feedHub, store }, guards, origin, upgrade }: FeedDependencies) {
  return new Elysia()
    .use(guards)
    .get(
      "/api/v1/feed",
      async ({ request: { signal }, caller: { user }, query: { before, size, ...filter } }) =>
        feedView(await feed.page(user, { ...filter, before: numberOf(before), size: numberOf(size), signal }), user),
      {
        authenticated: "read",
        query: FeedQuery,
        detail: operation("Recognition", "List recognitions, newest first", 200, "FeedPage"),
      },
    )
    .onTransform(handshakeCheck(origin))
    .get(
      "/api/v1/stream",
      async ({ request, caller: { user }, credentials, query, clientAddress, listener }) => {
        const given = numberOf(query.after)
        const after = given === undefined ? await store.recognitions.lastPosition() : positionOf(given)
        if (!Number.isSafeInteger(after)) throw invalid("after", "the id of an entry")
        const stream = feed.streamOf(user)
        const data = feedHub.client({
          format: stream,
          getsHeartbeats: true,
          after,
          userId: user.id,
          checkAdmission: admissionCheck({ access, feed }, credentials, stream, user.username),
        })
        return upgrade({ request, clientAddress, listener }, data)
      },
      {
        authenticated: "read",
        query: FeedStreamQuery,
        detail: operation("Recognition", "Watch the feed (WebSocket)", 101, "FeedMessage", [
          "foreign_origin",
          "malformed_upgrade",
          "other_websocket_version",
          "too_many_streams",
          "method_not_allowed",
          "invalid",
        ]),
      },
    )
}

const FeedQuery = protectedQuery({
  username: Type.Optional(text("only recognitions that this person sent or received")),
  about: Type.Optional(oneOf(["me"], "`me`: only recognitions that you sent or received")),
  department: Type.Optional(text("only recognitions that members of this department sent or received")),
  tag: Type.Optional(text("only recognitions with this tag")),
  q: Type.Optional(text(`text in the reason, at most ${maxSearchLength} characters`)),
  before: Type.Optional(entryId("the id of an entry: continue with older ones")),
  size: Type.Optional(pageSize),
})
const FeedStreamQuery = openObject({ after: Type.Optional(entryId("the id of an entry, or 0")) })

const avatar = nullableText("address of an image")

/** What is celebrated. */
export const occasionKind = Type.Union(occasionKinds.map((kind) => Type.Literal(kind)))
export const years = Type.Union([Type.Integer(), Type.Null()], { description: "of an anniversary; null otherwise" })

const recognition = {
  id: Type.Integer({ description: "negative for an occasion; `next` and `through` continue in the order of the feed" }),
  date: date("UTC, ISO 8601"),
  value: shownPoints("points for each receiver"),
  occasion: Type.Union([Type.Object({ kind: occasionKind, years }), Type.Null()], {
    description: "what is celebrated; null for recognition. Nobody sent an occasion, and it may have 0 points",
  }),
  total: shownPoints("points for all receivers together"),
  from_username: Type.String(),
  from_name: Type.String(),
  from_avatar: avatar,
  to_username: Type.String({ description: "the first receiver" }),
  to_name: Type.String(),
  to_avatar: avatar,
  receivers: Type.Array(
    Type.Object({
      username: Type.String(),
      name: Type.String(),
      avatar,
      reversed: shownPoints("points that were taken back from this person"),
      taken_back: Type.Boolean({ description: "whether all of them were" }),
    }),
    { description: "everybody who was thanked; each got `value` points" },
  ),
  reason: nullableText("text; null when there is none or the caller may not read it"),
  tags: Type.Array(Type.String()),
  private: Type.Boolean({ description: "whether only the sender and the receivers may read the reason" }),
  reversed: shownPoints("points that were taken back from all of them together"),
  taken_back: Type.Boolean({ description: "whether all of them were" }),
  added: Type.Object(
    {
      value: shownPoints("points for each receiver"),
      count: Type.Integer({ description: "by how many people" }),
      own: Type.Boolean({
        description: "whether you are one of them; false where an answer is the same for everybody",
      }),
    },
    { description: "what others added to it, less what was taken back" },
  ),
}

/**
 * A recognition in the feed, with its responses. In the stream it has none, because responses differ by viewer, and a
 * new recognition has none yet.
 */
const feedItem = {
  ...recognition,
  reactions: Type.Array(
    Type.Object({
      emoji: Type.String({ description: "one emoji" }),
      count: Type.Integer(),
      own: Type.Boolean({ description: "whether you are one of them" }),
    }),
  ),
  replies: Type.Integer({ description: "how many there are" }),
}

const reply = Type.Object({
  id: Type.Integer(),
  username: Type.String({ description: "the author" }),
  name: Type.String(),
  avatar,
  text: Type.String(),
  date: date("UTC, ISO 8601"),
  hidden: Type.Boolean({ description: "whether only superusers and the author see it" }),
})

export const feedComponents = {
  Recognition: Type.Object(feedItem),
  StreamedRecognition: Type.Object(recognition),
  Reply: reply,
  Conversation: Type.Object({ ...feedItem, replies_list: Type.Array(Type.Ref("Reply")) }),
  FeedPage: Type.Object({
    items: Type.Array(Type.Ref("Recognition")),
    next: Type.Union([Type.Integer(), Type.Null()], { description: "the parameter `before` of the next page" }),
    through: Type.Integer({ description: "the parameter `after` of the stream that continues from here" }),
  }),
  FeedMessage: Type.Union([
    Type.Ref("StreamedRecognition"),
    Type.Object({
      through: Type.Integer({ description: "everything up to this id was sent" }),
      changed: Type.Ref("StreamedRecognition"),
    }),
    Type.Object({
      through: Type.Integer({
        description: "everything up to this id was sent; also shows that the connection is alive",
      }),
      programme: Type.Optional(Type.Literal("changed", { description: "the programme has changed since you read it" })),
    }),
  ]),
}

const feedView = ({ items, next, through }: FeedPage, viewer: User) => ({
  items: items.map((item) => feedItemView(item, viewer.id)),
  next,
  through,
})
