import { Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { invalid } from "../../domain/errors.ts"
import { maxPageSize } from "../../domain/paging.ts"
import { transactionFormatOf } from "../../stream/frames.ts"
import type { Dependencies } from "../dependencies.ts"
import { hidden } from "../openapi-operations.ts"
import type { OriginRule } from "../origin.ts"
import { streamPath } from "../paths.ts"
import { afterTransaction, Flag, integer, isOn, openObject } from "../schemas.ts"
import { admissionCheck, handshakeCheck, type Upgrade } from "../upgrade.ts"
import { shownPoints } from "./v1/common-fields.ts"

interface StreamDependencies extends Dependencies<"access" | "feed" | "store" | "transactionHub"> {
  readonly origin: OriginRule
  readonly upgrade: Upgrade
}

/** The WebSocket of transactions (docs/interface/streams.md). src/stream/ sends the entries. */
export function streamRoutes({
  app: { access, feed, store, transactionHub },
  guards,
  origin,
  upgrade,
}: StreamDependencies) {
  return new Elysia()
    .use(guards)
    .onTransform(handshakeCheck(origin))
    .get(
      streamPath,
      async ({ request, caller, credentials, query, clientAddress, listener }) => {
        const after = await startOf(query)
        // A client that names a start needs ids, so that it can resume later.
        const content = query.only ?? (after === null ? "plain" : "resumable")
        const stream = feed.streamOf(caller?.user ?? null)
        const data = transactionHub.client({
          format: transactionFormatOf(content, stream),
          getsHeartbeats: isOn(query.heartbeat),
          after: after ?? 0,
          ...(caller !== null && { userId: caller.user.id }),
          checkAdmission: caller === null ? null : admissionCheck({ access, feed }, credentials, stream),
        })
        return upgrade({ request, clientAddress, listener }, data)
      },
      {
        watcher: "read",
        query: TransactionStreamQuery,
        ...hidden,
      },
    )

  /** The id after which the stream starts; null for the contract's stream from the first transaction.
   *  @throws DomainError `invalid` */
  async function startOf({ after, last }: { after?: string; last?: string }): Promise<number | null> {
    if (after !== undefined) {
      if (!Number.isSafeInteger(Number(after))) throw invalid("after", "the id of a transaction")
      return Number(after)
    }
    if (last === undefined) return null
    if (Number(last) > maxPageSize) throw invalid("last", `an integer from 0 to ${maxPageSize}`)
    return Math.max(0, (await store.ledger.lastId()) - Number(last))
  }
}

export const TransactionStreamQuery = openObject({
  ...afterTransaction,
  only: Type.Optional(Type.Literal("recognition", { description: "recognitions only, with `id` and `date`" })),
  heartbeat: Type.Optional(Flag),
  last: Type.Optional(integer(`an integer from 0 to ${maxPageSize}`, { minimum: 0, maximum: maxPageSize })),
})

const streamMessage = {
  to: Type.String({ description: "name of the receiver" }),
  from: Type.String({ description: "name of the sender" }),
  value: shownPoints("points"),
}

const resumable = {
  id: Type.Integer(),
  date: Type.String({ description: "UTC, ISO 8601, no zone", examples: ["2026-11-21T12:00:00.123"] }),
}

/** The messages without anything in the query, with `after` or `last`, with `only`, and those of `heartbeat`. */
export const streamMessages = [
  Type.Object(streamMessage, { title: "StreamMessage" }),
  Type.Object(
    {
      ...streamMessage,
      ...resumable,
    },
    { title: "ResumableStreamMessage" },
  ),
  Type.Object(
    {
      ...streamMessage,
      ...resumable,
      receivers: Type.Array(Type.String(), { description: "names of everybody who was thanked, `to` first" }),
    },
    { title: "RecognitionStreamMessage" },
  ),
  Type.Object(
    { through: Type.Integer({ description: "everything up to this id was sent" }) },
    { title: "StreamHeartbeat" },
  ),
]
