import { Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import type { OutstandingMonth } from "../../../domain/ledger/outstanding.ts"
import { rowsCsv } from "../../../formats/csv.ts"
import { inSlices, jsonList } from "../../../formats/json-lists.ts"
import { holdingView, outstandingView } from "../../../formats/views/outstanding.ts"
import type { Dependencies } from "../../dependencies.ts"
import { createCsvDownload, csv, type DownloadRules, separator } from "../../downloads.ts"
import { downloadOperation, operation } from "../../openapi-operations.ts"
import { day, openObject, ProtectedQuery, protectedQuery } from "../../schemas.ts"
import { face, points } from "./common-fields.ts"

type OutstandingDependencies = Dependencies<"calendar" | "clock" | "outstanding"> & DownloadRules

/** Points outstanding at the end of a day, and by month, each as JSON and as CSV. */
export function outstandingRoutes({ app, guards, origin }: OutstandingDependencies) {
  const { outstanding } = app
  const download = createCsvDownload(app)
  const transform = ({ request }: { request: Request }) => origin.demandForDownload(request)

  return new Elysia()
    .use(guards)
    .get(
      "/api/v1/insights/outstanding",
      async ({ request: { signal }, caller, query: { at }, set }) => {
        const { items, ...found } = await outstanding.on(caller, { at, signal })
        set.headers["content-type"] = "application/json;charset=utf-8"
        return withItems(outstandingView(found), await jsonList(inSlices(items), holdingView))
      },
      {
        insights: "read",
        query: DayQuery,
        detail: operation("Insights", "What people held at the end of a day", 200, "Outstanding"),
      },
    )
    .get(
      "/api/v1/insights/outstanding/monthly",
      async ({ request: { signal }, caller }) => ({ items: await outstanding.monthly(caller, { signal }) }),
      {
        insights: "read",
        query: ProtectedQuery,
        detail: operation("Insights", "Points outstanding at the end of each month", 200, "OutstandingMonths"),
      },
    )
    .get(
      "/api/v1/insights/outstanding.csv",
      ({ request: { signal }, query: { separator, at }, actor, holder }) =>
        download(holder, "outstanding", async () => {
          const { at: day, currency, items } = await outstanding.exportDay(actor, { at, signal })
          const rows = items.map((item) => ({ at: day, ...holdingView(item), currency }))
          return rowsCsv(["at", ...columns, "currency"], rows, separator)
        }),
      {
        insights: "read",
        transform,
        query: DayFileQuery,
        detail: downloadOperation("Insights", "What people held at the end of a day, as a file", csv),
      },
    )
    .get(
      "/api/v1/insights/outstanding/monthly.csv",
      ({ request: { signal }, query: { separator }, actor, holder }) =>
        download(holder, "outstanding-by-month", async () =>
          rowsCsv(monthColumns, [...(await outstanding.exportMonths(actor, { signal }))].map(monthRow), separator),
        ),
      {
        insights: "read",
        transform,
        query: FileQuery,
        detail: downloadOperation("Insights", "Points outstanding at the end of each month, as a file", csv),
      },
    )
}

const DayQuery = protectedQuery({
  at: Type.Optional(day("the day whose end counts, in `service.time_zone`; by default today, so far")),
})
const FileQuery = protectedQuery({ ...separator })
const DayFileQuery = openObject({ ...DayQuery.properties, ...separator })

const columns = ["username", "name", "dept", "balance", "redeemable", "value"] as const
const monthColumns = ["month", "day", "balance", "redeemable", "value", "currency"] as const

const held = {
  balance: points,
  redeemable: Type.Integer({ description: "points of the balance that can be redeemed" }),
  value: Type.Union([Type.Number(), Type.Null()], {
    description: "what the redeemable points are worth in money; null while a point has no value",
  }),
}
const currency = Type.Union([Type.String({ examples: ["EUR"] }), Type.Null()], { description: "of `value`" })

export const outstandingComponents = {
  Outstanding: Type.Object({
    at: Type.String({ description: "the day whose end counts", examples: ["2026-10-31"] }),
    currency,
    total: Type.Object(held),
    items: Type.Array(Type.Object({ ...face, ...held }), { description: "everybody who holds points" }),
  }),
  OutstandingMonths: Type.Object({
    items: Type.Array(
      Type.Object({
        month: Type.String({ examples: ["2026-10"] }),
        day: Type.String({ description: "the day whose end counts: the last of the month, or today" }),
        currency,
        ...held,
      }),
    ),
  }),
}

const monthRow = ({ month, day, balance, redeemable, value, currency }: OutstandingMonth) => ({
  ...{ month, day, balance, redeemable, value, currency },
})

/** Typed as the object that clients read. */
function withItems(
  found: ReturnType<typeof outstandingView>,
  items: Buffer,
): typeof found & { items: ReturnType<typeof holdingView>[] } {
  const parts = [Buffer.from(`${JSON.stringify(found).slice(0, -1)},"items":`), items, Buffer.from("}")]
  return Buffer.concat(parts) as unknown as typeof found & { items: ReturnType<typeof holdingView>[] }
}
