import { Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import type { App } from "../../../app.ts"
import { redemptionsCsv, transactionsCsv, usersCsv } from "../../../csv/write.ts"
import type { Actor } from "../../../domain/auth/roles.ts"
import { createCounter } from "../../../domain/counter.ts"
import { csv, csvFile, separator } from "../../csv-file.ts"
import { HttpError } from "../../errors.ts"
import type { Guards } from "../../guards.ts"
import { credentialErrors, fileOperation } from "../../openapi-operations.ts"
import type { OriginRule } from "../../origin.ts"
import { actorOf } from "../../request.ts"
import { fresh, open, text } from "../../schemas.ts"
import { transactionFilter } from "./fields.ts"

interface Dependencies {
  readonly app: Pick<App, "access" | "clock" | "exports">
  readonly guards: Guards
  readonly origin: OriginRule
}

/** Transactions, people and redemptions as CSV files. */
export function exportRoutes({ app: { access, clock, exports }, guards, origin }: Dependencies) {
  const transform = ({ request }: { request: Request }) => origin.demandForDownload(request)
  const limit = createExportLimit()

  return new Elysia()
    .use(guards)
    .get(
      "/api/v1/transactions.csv",
      async ({ caller, query: { username, separator, ...query }, clientAddress }) => {
        const target = username === undefined ? null : await access.toHistory(caller, username)
        return download(actorOf(caller.user, clientAddress), "transactions", async (actor) =>
          transactionsCsv(await exports.transactions(actor, target, query), separator),
        )
      },
      {
        authenticated: true,
        transform,
        query: ExportQuery,
        detail: fileOperation("Transactions", "Download transactions (superusers all, others their own)", csv, [
          ...credentialErrors,
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
      ({ caller: { user }, query: { separator }, clientAddress }) =>
        download(actorOf(user, clientAddress), "users", async (actor) =>
          usersCsv(await exports.users(actor), separator),
        ),
      {
        superuser: true,
        transform,
        query: TableQuery,
        detail: fileOperation("Users", "Download everybody, with the balances (superusers)", csv, tableErrors),
      },
    )

    .get(
      "/api/v1/redemptions.csv",
      ({ caller: { user }, query: { separator }, clientAddress }) =>
        download(actorOf(user, clientAddress), "redemptions", async (actor) =>
          redemptionsCsv(await exports.redemptions(actor), separator),
        ),
      {
        superuser: true,
        transform,
        query: TableQuery,
        detail: fileOperation("Rewards", "Download all redemptions, newest first (superusers)", csv, tableErrors),
      },
    )

  async function download(
    actor: ReturnType<typeof actorOf>,
    what: string,
    rowsFor: (actor: Actor) => Promise<AsyncGenerator<string, void>>,
  ): Promise<Response> {
    const end = limit.begin(actor.who)
    try {
      const rows = await rowsFor(actor)
      return csvFile(what, clock(), rows, end)
    } catch (error) {
      end()
      throw error
    }
  }
}

const tableErrors = [
  ...credentialErrors,
  "not_superuser",
  "foreign_origin",
  "not_a_download",
  "invalid",
  "too_many_exports",
] as const

const TableQuery = Type.Object({ ...fresh, ...separator }, open)

const ExportQuery = Type.Object(
  {
    ...fresh,
    ...separator,
    username: Type.Optional(text("keep transactions of this user (oneself, superusers)")),
    ...transactionFilter,
  },
  open,
)

/** Concurrent downloads. Each reads the whole history in time slices, between other requests. */
const maxExports = 16
/** Concurrent downloads of one person. */
const maxExportsOfOne = 2

const retryAfter = { "retry-after": "5" }

/** Limits concurrent downloads, per person and in total. */
function createExportLimit() {
  const ofPeople = createCounter()
  let running = 0

  return {
    /** Counts a download until the returned function is called; calling it again does nothing.
     *  @throws HttpError `too_many_exports`, `overloaded` */
    begin(username: string): () => void {
      if (ofPeople.of(username) >= maxExportsOfOne) throw new HttpError("too_many_exports", retryAfter)
      if (running >= maxExports) throw new HttpError("overloaded", retryAfter)
      running += 1
      ofPeople.add(username)
      let hasEnded = false
      return () => {
        if (hasEnded) return
        hasEnded = true
        running -= 1
        ofPeople.remove(username)
      }
    },
  }
}
