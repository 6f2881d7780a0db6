import { type Static, Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import type { Caller } from "../../../domain/auth/access.ts"
import {
  defaultInsightDays,
  type InsightName,
  type Insights,
  insightNames,
} from "../../../domain/recognition/insights.ts"
import { rowsCsv } from "../../../formats/csv.ts"
import { inSlices, jsonList } from "../../../formats/json-lists.ts"
import { faceView } from "../../../formats/views/people.ts"
import type { Dependencies } from "../../dependencies.ts"
import { createCsvDownload, csv, type DownloadRules, separator } from "../../downloads.ts"
import { downloadOperation, operation } from "../../openapi-operations.ts"
import { day, openObject, protectedQuery } from "../../schemas.ts"
import { face, points } from "./common-fields.ts"

type InsightDependencies = Dependencies<"calendar" | "clock" | "insights"> & DownloadRules

const jsonType = "application/json;charset=utf-8"

/** Insights into recognition in the whole service, each as JSON and as CSV. */
export function insightRoutes({ app, guards, origin }: InsightDependencies) {
  const { insights } = app
  const download = createCsvDownload(app)
  const transform = ({ request }: { request: Request }) => origin.demandForDownload(request)
  const described = (name: InsightName) =>
    ({
      insights: "read",
      query: InsightQuery,
      detail: operation("Insights", summaries[name], 200, components[name]),
    }) as const

  const shown =
    <Name extends InsightName, View>(name: Name, view: (item: Insights[Name][number]) => View) =>
    async ({ request: { signal }, caller, query, set }: InsightContext) => {
      set.headers["content-type"] = jsonType
      return viewed(await insights.show(caller, name, { ...query, signal }), view)
    }

  const routes = new Elysia()
    .use(guards)
    .get("/api/v1/insights/participation", shown("participation", views.participation), described("participation"))
    .get("/api/v1/insights/overlooked", shown("overlooked", views.overlooked), described("overlooked"))
    .get("/api/v1/insights/budgets", shown("budgets", views.budgets), described("budgets"))
    .get("/api/v1/insights/departments", shown("departments", views.departments), described("departments"))
    .get("/api/v1/insights/tags", shown("tags", views.tags), described("tags"))

  for (const name of insightNames)
    routes.get(
      `/api/v1/insights/${name}.csv`,
      ({ request: { signal }, query: { separator, ...query }, actor, holder }) =>
        download(holder, name, async () => {
          const { items } = await insights.export(actor, name, { ...query, signal })
          return rowsCsv(Object.keys(columns[name]), rowsOf(name, items), separator)
        }),
      {
        insights: "read",
        transform,
        query: FileQuery,
        detail: downloadOperation("Insights", `${summaries[name]}, as a file`, csv),
      },
    )
  return routes
}

const summaries = {
  participation: "How many people thanked and were thanked in each month",
  overlooked: "Who was not thanked",
  budgets: "What is left of each person's budget",
  departments: "Which department thanks which",
  tags: "How often each tag was given in each month",
} as const satisfies Record<InsightName, string>

const components = {
  participation: "ParticipationInsight",
  overlooked: "OverlookedInsight",
  budgets: "BudgetsInsight",
  departments: "DepartmentsInsight",
  tags: "TagsInsight",
} as const satisfies Record<InsightName, string>

const InsightQuery = protectedQuery({
  from: Type.Optional(
    day(`first day; by default the last ${defaultInsightDays} days (overlooked, budgets) or 12 months`),
  ),
  to: Type.Optional(day("last day; by default today")),
})
interface InsightContext {
  readonly request: Request
  readonly caller: Caller
  readonly query: Static<typeof InsightQuery>
  readonly set: { readonly headers: Record<string, string | number> }
}

const FileQuery = openObject({ ...InsightQuery.properties, ...separator })

const month = Type.String({ examples: ["2026-11"] })
const sum = {
  count: Type.Integer({ description: "recognitions, less those that were taken back" }),
  value: points,
}

/** The fields of the items of each insight, in the order of the columns of its file. */
const columns = {
  participation: {
    month,
    senders: Type.Integer({ description: "people who thanked somebody" }),
    receivers: Type.Integer({ description: "people who were thanked" }),
    ...sum,
  },
  overlooked: {
    ...face,
    last_thanked: Type.Union([Type.String({ examples: ["2026-09-30"] }), Type.Null()], { description: "null: never" }),
  },
  budgets: {
    ...face,
    value: Type.Integer({ description: "what is left of the budget" }),
    given: Type.Integer({ description: "points given as recognition within the days" }),
  },
  departments: {
    from: Type.String({ description: "present department of the senders" }),
    to: Type.String({ description: "present department of the receivers" }),
    ...sum,
  },
  tags: { month, tag: Type.String(), ...sum },
} satisfies Record<InsightName, Record<string, unknown>>

const insight = (items: (typeof columns)[InsightName]) =>
  Type.Object({
    from: Type.String({ description: "first day", examples: ["2026-10-24"] }),
    to: Type.String({ description: "last day", examples: ["2026-11-22"] }),
    items: Type.Array(Type.Object(items)),
  })

export const insightComponents = {
  ParticipationInsight: insight(columns.participation),
  OverlookedInsight: insight(columns.overlooked),
  BudgetsInsight: insight(columns.budgets),
  DepartmentsInsight: insight(columns.departments),
  TagsInsight: insight(columns.tags),
}

type CsvRow = Readonly<Record<string, string | number | null>>

const views = {
  participation: ({ month, senders, receivers, count, value }: Insights["participation"][number]) => ({
    month,
    senders,
    receivers,
    count,
    value,
  }),
  overlooked: ({ lastThanked, ...person }: Insights["overlooked"][number]) => ({
    ...faceView(person),
    last_thanked: lastThanked,
  }),
  budgets: ({ value, given, ...person }: Insights["budgets"][number]) => ({ ...faceView(person), value, given }),
  departments: ({ from, to, count, value }: Insights["departments"][number]) => ({ from, to, count, value }),
  tags: ({ month, tag, count, value }: Insights["tags"][number]) => ({ month, tag, count, value }),
}

/** Written in slices, since there may be as many items as people. Typed as the object that clients read. */
async function viewed<Item, View>(
  { from, to, items }: { readonly from: string; readonly to: string; readonly items: readonly Item[] },
  view: (item: Item) => View,
): Promise<{ from: string; to: string; items: View[] }> {
  const opening = JSON.stringify({ from, to }).slice(0, -1)
  const parts = [Buffer.from(`${opening},"items":`), await jsonList(inSlices(items), view), Buffer.from("}")]
  return Buffer.concat(parts) as unknown as { from: string; to: string; items: View[] }
}

const rows: { readonly [Name in InsightName]: (item: Insights[Name][number]) => CsvRow } = views

const rowsOf = <Name extends InsightName>(name: Name, items: Insights[Name]): readonly CsvRow[] =>
  [...items].map((item: Insights[Name][number]) => rows[name](item))
