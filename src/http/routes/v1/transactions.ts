import { Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import type { App } from "../../../app.ts"
import type { SentPoints } from "../../../domain/ledger/ledger.ts"
import type { User } from "../../../domain/model.ts"
import type { Guards } from "../../guards.ts"
import { idempotent, operation, ref, transferErrors } from "../../openapi-operations.ts"
import { open, ProtectedQuery, text } from "../../schemas.ts"
import { TransferRequest } from "../transactions.ts"
import { date, points, utc } from "./fields.ts"

interface Dependencies {
  readonly app: Pick<App, "access" | "ledger">
  readonly guards: Guards
}

/** Sending points, answered with the transaction. */
export function v1TransactionRoutes({ app: { access, ledger }, guards }: Dependencies) {
  return new Elysia().use(guards).post(
    "/api/v1/transactions",
    async ({ caller: { user: sender }, body, request, status }) => {
      const receiver = await access.toUser(body.to)
      const idempotencyKey = request.headers.get("idempotency-key")
      const sent = await ledger.sendPoints({ sender, receiver, value: body.value, note: body, idempotencyKey })
      return status(201, sentTransactionView(sent, sender, receiver))
    },
    {
      authenticated: true,
      // An unknown receiver is 404 before the body is validated, as where the path names the receiver.
      async transform({ body }: { body: unknown }) {
        if (typeof body === "object" && body !== null && "to" in body && typeof body.to === "string")
          await access.toUser(body.to)
      },
      query: ProtectedQuery,
      body: NewTransactionRequest,
      detail: idempotent(
        operation("Transactions", "Send points to one person", 201, ref("SentTransaction"), transferErrors),
      ),
    },
  )
}

const NewTransactionRequest = Type.Object(
  { to: text("user name of the receiver"), ...TransferRequest.properties },
  open,
)

const party = Type.Object({ username: Type.String(), name: Type.String() })

export const v1TransactionComponents = {
  SentTransaction: Type.Object({
    id: Type.Integer(),
    date: date("UTC, ISO 8601"),
    value: points,
    from: party,
    to: party,
    reason: Type.Union([Type.String(), Type.Null()]),
    tags: Type.Array(Type.String()),
    private: Type.Boolean({ description: "whether only sender and receiver may read the reason" }),
    replayed: Type.Boolean({ description: "whether it was done earlier under the same `Idempotency-Key`" }),
  }),
}

/** The transaction as its sender sees it. */
const sentTransactionView = (sent: SentPoints, sender: User, receiver: User) => ({
  id: sent.id,
  date: utc(sent.date),
  value: sent.value,
  from: partyView(sender),
  to: partyView(receiver),
  reason: sent.note?.reason || null,
  tags: sent.note?.tags ?? [],
  private: sent.note?.isPrivate ?? false,
  replayed: sent.replayed,
})

const partyView = ({ username, name }: User) => ({ username, name })
