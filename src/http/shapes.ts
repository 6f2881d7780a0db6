import { type TSchema, Type } from "@sinclair/typebox"
import { feedShapes } from "./v1/feed.ts"
import { grantShapes } from "./v1/grants.ts"
import { healthShapes } from "./v1/health.ts"
import { importShapes } from "./v1/imports.ts"
import { v1Shapes } from "./v1/shapes.ts"
import { transactionShapes } from "./v1/transactions.ts"

const nullable = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

const user = {
  name: Type.String(),
  username: Type.String(),
  dept: Type.String(),
  avatar: nullable("address of an image"),
  bio: nullable("text"),
  currency: Type.String(),
}
const balance = { balance: Type.Integer({ description: "points" }) }
const transaction = Type.Object({
  id: Type.Integer(),
  value: Type.Integer({ description: "points" }),
  date: Type.String({ description: "UTC, ISO 8601, no zone", examples: ["2026-11-21T12:00:00.123"] }),
  user: Type.String({ description: "user name of the receiver" }),
  from_user: Type.String({ description: "user name of the sender" }),
  user_id: Type.Integer(),
  from_id: Type.Integer(),
})
const page = {
  items: Type.Array(Type.Ref("TransactionResponse")),
  total: Type.Integer(),
  page: Type.Integer(),
  size: Type.Integer(),
}

const streamMessage = {
  to: Type.String({ description: "name of the receiver" }),
  from: Type.String({ description: "name of the sender" }),
  value: Type.Integer({ description: "points" }),
}

/** The payload shapes of the contract, and those under /api/v1, for the API page. What is really sent is made in views.ts. */
export const shapes = {
  Error: Type.Object({ detail: Type.String() }),
  Message: Type.Object({ message: Type.String() }),
  Status: Type.Object({ status: Type.String() }),
  Token: Type.Object({
    access_token: Type.String(),
    refresh_token: Type.String(),
    token_type: Type.Literal("bearer"),
  }),
  UserResponse: Type.Object(user),
  UserResponseWithBalance: Type.Object({ ...user, ...balance }),
  TransactionResponse: transaction,
  Page: Type.Object(page),
  PageWithBalance: Type.Object({ ...page, ...balance }),
  StreamMessage: Type.Object(streamMessage),
  ResumableStreamMessage: Type.Object({
    ...streamMessage,
    id: Type.Integer(),
    date: Type.String({ description: "UTC, ISO 8601, no zone", examples: ["2026-11-21T12:00:00.123"] }),
  }),
  ...feedShapes,
  ...grantShapes,
  ...transactionShapes,
  ...v1Shapes,
  ...importShapes,
  ...healthShapes,
} satisfies Record<string, TSchema>
