import { Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { defaultListedDays, maxListedDays } from "../../../domain/occasions/occasions.ts"
import type { Dependencies } from "../../dependencies.ts"
import { operation } from "../../openapi-operations.ts"
import { day, protectedQuery } from "../../schemas.ts"
import { occasionKind, years } from "./feed.ts"
import { face } from "./fields.ts"

/** Whom to celebrate, and when. */
export function occasionRoutes({ app: { occasions }, guards }: Dependencies<"occasions">) {
  return new Elysia()
    .use(guards)
    .get("/api/v1/occasions", async ({ query: { from, to } }) => ({ items: await occasions.between({ from, to }) }), {
      authenticated: "read",
      query: OccasionQuery,
      detail: operation("Recognition", "List what is celebrated from one day to another", 200, "OccasionList"),
    })
}

const OccasionQuery = protectedQuery({
  from: Type.Optional(day("the first day, in the time zone of the service; by default today")),
  to: Type.Optional(day(`the last day, at most ${maxListedDays - 1} days later; by default ${defaultListedDays - 1}`)),
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
  }),
}
