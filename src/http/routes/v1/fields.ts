import { Type } from "@sinclair/typebox"
import { isSuperuser } from "../../../domain/auth/roles.ts"
import { maxSearchLength } from "../../../domain/ledger/transaction-list.ts"
import { type PersonSummary, transactionKinds, type User } from "../../../domain/model.ts"
import { isoDate } from "../../../stream/frames.ts"
import { day, nullableText, oneOf, text } from "../../schemas.ts"

/** Fields that several resources under /api/v1 have: their schemas and their values. */

export const date = (description: string) => Type.String({ description, examples: ["2026-11-21T12:00:00.123Z"] })

/** A date under /api/v1, in UTC with `Z`. The contract's dates have no zone. */
export const utc = (ms: number): string => `${isoDate(ms)}Z`

export const points = Type.Integer({ description: "points" })

export const face = {
  username: Type.String(),
  name: Type.String(),
  dept: Type.String({ description: "department" }),
  avatar: nullableText("address of an image, or a path of this server"),
}

export const faceView = ({ username, name, dept, avatar }: Omit<PersonSummary, "id">) => ({
  username,
  name,
  dept,
  avatar,
})

export const role = Type.Union([Type.Literal("superuser"), Type.Literal("member")])

export const roleOf = (user: User) => (isSuperuser(user) ? "superuser" : "member")

/** The parameters that filter transactions, in the list and in its export. */
export const transactionFilter = {
  user: Type.Optional(text("keep transactions whose receiver has this user name")),
  from_user: Type.Optional(text("keep transactions whose sender has this user name")),
  kind: Type.Optional(oneOf(transactionKinds, `one of ${transactionKinds.join(", ")}`)),
  tag: Type.Optional(text("keep transactions with this tag")),
  q: Type.Optional(text(`text in the reason, at most ${maxSearchLength} characters`)),
  from: Type.Optional(day("first day")),
  to: Type.Optional(day("last day")),
}

/** Transfers in one direction. */
export const sum = { points, count: Type.Integer({ description: "transfers" }) }
