import { Type } from "@sinclair/typebox"
import { transactionKinds } from "../../../domain/ledger/model.ts"
import { maxReferenceLength } from "../../../domain/ledger/references.ts"
import { maxSearchLength } from "../../../domain/ledger/transaction-list.ts"
import type { User } from "../../../domain/people/model.ts"
import { isSuperuser } from "../../../domain/people/roles.ts"
import { day, integer, nullableText, oneOf, pageSize, text } from "../../schemas.ts"

/** Fields that several resources under /api/v1 have: their schemas and their values. */

const dateExample = { examples: ["2026-11-21T12:00:00.123Z"] }
export const date = (description: string) => Type.String({ description, ...dateExample })
export const dateOrNull = (description: string) => Type.Union([Type.String(dateExample), Type.Null()], { description })

/** The parameters of a list in pages, newest first. */
export const pageParameters = {
  before: Type.Optional(integer("`next` of the page before", { minimum: 1 })),
  size: Type.Optional(pageSize),
}

/** The schema of a page of such a list, whose items have the schema `component`. */
export const pageOf = <Name extends string>(component: Name) =>
  Type.Object({
    items: Type.Array(Type.Ref(component)),
    next: nullableText("the parameter `before` of the next page"),
  })

export const pageView = <Item, View>(
  { items, next }: { readonly items: readonly Item[]; readonly next: number | null },
  view: (item: Item) => View,
) => ({ items: items.map(view), next: next === null ? null : String(next) })

export const points = Type.Integer({ description: "points" })

/** Points that the programme may hide. */
export const shownPoints = (description: string) =>
  Type.Union([Type.Integer(), Type.Null()], { description: `${description}; null where the programme hides them` })

/** Of a request that sends points. */
export const referenceField = {
  reference: Type.Optional(
    nullableText(
      `1 to ${maxReferenceLength} printable characters that the sender uses for this request alone, for ever`,
    ),
  ),
}

export const face = {
  username: Type.String(),
  name: Type.String(),
  dept: Type.String({ description: "department" }),
  avatar: nullableText("address of an image, or a path of this server"),
}

/** Whom somebody reports to: `manager` is a username wherever it stands, and has beside it what a screen shows. */
export const manager = {
  manager: nullableText("username of the person whom this person reports to; null for nobody"),
  manager_name: nullableText("name of the manager"),
  manager_avatar: nullableText("picture of the manager: address of an image, or a path of this server"),
}

export const managerView = (who: Pick<User, "username" | "name" | "avatar"> | null) => ({
  manager: who?.username ?? null,
  manager_name: who?.name ?? null,
  manager_avatar: who?.avatar ?? null,
})

export const role = Type.Union([Type.Literal("superuser"), Type.Literal("member")])

export const roleOf = (user: User) => (isSuperuser(user) ? "superuser" : "member")

/** The parameters that filter transactions, in the list and in its export. */
export const transactionFilter = {
  user: Type.Optional(text("keep transactions whose receiver has this user name")),
  from_user: Type.Optional(text("keep transactions whose sender has this user name")),
  kind: Type.Optional(oneOf(transactionKinds)),
  tag: Type.Optional(text("keep transactions with this tag")),
  q: Type.Optional(text(`text in the reason, at most ${maxSearchLength} characters`)),
  from: Type.Optional(day("first day")),
  to: Type.Optional(day("last day")),
}

/** The same, where points may be hidden. */
export const shownSum = { points: shownPoints("points"), count: Type.Integer({ description: "transfers" }) }

/** The points and the number of transfers in one direction. */
export const sum = { points, count: Type.Integer({ description: "transfers" }) }
