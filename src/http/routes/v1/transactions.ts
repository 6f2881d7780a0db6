import { type Static, Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import type { Caller } from "../../../domain/auth/access.ts"
import { type TransactionEntry, transactionKinds } from "../../../domain/ledger/model.ts"
import { checkedReference } from "../../../domain/ledger/references.ts"
import { maxThanked } from "../../../domain/ledger/thanks.ts"
import { maxPageSize } from "../../../domain/paging.ts"
import { usernameKey } from "../../../domain/people/fields.ts"
import type { User } from "../../../domain/people/model.ts"
import { maxValue, minValue } from "../../../domain/points.ts"
import { maxReasonLength } from "../../../domain/programme/programme-fields.ts"
import { listedTransactionView } from "../../../formats/views/transaction.ts"
import type { Dependencies } from "../../dependencies.ts"
import { anyOfRefs, idempotentOperation, operation, transferErrors } from "../../openapi-operations.ts"
import { idempotencyKeyOf } from "../../request.ts"
import { byId, numberOf, openObject, ProtectedQuery, protectedQuery, text } from "../../schemas.ts"
import { TransferBody } from "../transactions.ts"
import { date, pageOf, pageParameters, pageView, points, referenceField, transactionFilter } from "./common-fields.ts"

/** Sending points to one person or thanking several, listing transactions of all kinds, and reversing them. */
export function v1TransactionRoutes({
  app: { access, ledger, references, reversals, thanks, transactionList },
  guards,
}: Dependencies<"access" | "ledger" | "references" | "reversals" | "thanks" | "transactionList">) {
  return new Elysia()
    .use(guards)
    .get(
      "/api/v1/transactions",
      async ({ request: { signal }, caller: { user }, query }) =>
        pageView(await transactionList.page(user, { ...filterOf(query), signal }), listedTransactionView),
      {
        authenticated: "read",
        query: ListQuery,
        detail: operation("Transactions", "List transactions, newest first", 200, "TransactionEntryPage", [
          "user_not_found",
          "not_own_transactions",
        ]),
      },
    )
    .post(
      "/api/v1/transactions",
      async ({ caller, body, request, status }) => {
        const sender = caller.user
        const idempotencyKey = idempotencyKeyOf(request, caller)
        const { to, value } = body
        const reference = checkedReference(body.reference, { to, value, note: body })
        const viewOf = (entry: TransactionEntry) =>
          listedTransactionView({ ...entry, reference: reference?.name ?? null })

        const before = await references.sentBefore(sender, reference)
        if (typeof to !== "string") {
          const sent = before
            ? { transfers: before, group: before[0].id, replayed: true }
            : await thanks.send({
                sender,
                receivers: await receiversOf(to, request),
                receiversNamed: to.map(usernameKey),
                value,
                note: body,
                idempotencyKey,
                reference,
              })
          return status(201, { items: sent.transfers.map(viewOf), group: sent.group, replayed: sent.replayed })
        }
        if (before) return status(201, { ...viewOf(before[0]), replayed: true })
        const receiver = await receiverOf(to, request)
        const receiverNamed = usernameKey(to)
        const sent = await ledger.sendPoints({
          ...{ sender, receiver, receiverNamed, value, note: body, idempotencyKey, reference },
        })
        return status(201, { ...viewOf({ ...sent, sender, receiver, reverses: null }), replayed: sent.replayed })
      },
      {
        authenticated: "give",
        // An unknown receiver is refused with 404 before the body is validated, as where the path names the receiver. Who
        // has left since the same request was sent is none.
        async transform({ body, request, admitted }: Received) {
          if (typeof body !== "object" || body === null || !("to" in body)) return
          const name = "reference" in body ? body.reference : null
          if (admitted && typeof name === "string" && (await references.isUsed(admitted.caller.user, name))) return
          if (typeof body.to === "string") await receiverOf(body.to, request)
          else if (isListOfTexts(body.to)) await receiversOf(body.to, request)
        },
        query: ProtectedQuery,
        body: NewTransactionRequest,
        detail: idempotentOperation(
          "Transactions",
          "Send points to one person, or thank several at once",
          201,
          anyOfRefs("SentTransaction", "SentThanks"),
          [...transferErrors, "reference_reused"],
        ),
      },
    )
    .post(
      "/api/v1/transactions/:id/reversal",
      async ({ caller, original, body: { value, reason }, actor, request, status }) => {
        const idempotencyKey = idempotencyKeyOf(request, caller)
        const reversal = await reversals.reverse({
          original,
          value,
          reason,
          idempotencyKey,
          by: actor,
          superuser: caller.user,
        })
        return status(201, { ...listedTransactionView({ ...reversal, reference: null }), replayed: reversal.replayed })
      },
      {
        toReversal: "admin",
        ...byId,
        body: ReversalRequest,
        detail: idempotentOperation("Transactions", "Take points back", 201, "Reversal", [
          "insufficient_balance",
          "balance_out_of_range",
          "nothing_to_reverse",
          "beyond_what_is_left",
          "not_reversible",
        ]),
      },
    )

  /** Nobody for too many names: the use case refuses these requests, and they must not make the store work. */
  async function receiversOf(usernames: readonly string[], request: Request): Promise<User[]> {
    return usernames.length > maxThanked ? [] : Promise.all(usernames.map((username) => receiverOf(username, request)))
  }

  /** A request with a key may be sent again after its receiver was renamed. */
  function receiverOf(username: string, { headers }: Request): Promise<User> {
    return access.toReceiver(username, "to", { orFormer: headers.has("idempotency-key") })
  }
}

interface Received {
  readonly body: unknown
  readonly request: Request
  readonly admitted?: { readonly caller: Caller }
}

const isListOfTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === "string")

const ListQuery = protectedQuery({
  username: Type.Optional(text("keep transactions that this person sent or received")),
  ...transactionFilter,
  ids: Type.Optional(text(`ids, separated by commas, at most ${maxPageSize}: only these, whatever else is given`)),
  reference: Type.Optional(
    text("only what you sent with this reference, or for superusers anybody or `username`, whatever else is given"),
  ),
  ...pageParameters,
})

const filterOf = (query: Static<typeof ListQuery>) => ({
  ...query,
  before: numberOf(query.before),
  size: numberOf(query.size),
})

const ReversalRequest = openObject({
  value: Type.Optional(
    Type.Integer({ minimum: minValue, maximum: maxValue, description: "points; by default all that is left" }),
  ),
  reason: text(`1 to ${maxReasonLength} characters`),
})

const NewTransactionRequest = openObject({
  to: Type.Union([
    text("user name of the receiver"),
    Type.Array(Type.String(), {
      description: `user names of everybody who is thanked: 1 to ${maxThanked} different ones, without your own`,
    }),
  ]),
  ...TransferBody.properties,
  ...referenceField,
})

export const party = Type.Object({ username: Type.String(), name: Type.String() })

/** A transaction, as events have it too. */
export const transactionFields = {
  id: Type.Integer(),
  kind: Type.Union(transactionKinds.map((kind) => Type.Literal(kind))),
  date: date("UTC, ISO 8601"),
  value: points,
  from: party,
  to: party,
  reason: Type.Union([Type.String(), Type.Null()], {
    description: "text; null when there is none or the caller may not read it",
  }),
  tags: Type.Array(Type.String()),
  private: Type.Boolean({ description: "whether only sender and receiver may read the reason" }),
  reverses: Type.Union([Type.Integer(), Type.Null()], {
    description: "of a reversal, the id of the transaction whose points it takes back",
  }),
  reversed: Type.Integer({ description: "points that were taken back" }),
  group: Type.Union([Type.Integer(), Type.Null()], {
    description: "of a transfer that thanks several people at once, the id of the first of these transfers",
  }),
  adds_to: Type.Union([Type.Integer(), Type.Null()], {
    description: "of a transfer that adds points to somebody's recognition, the id of that recognition",
  }),
}
const listed = {
  ...transactionFields,
  reference: Type.Union([Type.String(), Type.Null()], {
    description:
      "what the sender called the request; null when it has no reference, for others than the sender and superusers",
  }),
}
const replayed = Type.Boolean({
  description: "whether it was done earlier under the same `Idempotency-Key` or `reference`",
})

export const v1TransactionComponents = {
  TransactionEntry: Type.Object(listed),
  TransactionEntryPage: pageOf("TransactionEntry"),
  SentTransaction: Type.Object({ ...listed, replayed }),
  SentThanks: Type.Object({
    items: Type.Array(Type.Ref("TransactionEntry"), { description: "in the order of `to`" }),
    group: Type.Integer({ description: "the id of the first" }),
    replayed,
  }),
  AddedPoints: Type.Object({
    items: Type.Array(Type.Ref("TransactionEntry"), { description: "in the order of the receivers" }),
    replayed,
  }),
  Reversal: Type.Object({ ...listed, replayed }),
}
