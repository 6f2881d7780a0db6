import { Type } from "@sinclair/typebox"
import type { Grant } from "../../domain/ledger/grants.ts"
import { maxDepts, maxReceivers } from "../../domain/ledger/grants.ts"
import { Flag, fresh, open, TransferRequest, text } from "../schemas.ts"

export const GrantQuery = Type.Object({ ...fresh, dry_run: Type.Optional(Flag) }, open)

export const GrantRequest = Type.Object(
  {
    ...TransferRequest.properties,
    usernames: Type.Optional(
      Type.Array(Type.String(), {
        description: `with the departments at most ${maxReceivers} receivers, each counted once`,
      }),
    ),
    depts: Type.Optional(
      Type.Array(Type.String(), { description: `everybody of these departments, at most ${maxDepts}, but the giver` }),
    ),
    dept: Type.Optional(text("one department, where `depts` is absent")),
  },
  open,
)

export const grantShapes = {
  Grant: Type.Object({
    receivers: Type.Array(Type.Object({ name: Type.String(), username: Type.String() })),
    value: Type.Integer({ description: "points that each of them gets" }),
    total: Type.Integer({ description: "points" }),
    left: Type.Integer({ description: "points that the giver had left right behind it" }),
    ids: Type.Array(Type.Integer(), {
      description: "of the transactions, in the order of the receivers; of a dry run none",
    }),
    replayed: Type.Boolean({ description: "whether it was done earlier under the same `Idempotency-Key`" }),
    against: Type.Array(Type.String(), { description: "what stands against it; only a dry run finds anything" }),
  }),
}

export const grantView = ({ receivers, value, total, left, ids, replayed, against }: Grant) => ({
  receivers: receivers.map(({ name, username }) => ({ name, username })),
  value,
  total,
  left,
  ids,
  replayed,
  against,
})
