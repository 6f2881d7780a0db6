import type { Static } from "@sinclair/typebox"
import { Elysia } from "elysia"
import type { App } from "../../app.ts"
import { documented } from "../documented.ts"
import type { doors } from "../guards.ts"
import { HistoryQuery, ProtectedQuery, TransferRequest, Username } from "../schemas.ts"
import { pageView, pageViewWithBalance } from "../views.ts"

interface Dependencies {
  readonly app: Pick<App, "ledger">
  readonly door: ReturnType<typeof doors>
}

type HistoryParameters = Static<typeof HistoryQuery>

/** Sending points and reading the history. */
export function transactionRoutes({ app: { ledger }, door }: Dependencies) {
  return new Elysia()
    .use(door)
    .post(
      "/transaction/:username/",
      async ({ caller, target, body, request, status }) => {
        const idempotencyKey = request.headers.get("idempotency-key")
        await ledger.sendPoints({
          sender: caller.user,
          receiver: target,
          value: body.value,
          note: body,
          idempotencyKey,
        })
        return status(201, { message: "Transaction added" })
      },
      {
        toUser: true,
        params: Username,
        query: ProtectedQuery,
        body: TransferRequest,
        detail: documented.sendPoints,
      },
    )
    .get(
      "/transaction/",
      async ({ caller, query, set }) => {
        set.headers["content-type"] = json
        return pageView(await ledger.history(caller.user, numbered(query)))
      },
      {
        members: true,
        query: HistoryQuery,
        detail: documented.history,
      },
    )
    .get(
      "/transaction/:username/",
      async ({ target, query, set }) => {
        set.headers["content-type"] = json
        const { balance, ...page } = await ledger.historyOf(target, numbered(query))
        return pageViewWithBalance(page, balance)
      },
      {
        toHistory: true,
        params: Username,
        query: HistoryQuery,
        detail: documented.historyOf,
      },
    )
}

const json = "application/json;charset=utf-8"

const numbered = (query: HistoryParameters) => ({
  ...query,
  page: query.page === undefined ? undefined : Number(query.page),
  size: query.size === undefined ? undefined : Number(query.size),
})
