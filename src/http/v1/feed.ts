import { Type } from "@sinclair/typebox"
import type { FeedPage } from "../../domain/recognition/feed.ts"
import { recognitionView } from "../../stream/recognition-view.ts"
import { fresh, integer, open, pageSize, text } from "../schemas.ts"

export const FeedQuery = Type.Object(
  {
    ...fresh,
    username: Type.Optional(text("keep entries that this person takes part in")),
    before: Type.Optional(integer("the id of an entry: go on with older ones", { minimum: 1 })),
    size: Type.Optional(pageSize),
  },
  open,
)

const nullable = (description: string) => Type.Union([Type.String(), Type.Null()], { description })
const avatar = nullable("address of an image")

export const feedShapes = {
  Recognition: Type.Object({
    id: Type.Integer(),
    date: Type.String({ description: "UTC, ISO 8601", examples: ["2026-11-21T12:00:00.123Z"] }),
    value: Type.Integer({ description: "points" }),
    from_username: Type.String(),
    from_name: Type.String(),
    from_avatar: avatar,
    to_username: Type.String(),
    to_name: Type.String(),
    to_avatar: avatar,
    reason: nullable("text; null when there is none, and when it is for others alone"),
    tags: Type.Array(Type.String()),
    private: Type.Boolean({ description: "whether there is a reason that is for sender and receiver alone" }),
  }),
  FeedPage: Type.Object({
    items: Type.Array(Type.Ref("Recognition")),
    next: Type.Union([Type.Integer(), Type.Null()], { description: "the parameter `before` of the next page" }),
    through: Type.Integer({ description: "the parameter `after` of the stream that goes on from here" }),
  }),
  FeedMessage: Type.Union([
    Type.Ref("Recognition"),
    Type.Object({ through: Type.Integer({ description: "id through which everything was sent: the line is alive" }) }),
  ]),
}

export const feedView = ({ items, next, through }: FeedPage) => ({
  items: items.map(recognitionView),
  next,
  through,
})
