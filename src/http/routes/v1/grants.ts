import { Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { type Grant, maxDepts, maxReceivers } from "../../../domain/ledger/grants.ts"
import { checkedReference } from "../../../domain/ledger/references.ts"
import type { Dependencies } from "../../dependencies.ts"
import { codedError } from "../../errors.ts"
import { idempotent, operationWithDryRun, transferErrors } from "../../openapi-operations.ts"
import { idempotencyKeyOf } from "../../request.ts"
import { Flag, isOn, openObject, protectedQuery, text } from "../../schemas.ts"
import { TransferBody } from "../transactions.ts"
import { points, referenceField } from "./common-fields.ts"

/** Sending one value to many people, all or nothing. */
export function grantRoutes({ app: { grants }, guards }: Dependencies<"grants">) {
  return new Elysia().use(guards).post(
    "/api/v1/grants",
    async ({ caller, body, query, request, status }) => {
      const { user } = caller
      const { value, usernames, dept, depts } = body
      const named = depts ?? (dept === undefined ? undefined : [dept])
      const to = { usernames: usernames ?? [], depts: named ?? [] }
      const isDryRun = isOn(query.dry_run)
      const asked = {
        value,
        usernames,
        depts: named,
        note: body,
        reference: checkedReference(body.reference, { to, value, note: body }),
        idempotencyKey: isDryRun ? null : idempotencyKeyOf(request, caller),
      }
      if (isDryRun) return status(200, grantView(await grants.preview(user, asked)))
      return status(201, grantView(await grants.give(user, asked)))
    },
    {
      authenticated: "give",
      query: GrantQuery,
      body: GrantRequest,
      detail: idempotent(
        operationWithDryRun("Transactions", "Send points to many, all or nothing", 201, "Grant", [
          ...transferErrors,
          "reference_reused",
        ]),
      ),
    },
  )
}

const GrantQuery = protectedQuery({ dry_run: Type.Optional(Flag) })

const GrantRequest = openObject({
  ...TransferBody.properties,
  ...referenceField,
  usernames: Type.Optional(
    Type.Array(Type.String(), {
      description: `at most ${maxReceivers} receivers, departments included, each counted once`,
    }),
  ),
  depts: Type.Optional(
    Type.Array(Type.String(), {
      description: `everyone in these departments (at most ${maxDepts}) except the giver`,
    }),
  ),
  dept: Type.Optional(text("one department, where `depts` is absent")),
})

export const grantComponents = {
  Grant: Type.Object({
    receivers: Type.Array(Type.Object({ name: Type.String(), username: Type.String() })),
    value: Type.Integer({ description: "points for each receiver" }),
    total: points,
    left: Type.Integer({ description: "balance of the giver afterwards" }),
    ids: Type.Array(Type.Integer(), {
      description: "ids of the transactions, in the order of the receivers; empty for a dry run",
    }),
    replayed: Type.Boolean({
      description: "whether it was done earlier under the same `Idempotency-Key` or `reference`",
    }),
    against: Type.Array(Type.String(), { description: "the details of `refusals`" }),
    refusals: Type.Array(Type.Ref("CodedError"), { description: "why it would be refused; only in a dry run" }),
  }),
}

const grantView = ({ receivers, value, total, left, ids, replayed, refusals }: Grant) => ({
  receivers: receivers.map(({ name, username }) => ({ name, username })),
  value,
  total,
  left,
  ids,
  replayed,
  against: refusals.map(({ message }) => message),
  refusals: refusals.map(({ code, message, field }) => codedError({ code, detail: message, field })),
})
