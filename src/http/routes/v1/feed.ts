import { Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import type { Credentials } from "../../../domain/auth/access.ts"
import { invalid } from "../../../domain/errors.ts"
import type { User } from "../../../domain/model.ts"
import type { FeedPage } from "../../../domain/recognition/feed.ts"
import type { ServerApp } from "../../../server-app.ts"
import { type RecognitionFormat, recognitionView } from "../../../stream/frames.ts"
import type { Guards } from "../../guards.ts"
import { credentialErrors, operation, ref } from "../../openapi-operations.ts"
import type { OriginRule } from "../../origin.ts"
import { afterTransaction, fresh, integer, nullableText, numberOf, open, pageSize, text } from "../../schemas.ts"
import { demandHandshake, type Upgrade } from "../../upgrade.ts"
import { date, points } from "./fields.ts"

interface Dependencies {
  readonly app: Pick<ServerApp, "access" | "feed" | "feedHub" | "store">
  readonly guards: Guards
  readonly origin: OriginRule
  readonly upgrade: Upgrade
}

/** Recognitions, newest first, and the WebSocket that continues them. stream/ sends what flows through it. */
export function feedRoutes({ app: { access, feed, feedHub, store }, guards, origin, upgrade }: Dependencies) {
  return new Elysia()
    .use(guards)
    .get(
      "/api/v1/feed",
      async ({ caller: { user }, query: { username, before, size } }) =>
        feedView(await feed.page(user, { username, before: numberOf(before), size: numberOf(size) })),
      {
        authenticated: true,
        query: FeedQuery,
        detail: operation("Recognition", "List recognitions, newest first", 200, ref("FeedPage"), [
          ...credentialErrors,
          "invalid",
        ]),
      },
    )
    .get(
      "/api/v1/stream",
      async ({ request, credentials, query, clientAddress }) => {
        const { user } = await access.caller(credentials)
        const after = numberOf(query.after) ?? (await store.ledger.lastId())
        if (!Number.isSafeInteger(after)) throw invalid("after", "the id of an entry")
        const format = formatFor(user)
        const data = feedHub.client({
          format,
          after,
          userId: user.id,
          checkAdmission: admissionOf(credentials, format),
        })
        return upgrade(request, data, clientAddress)
      },
      {
        query: FeedStreamQuery,
        async transform({ request, credentials }) {
          demandHandshake(request)
          origin.demandForUpgrade(request)
          await access.caller(credentials)
        },
        detail: operation("Recognition", "Watch the feed (WebSocket)", 101, ref("FeedMessage"), [
          ...credentialErrors,
          "foreign_origin",
          "malformed_upgrade",
          "too_many_streams",
          "method_not_allowed",
          "invalid",
        ]),
      },
    )

  function formatFor(user: User): RecognitionFormat {
    return feed.seesAll(user) ? "all" : "own"
  }

  /** Checks the credentials again while the stream is open. The stream ends when its caller may see more or less than
   *  before, and the client opens it again. */
  function admissionOf(credentials: Credentials, format: RecognitionFormat) {
    return async () => {
      const caller = await access.callerIfAny(credentials)
      return caller !== null && formatFor(caller.user) === format ? caller.expiresAt : null
    }
  }
}

const FeedQuery = Type.Object(
  {
    ...fresh,
    username: Type.Optional(text("only recognitions that this person sent or received")),
    before: Type.Optional(integer("the id of a recognition: continue with older ones", { minimum: 1 })),
    size: Type.Optional(pageSize),
  },
  open,
)
const FeedStreamQuery = Type.Object(afterTransaction, open)

const avatar = nullableText("address of an image")

export const feedComponents = {
  Recognition: Type.Object({
    id: Type.Integer(),
    date: date("UTC, ISO 8601"),
    value: points,
    from_username: Type.String(),
    from_name: Type.String(),
    from_avatar: avatar,
    to_username: Type.String(),
    to_name: Type.String(),
    to_avatar: avatar,
    reason: nullableText("text; null when there is none or the caller may not read it"),
    tags: Type.Array(Type.String()),
    private: Type.Boolean({ description: "whether only sender and receiver may read the reason" }),
    reversed: Type.Integer({ description: "points that were taken back" }),
  }),
  FeedPage: Type.Object({
    items: Type.Array(Type.Ref("Recognition")),
    next: Type.Union([Type.Integer(), Type.Null()], { description: "the parameter `before` of the next page" }),
    through: Type.Integer({ description: "the parameter `after` of the stream that continues from here" }),
  }),
  FeedMessage: Type.Union([
    Type.Ref("Recognition"),
    Type.Object({
      through: Type.Integer({
        description: "everything up to this id was sent; also shows that the connection is alive",
      }),
    }),
  ]),
}

const feedView = ({ items, next, through }: FeedPage) => ({
  items: items.map(recognitionView),
  next,
  through,
})
