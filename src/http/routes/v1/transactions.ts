import { Elysia } from "elysia"
import type { App } from "../../../app.ts"
import { describe, one, repeatable, sending } from "../../documented.ts"
import type { doors } from "../../guards.ts"
import { ProtectedQuery } from "../../schemas.ts"
import { NewTransactionRequest, sentTransactionView } from "../../v1/transactions.ts"

interface Dependencies {
  readonly app: Pick<App, "access" | "ledger">
  readonly door: ReturnType<typeof doors>
}

/** Sending points, answered with the transaction. */
export function v1TransactionRoutes({ app: { access, ledger }, door }: Dependencies) {
  return new Elysia().use(door).post(
    "/api/v1/transactions",
    async ({ caller: { user: sender }, body, request, status }) => {
      const receiver = await access.toUser(body.to)
      const idempotencyKey = request.headers.get("idempotency-key")
      const sent = await ledger.sendPoints({ sender, receiver, value: body.value, note: body, idempotencyKey })
      return status(201, sentTransactionView(sent, sender, receiver))
    },
    {
      members: true,
      // Before the body is validated: an unknown receiver is 404 whatever else is wrong, as where the path names one.
      async transform({ body }: { body: unknown }) {
        if (typeof body === "object" && body !== null && "to" in body && typeof body.to === "string")
          await access.toUser(body.to)
      },
      query: ProtectedQuery,
      body: NewTransactionRequest,
      detail: repeatable(describe("Transactions", "Send points to one person", 201, one("SentTransaction"), sending)),
    },
  )
}
