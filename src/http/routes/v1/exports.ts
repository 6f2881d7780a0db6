import { Elysia } from "elysia"
import type { App } from "../../../app.ts"
import { transactionsCsv, usersCsv } from "../../../csv/write.ts"
import type { Actor } from "../../../domain/auth/roles.ts"
import type { User } from "../../../domain/model.ts"
import { credentials, describeCsv } from "../../documented.ts"
import { createExportLimit } from "../../exports-limit.ts"
import type { doors } from "../../guards.ts"
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
  const limit = createExportLimit()

  return new Elysia()
    .use(door)
    .get(
      "/api/v1/transactions.csv",
      async ({ caller, query: { username, separator, ...query }, request }) => {
        const target = username === undefined ? null : await access.toHistory(caller, username)
        return download(caller.user, request, "transactions", async (actor) =>
          transactionsCsv(await exports.transactions(actor, target, query), separator),
        )
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
          "too_many_exports",
        ]),
      },
    )
    .get(
      "/api/v1/users.csv",
      ({ caller: { user }, query: { separator }, request }) =>
        download(user, request, "users", async (actor) => usersCsv(await exports.users(actor), separator)),
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
          "too_many_exports",
        ]),
      },
    )

  async function download(
    user: User,
    request: Request,
    what: string,
    rowsFor: (actor: Actor) => Promise<AsyncGenerator<string, void>>,
  ): Promise<Response> {
    const end = limit.begin(user.username)
    try {
      const rows = await rowsFor({ user, who: user.username, way: "http", address: addressOf(request) })
      return csvFile(`${what}-${new Date(clock()).toISOString().slice(0, 10)}.csv`, rows, end)
    } catch (error) {
      end()
      throw error
    }
  }
}
