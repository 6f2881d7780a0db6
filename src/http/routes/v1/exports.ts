import { Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { redemptionsCsv, transactionsCsv, usersCsv } from "../../../formats/csv.ts"
import type { Dependencies } from "../../dependencies.ts"
import { createCsvDownload, csv, type DownloadRules, separator } from "../../downloads.ts"
import { downloadOperation } from "../../openapi-operations.ts"
import { protectedQuery, text } from "../../schemas.ts"
import { transactionFilter } from "./common-fields.ts"

type ExportDependencies = Dependencies<"access" | "calendar" | "clock" | "exports"> & DownloadRules

/** Transactions, people and redemptions as CSV files. */
export function exportRoutes({ app, guards, origin }: ExportDependencies) {
  const { access, calendar, exports } = app
  const download = createCsvDownload(app)
  const transform = ({ request }: { request: Request }) => origin.demandForDownload(request)

  return new Elysia()
    .use(guards)
    .get(
      "/api/v1/transactions.csv",
      async ({ caller, query: { username, separator, ...query }, actor, holder }) => {
        const target = username === undefined ? null : await access.toHistory(caller, username)
        return download(holder, "transactions", async () =>
          transactionsCsv(await exports.transactions(actor, target, query), calendar, separator),
        )
      },
      {
        authenticated: "read",
        transform,
        query: ExportQuery,
        detail: downloadOperation("Transactions", "Download transactions (superusers all, others their own)", csv, [
          "not_own_transactions",
          "user_not_found",
        ]),
      },
    )
    .get(
      "/api/v1/users.csv",
      ({ query: { separator }, actor, holder }) =>
        download(holder, "users", async () => usersCsv(await exports.users(actor), separator)),
      {
        insights: "read",
        transform,
        query: TableQuery,
        detail: downloadOperation("Users", "Download everybody, with the balances (superusers)", csv),
      },
    )

    .get(
      "/api/v1/redemptions.csv",
      ({ query: { separator }, actor, holder }) =>
        download(holder, "redemptions", async () =>
          redemptionsCsv(await exports.redemptions(actor), calendar, separator),
        ),
      {
        redemptionFile: "read",
        transform,
        query: TableQuery,
        detail: downloadOperation("Rewards", "Download all redemptions, newest first (superusers)", csv),
      },
    )
}

const TableQuery = protectedQuery({ ...separator })

const ExportQuery = protectedQuery({
  ...separator,
  username: Type.Optional(text("keep transactions of this user (oneself, superusers)")),
  ...transactionFilter,
})
