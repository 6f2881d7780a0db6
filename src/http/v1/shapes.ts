import { Type } from "@sinclair/typebox"
import { periods } from "../../domain/model.ts"
import { sides } from "../../domain/recognition/leaderboard.ts"

const nullable = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

const date = (description: string) => Type.String({ description, examples: ["2026-11-21T12:00:00.123Z"] })
const points = Type.Integer({ description: "points" })

const face = {
  username: Type.String(),
  name: Type.String(),
  dept: Type.String({ description: "department" }),
  avatar: nullable("address of an image, or a path of this server"),
}
const role = Type.Union([Type.Literal("superuser"), Type.Literal("member")])

const account = {
  ...face,
  email: Type.String(),
  currency: Type.String(),
  bio: nullable("text"),
  role,
  balance: points,
}

const service = Type.Object({
  name: Type.String(),
  version: Type.String(),
  stream_access: Type.Union([Type.Literal("public"), Type.Literal("auth")], {
    description: "whether whoever asks may watch the transactions without logging in; a wall with its key may",
  }),
  tags: Type.Array(Type.String(), { description: "words that a sender may give to a transfer" }),
  feed: Type.Union([Type.Literal("all"), Type.Literal("own")], { description: "what members see of each other" }),
  avatar_hosts: Type.Array(Type.String(), { description: "hosts whose pictures are shown; `*` for all" }),
})

const place = { points, count: Type.Integer({ description: "transfers" }) }
const side = Type.Object(place)
const shownSide = Type.Union([side, Type.Null()], { description: "null where it is hidden" })
const day = Type.String({ description: "UTC", examples: ["2026-11-21"] })
const oneOf = (words: readonly string[]) => Type.Union(words.map((word) => Type.Literal(word)))

const me = {
  ...account,
  initial_password: Type.Boolean({ description: "whether `admin` still has the password from the start" }),
}

/** The shapes under /api/v1, for the API page. What is really sent is made in views.ts. */
export const v1Shapes = {
  Service: service,
  CurrentSession: Type.Union([Type.Object({ ...me, service: Type.Ref("Service") }), Type.Null()]),
  Me: Type.Object(me),
  Account: Type.Object(account),
  OpenSessions: Type.Object({
    items: Type.Array(
      Type.Object({
        id: Type.String({ description: "names the session, and opens nothing" }),
        current: Type.Boolean({ description: "whether it is the one that asks" }),
        opened_at: Type.Union([date("UTC"), Type.Null()]),
        expires_at: date("UTC"),
        address: nullable("IP address that it was opened from"),
      }),
    ),
  }),
  Ended: Type.Object({ ended: Type.Integer({ description: "how many sessions" }) }),
  Face: Type.Object(face),
  PeoplePage: Type.Object({
    items: Type.Array(Type.Ref("Face")),
    next: nullable("the parameter `after` of the next page; null at the end"),
  }),
  Person: Type.Object({ ...face, bio: nullable("text"), role, received: shownSide, sent: shownSide }),
  Leaderboard: Type.Object({
    period: oneOf(periods),
    by: oneOf(sides),
    shows: Type.Union([Type.Literal("all"), Type.Literal("own")], {
      description: "whether `items` ranks everybody, or holds nobody but oneself, since others' points are hidden",
    }),
    start: Type.Union([date("UTC"), Type.Null()], { description: "null for `all`" }),
    end: Type.Union([date("UTC, not within"), Type.Null()]),
    items: Type.Array(Type.Object({ ...place, rank: Type.Integer(), ...face })),
    own: Type.Object({
      ...place,
      rank: Type.Union([Type.Integer(), Type.Null()], { description: "null without points" }),
    }),
  }),
  OwnDays: Type.Object({
    scope: Type.Literal("own"),
    days: Type.Array(
      Type.Object({ day, received: side, sent: side, balance: Type.Integer({ description: "points at its end" }) }),
    ),
  }),
  AllDays: Type.Object({ scope: Type.Literal("all"), days: Type.Array(Type.Object({ day, ...place })) }),
  Departments: Type.Object({ items: Type.Array(Type.Object({ name: Type.String(), people: Type.Integer() })) }),
}
