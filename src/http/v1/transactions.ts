import { Type } from "@sinclair/typebox"
import type { SentPoints } from "../../domain/ledger/ledger.ts"
import type { User } from "../../domain/model.ts"
import { open, TransferRequest, text } from "../schemas.ts"
import { utc } from "./views.ts"

export const NewTransactionRequest = Type.Object(
  { to: text("user name of the receiver"), ...TransferRequest.properties },
  open,
)

const party = Type.Object({ username: Type.String(), name: Type.String() })

export const transactionShapes = {
  SentTransaction: Type.Object({
    id: Type.Integer(),
    date: Type.String({ description: "UTC, ISO 8601", examples: ["2026-11-21T12:00:00.123Z"] }),
    value: Type.Integer({ description: "points" }),
    from: party,
    to: party,
    reason: Type.Union([Type.String(), Type.Null()]),
    tags: Type.Array(Type.String()),
    private: Type.Boolean({ description: "whether the reason is for sender and receiver alone" }),
    replayed: Type.Boolean({ description: "whether it was done earlier under the same `Idempotency-Key`" }),
  }),
}

/** As its sender sees it. */
export const sentTransactionView = (sent: SentPoints, sender: User, receiver: User) => ({
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
