import { type Static, Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import type { Party } from "../../../domain/ledger/model.ts"
import type { Words } from "../../../domain/recognition/best-words.ts"
import { recapUnits } from "../../../domain/recognition/recap-period.ts"
import type { CompanyRecap, Recap } from "../../../domain/recognition/recaps.ts"
import { utc } from "../../../formats/views/dates.ts"
import { faceView } from "../../../formats/views/people.ts"
import type { Dependencies } from "../../dependencies.ts"
import { operation } from "../../openapi-operations.ts"
import { nullableText, protectedQuery, text } from "../../schemas.ts"
import { date, face, points, sum } from "./common-fields.ts"

/** Looks back at a month, a quarter or a year: the caller's own, and the company's. */
export const recapRoutes = ({ app: { recaps }, guards }: Dependencies<"recaps">) =>
  new Elysia()
    .use(guards)
    .get(
      "/api/v1/recap",
      async ({ request: { signal }, caller: { user }, query: { period } }) =>
        recapView(await recaps.ofPerson(user, { period, signal })),
      {
        authenticated: "read",
        query: RecapQuery,
        detail: operation("Looking back", "Look back at what you received and gave", 200, "Recap"),
      },
    )
    .get(
      "/api/v1/recap/company",
      async ({ request: { signal }, caller, query: { period } }) =>
        companyView(await recaps.ofCompany(caller, { period, signal })),
      {
        insights: "read",
        query: RecapQuery,
        detail: operation("Looking back", "Look back at everybody's recognition", 200, "CompanyRecap"),
      },
    )

export const RecapQuery = protectedQuery({
  period: Type.Optional(
    text("a year, quarter or month that has begun: `2026`, `2026-Q4` or `2026-11`; by default the present quarter"),
  ),
})

const side = (people: string) => Type.Object({ ...sum, people: Type.Integer({ description: people }) })
const times = {
  received: Type.Integer({ description: "how often received" }),
  given: Type.Integer({ description: "how often given" }),
}
const party = Type.Object({ username: face.username, name: face.name, avatar: face.avatar })
const recognition = Type.Integer({ description: "its id in the feed" })
const moment = date("UTC, ISO 8601")
const words = Type.Object({ recognition, text: Type.String(), from: party, to: party, date: moment })
const entry = (description: string) =>
  Type.Union([Type.Object({ recognition, from: party, to: party, date: moment }), Type.Null()], { description })

const recap = {
  period: Type.String({ examples: ["2026-Q4"] }),
  unit: Type.Union(recapUnits.map((unit) => Type.Literal(unit))),
  from: Type.String({ description: "first day", examples: ["2026-10-01"] }),
  to: Type.String({ description: "last day", examples: ["2026-12-31"] }),
  ended: Type.Boolean({ description: "whether the period is over" }),
  received: side("by how many different people; of the company, how many received"),
  given: side("to how many different people; of the company, how many gave"),
  months: Type.Array(Type.Object({ month: Type.String({ examples: ["2026-11"] }), ...times }), {
    description: "every month of the period",
  }),
  most_active_month: nullableText("the month with the most recognition; null for none"),
  tags: Type.Array(Type.Object({ tag: Type.String(), count: Type.Integer() }), {
    description: "the three most used of what was received",
  }),
  people: Type.Array(Type.Object({ ...face, ...times }), {
    description:
      "with whom the person exchanged most, at most 5; of the company, who received most often, or nobody where the leaderboard is hidden",
  }),
  words: Type.Array(words, {
    description: "reasons received, those with the most responses first, at most 3; private ones are left out",
  }),
  longest: Type.Union([words, Type.Null()], { description: "the longest reason received" }),
  first: entry("the first entry"),
  last: entry("the last entry"),
}
const department = Type.Object({
  name: Type.String(),
  received: Type.Object({ points, count: Type.Integer() }),
  given: Type.Object({ points, count: Type.Integer() }),
})

export const recapComponents = {
  Recap: Type.Object(recap),
  CompanyRecap: Type.Object({
    ...recap,
    departments: Type.Array(department, { description: "people's present ones, those that received most often first" }),
  }),
}

const recapView = ({ received, given, ...recap }: Recap): Static<typeof recapComponents.Recap> => ({
  period: recap.period,
  unit: recap.unit,
  from: recap.from,
  to: recap.to,
  ended: recap.ended,
  received: { points: received.value, count: received.count, people: received.people },
  given: { points: given.value, count: given.count, people: given.people },
  months: recap.months.map(({ month, received, given }) => ({ month, received, given })),
  most_active_month: recap.mostActive,
  tags: recap.tags.map(({ tag, count }) => ({ tag, count })),
  people: recap.people.map(({ person, received, given }) => ({ ...faceView(person), received, given })),
  words: recap.words.map(wordsView),
  longest: recap.longest && wordsView(recap.longest),
  first: recap.first && entryView(recap.first),
  last: recap.last && entryView(recap.last),
})

const companyView = ({ departments, ...recap }: CompanyRecap): Static<typeof recapComponents.CompanyRecap> => ({
  ...recapView(recap),
  departments: departments.map(({ name, received, given }) => ({
    name,
    received: { points: received.value, count: received.count },
    given: { points: given.value, count: given.count },
  })),
})

const wordsView = ({ text, ...entry }: Words) => ({ ...entryView(entry), text })

const entryView = ({ recognitionId, from, to, date }: NonNullable<Recap["first"]>) => ({
  recognition: recognitionId,
  from: partyView(from),
  to: partyView(to),
  date: utc(date),
})

const partyView = ({ username, name, avatar }: Party) => ({ username, name, avatar })
