import { type Static, Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { isoDate } from "../../domain/calendar.ts"
import type { HistoryPage } from "../../domain/ledger/ledger.ts"
import { orderFields, type TransactionRecord } from "../../domain/ledger/model.ts"
import { usernameKey } from "../../domain/people/fields.ts"
import { maxValue, minValue } from "../../domain/points.ts"
import { maxReasonLength } from "../../domain/programme/programme-fields.ts"
import type { Dependencies } from "../dependencies.ts"
import { idempotentOperation, operation, transferErrors } from "../openapi-operations.ts"
import { idempotencyKeyOf } from "../request.ts"
import {
  byUsername,
  integer,
  nullableText,
  numberOf,
  oneOf,
  openObject,
  pageSize,
  protectedQuery,
  text,
  Username,
} from "../schemas.ts"

/** Sending points and reading the history (docs/interface/transactions.md). */
export function transactionRoutes({ app: { ledger }, guards }: Dependencies<"ledger">) {
  return new Elysia()
    .use(guards)
    .post(
      "/transaction/:username/",
      async ({ caller, target, params, body, request, status }) => {
        const idempotencyKey = idempotencyKeyOf(request, caller)
        const receiver = { receiver: target, receiverNamed: usernameKey(params.username) }
        const transfer = { sender: caller.user, ...receiver, value: body.value, note: body, idempotencyKey }
        await ledger.sendPoints({ ...transfer, isContracts: true })
        return status(201, { message: "Transaction added" })
      },
      {
        toReceiver: "give", // to somebody who can receive; an API token needs this scope
        ...byUsername,
        body: TransferBody,
        detail: idempotentOperation("Transactions", "Send points", 201, "Message", transferErrors),
      },
    )
    .get(
      "/transaction/",
      async ({ request: { signal }, caller, query, set }) => {
        set.headers["content-type"] = jsonType
        const { items, total, page, size } = await ledger.history(caller.user, { ...filterOf(query), signal })
        return pageJson<Page>(items, { total, page, size })
      },
      {
        authenticated: "read",
        query: HistoryQuery,
        detail: operation("Transactions", "List transactions (superusers all, others their own)", 200, "Page"),
      },
    )
    .get(
      "/transaction/:username/",
      async ({ request: { signal }, target, query, set }) => {
        set.headers["content-type"] = jsonType
        const { items, total, page, size, balance } = await ledger.historyOf(target, { ...filterOf(query), signal })
        return pageJson<PageWithBalance>(items, { total, page, size, balance })
      },
      {
        toHistory: "read",
        params: Username,
        query: HistoryQuery,
        detail: operation(
          "Transactions",
          "List a user's transactions with the balance (that user, superusers)",
          200,
          "PageWithBalance",
        ),
      },
    )
}

export const TransferBody = openObject({
  value: Type.Integer({ minimum: minValue, maximum: maxValue, description: "points" }),
  reason: Type.Optional(nullableText(`at most ${maxReasonLength} characters; line breaks are kept`)),
  tags: Type.Optional(Type.Array(Type.String(), { description: "some of the tags of the service, each at most once" })),
  private: Type.Optional(Type.Boolean({ description: "whether only sender and receiver may read the reason" })),
})

export const HistoryQuery = protectedQuery({
  user: Type.Optional(text("keep transactions whose receiver has this user name")),
  from_user: Type.Optional(text("keep transactions whose sender has this user name")),
  order_by: Type.Optional(
    oneOf(
      orderFields.flatMap((field) => [field, `-${field}`]),
      `one of ${orderFields.join(", ")}; a leading - means descending`,
    ),
  ),
  page: Type.Optional(integer("an integer from 1, the default", { minimum: 1, default: 1 })),
  size: Type.Optional(pageSize),
})

const filterOf = (query: Static<typeof HistoryQuery>) => ({
  ...query,
  page: numberOf(query.page),
  size: numberOf(query.size),
})

const page = {
  items: Type.Array(Type.Ref("TransactionResponse")),
  total: Type.Integer(),
  page: Type.Integer(),
  size: Type.Integer(),
}

export const transactionComponents = {
  TransactionResponse: Type.Object({
    id: Type.Integer(),
    value: Type.Integer({ description: "points" }),
    date: Type.String({ description: "UTC, ISO 8601, no zone", examples: ["2026-11-21T12:00:00.123"] }),
    user: Type.String({ description: "user name of the receiver" }),
    from_user: Type.String({ description: "user name of the sender" }),
    user_id: Type.Integer(),
    from_id: Type.Integer(),
  }),
  Page: Type.Object(page),
  PageWithBalance: Type.Object({ ...page, balance: Type.Integer({ description: "points" }) }),
}

const transactionView = (transaction: TransactionRecord) => ({
  id: transaction.id,
  value: transaction.value,
  date: isoDate(transaction.date),
  user: transaction.receiverUsername,
  from_user: transaction.senderUsername,
  user_id: transaction.receiverId,
  from_id: transaction.senderId,
})

interface Page {
  readonly items: readonly ReturnType<typeof transactionView>[]
  readonly total: number
  readonly page: number
  readonly size: number
}

interface PageWithBalance extends Page {
  readonly balance: number
}

const jsonType = "application/json;charset=utf-8"

/**
 * The JSON of each page that the store caches, by its array of items, because serializing 50 transactions takes 30 µs.
 * Kept as bytes, because a string with a letter beyond Latin-1 takes twice the memory and has to be encoded for each
 * answer.
 */
const serializedItems = new WeakMap<HistoryPage["items"], Uint8Array>()

/** A page as JSON, in bytes. Typed as the parsed page, which clients read. */
function pageJson<View extends Page>(items: HistoryPage["items"], rest: Omit<View, "items">): View {
  const bytes = serializedItems.get(items) ?? Buffer.from(`{"items":${JSON.stringify(items.map(transactionView))}`)
  serializedItems.set(items, bytes)
  const others = JSON.stringify(rest).replace("{", ",") // continues the object that `bytes` begins
  return Buffer.concat([bytes, Buffer.from(others)]) as unknown as View
}
