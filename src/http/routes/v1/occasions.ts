import { Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { invalid } from "../../../domain/errors.ts"
import type { OccasionPosition } from "../../../domain/occasions/model.ts"
import { defaultListedDays, maxListedDays } from "../../../domain/occasions/occasions.ts"
import { occasionKinds } from "../../../domain/programme/model.ts"
import type { Dependencies } from "../../dependencies.ts"
import { operation } from "../../openapi-operations.ts"
import { day, nullableText, numberOf, pageSize, protectedQuery, text } from "../../schemas.ts"
import { face } from "./common-fields.ts"
import { occasionKind, years } from "./feed.ts"

/** Whom to celebrate, and when. */
export function occasionRoutes({ app: { occasions }, guards }: Dependencies<"occasions">) {
  return new Elysia().use(guards).get(
    "/api/v1/occasions",
    async ({ query: { from, to, after, size } }) => {
      const { items, next } = await occasions.page({ from, to, after: positionIn(after), size: numberOf(size) })
      return { items, next: next && positionText(next) }
    },
    {
      authenticated: "read",
      query: OccasionQuery,
      detail: operation("Recognition", "List what is celebrated from one day to another", 200, "OccasionList"),
    },
  )
}

/** A place in the list as text, for `next`. */
const positionText = ({ date, userId, kind }: OccasionPosition): string => `${date}.${userId}.${kind}`

/** Parses `after`. @throws DomainError `invalid` */
function positionIn(after: string | undefined): OccasionPosition | undefined {
  if (after === undefined) return undefined
  const [, date = "", id, word] = /^(\d{4}-\d\d-\d\d)\.(\d{1,15})\.([a-z_]+)$/.exec(after) ?? []
  const kind = occasionKinds.find((one) => one === word)
  if (kind === undefined) throw invalid("after", "`next` of the page before")
  return { date, userId: Number(id), kind }
}

const OccasionQuery = protectedQuery({
  from: Type.Optional(day("the first day, in the time zone of the service; by default today")),
  to: Type.Optional(day(`the last day, at most ${maxListedDays - 1} days later; by default ${defaultListedDays - 1}`)),
  after: Type.Optional(text("`next` of the page before, with the same days")),
  size: Type.Optional(pageSize),
})

export const occasionComponents = {
  OccasionList: Type.Object({
    items: Type.Array(
      Type.Object({
        date: Type.String({ format: "date" }),
        ...face,
        kind: occasionKind,
        years,
      }),
      { description: "by day; birthdays only of people who agreed to it" },
    ),
    next: nullableText("the parameter `after` of the next page; null at the end"),
  }),
}
