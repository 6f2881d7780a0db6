import { Elysia } from "elysia"
import type { App } from "../../../app.ts"
import { transactionsCsv, usersCsv } from "../../../csv/tables.ts"
import type { User } from "../../../domain/store.ts"
import { credentials, describeCsv } from "../../documented.ts"
import type { doors } from "../../doors.ts"
import type { createOriginRule } from "../../origin.ts"
import { csvFile, ExportQuery, TableQuery } from "../../v1/exports.ts"

interface Dependencies {
  readonly app: Pick<App, "access" | "clock" | "exports">
  readonly door: ReturnType<typeof doors>
  readonly origin: ReturnType<typeof createOriginRule>
  readonly addressOf: (request: Request) => string
}

/** Everything as CSV. */
export function exportRoutes({ app: { access, clock, exports }, door, origin, addressOf }: Dependencies) {
  const transform = ({ request }: { request: Request }) => origin.demandForDownload(request)
  const actorOf = (user: User, request: Request) =>
    ({ user, who: user.username, way: "http", address: addressOf(request) }) as const
  const nameOf = (what: string) => `${what}-${new Date(clock()).toISOString().slice(0, 10)}.csv`

  return new Elysia()
    .use(door)
    .get(
      "/api/v1/transactions.csv",
      async ({ caller, query: { username, separator, ...query }, request }) => {
        const target = username === undefined ? null : await access.toHistory(caller, username)
        const slices = await exports.transactions(actorOf(caller.user, request), target, query)
        return csvFile(nameOf("transactions"), transactionsCsv(slices, separator))
      },
      {
        members: true,
        transform,
        query: ExportQuery,
        detail: describeCsv("Transactions", "Download transactions (superusers all, others their own)", [
          ...credentials,
          "not_own_transactions",
          "foreign_origin",
          "not_a_download",
          "user_not_found",
          "invalid",
        ]),
      },
    )
    .get(
      "/api/v1/users.csv",
      async ({ caller: { user }, query: { separator }, request }) =>
        csvFile(nameOf("users"), usersCsv(await exports.users(actorOf(user, request)), separator)),
      {
        superusers: true,
        transform,
        query: TableQuery,
        detail: describeCsv("Users", "Download everybody, with the balances (superusers)", [
          ...credentials,
          "not_superuser",
          "foreign_origin",
          "not_a_download",
          "invalid",
        ]),
      },
    )
}
