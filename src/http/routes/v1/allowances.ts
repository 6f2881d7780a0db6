import { type Static, Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import type { PlannedAllowance, ShownPreview } from "../../../domain/allowances/allowances.ts"
import { type AllowanceRun, allowanceModes, allowancePeriods, catchUps } from "../../../domain/allowances/model.ts"
import { maxReceivers } from "../../../domain/ledger/grants.ts"
import { maxLengths } from "../../../domain/people/fields.ts"
import { maxValue, minValue } from "../../../domain/points.ts"
import { maxReasonLength } from "../../../domain/programme/programme-fields.ts"
import { utc, utcOrNull } from "../../../formats/views/dates.ts"
import type { Dependencies } from "../../dependencies.ts"
import { bodyErrors, idempotentOperation, operation } from "../../openapi-operations.ts"
import { keyedRequestOf } from "../../request.ts"
import {
  byId,
  Id,
  nullableText,
  numberOf,
  oneOf,
  openObject,
  ProtectedQuery,
  protectedQuery,
  text,
} from "../../schemas.ts"
import { date, dateOrNull, pageOf, pageParameters, pageView, points } from "./common-fields.ts"

/** Points that are paid at intervals, for those who run the programme. */
export function allowanceRoutes({ app: { allowances }, guards }: Dependencies<"allowances">) {
  return new Elysia()
    .use(guards)
    .get("/api/v1/allowances", ({ set }) => listJson(allowances.list(), set.headers), {
      programme: "read",
      query: ProtectedQuery,
      detail: operation("Allowances", "List the allowances (superusers)", 200, "AllowanceList"),
    })
    .post(
      "/api/v1/allowances",
      async ({ caller, actor, body, request, status }) => {
        const keyed = keyedRequestOf(request, caller, body)
        return status(201, allowanceView(await allowances.add(actor, body, keyed)))
      },
      {
        programme: "admin",
        query: ProtectedQuery,
        body: NewAllowanceRequest,
        detail: idempotentOperation("Allowances", "Add an allowance (superusers)", 201, "Allowance", [
          "user_not_found",
          "own_request",
        ]),
      },
    )
    .get("/api/v1/allowances/:id", async ({ allowance }) => allowanceView(await allowances.planned(allowance)), {
      toAllowance: "read",
      ...byId,
      detail: operation("Allowances", "Show an allowance (superusers)", 200, "Allowance"),
    })
    .patch(
      "/api/v1/allowances/:id",
      async ({ actor, allowance, body }) => allowanceView(await allowances.change(actor, allowance, body)),
      {
        toAllowance: "admin",
        ...byId,
        body: AllowanceChange,
        detail: operation("Allowances", "Change the given fields of an allowance (superusers)", 200, "Allowance", [
          "user_not_found",
          "own_request",
        ]),
      },
    )
    .delete(
      "/api/v1/allowances/:id",
      async ({ actor, allowance }) => {
        await allowances.remove(actor, allowance)
        return { status: "removed" }
      },
      {
        toAllowance: "admin",
        ...byId,
        detail: operation("Allowances", "Remove an allowance (superusers)", 200, "Status"),
      },
    )
    .get(
      "/api/v1/allowances/:id/preview",
      async ({ caller: { user }, allowance }) => previewView(await allowances.previewFor(user, allowance)),
      {
        toAllowance: "read",
        ...byId,
        detail: operation(
          "Allowances",
          "Show who would get how much at the next run (superusers)",
          200,
          "AllowancePreview",
        ),
      },
    )
    .get(
      "/api/v1/allowances/:id/runs",
      async ({ allowance, query }) => {
        const before = numberOf(query.before)
        return pageView(await allowances.runs(allowance, { before, size: numberOf(query.size) }), runView)
      },
      {
        toAllowance: "read",
        params: Id,
        query: RunsQuery,
        detail: operation("Allowances", "List the runs, newest first (superusers)", 200, "AllowanceRunPage"),
      },
    )
    .post(
      "/api/v1/allowances/:id/run",
      async ({ caller, actor, allowance, request, status }) => {
        const keyed = keyedRequestOf(request, caller)
        return status(201, runView(await allowances.run(actor, allowance, keyed)))
      },
      {
        toAllowance: "admin",
        ...byId,
        detail: idempotentOperation("Allowances", "Pay the period that has begun (superusers)", 201, "AllowanceRun", [
          "period_paid",
          "no_period",
          "own_request",
          ...bodyErrors,
        ]),
      },
    )
}

const RunsQuery = protectedQuery({ ...pageParameters })

const AudienceRequest = openObject(
  {
    everyone: Type.Optional(Type.Boolean()),
    dept: Type.Optional(text("a department")),
    usernames: Type.Optional(Type.Array(Type.String(), { description: `1 to ${maxReceivers} people` })),
  },
  { description: "one of the three; `admin`, who pays, gets nothing" },
)

const dueDay = Type.Union([Type.Integer(), Type.String(), Type.Null()], {
  description:
    'the weekday from 1 (Monday) to 7, or the day of the month or of the quarter\'s first month, 1 to 28 or "last"',
})

const required = {
  name: text(`1 to ${maxLengths.name} characters`),
  value: Type.Integer({ minimum: minValue, maximum: maxValue, description: "points" }),
  mode: oneOf(allowanceModes),
  period: oneOf(allowancePeriods),
  audience: AudienceRequest,
}

const optional = {
  on: Type.Optional(dueDay),
  at: Type.Optional(text("the time, by default 09:00, in the time zone of the service")),
  reason: Type.Optional(nullableText(`at most ${maxReasonLength} characters`)),
  starts_on: Type.Optional(nullableText("the first day, YYYY-MM-DD")),
  ends_on: Type.Optional(nullableText("the last day")),
  catch_up: Type.Optional(oneOf(catchUps, "what is paid after the server was down", "latest")),
  active: Type.Optional(Type.Boolean({ description: "false while it is paused" })),
}

const NewAllowanceRequest = openObject({ ...required, ...optional })
const AllowanceChange = Type.Partial(NewAllowanceRequest)

const nullableDay = (description: string) => nullableText(`${description}, YYYY-MM-DD`)

const allowance = {
  id: Type.Integer(),
  name: Type.String(),
  value: points,
  mode: oneOf(allowanceModes),
  period: oneOf(allowancePeriods),
  on: Type.Optional(dueDay),
  at: Type.String({ description: "HH:MM in the time zone of the service" }),
  audience: Type.Object(
    {
      everyone: Type.Optional(Type.Boolean()),
      dept: Type.Optional(Type.String()),
      usernames: Type.Optional(Type.Array(Type.String())),
    },
    { description: "one of the three; none if the stored audience is damaged, and nothing is paid" },
  ),
  reason: nullableText("stored with each transaction"),
  starts_on: nullableDay("first day"),
  ends_on: nullableDay("last day"),
  catch_up: oneOf(catchUps),
  active: Type.Boolean(),
  next_run: dateOrNull("when the next period is paid; null when none is"),
  last_run: dateOrNull("when the newest run began"),
}

const expired = Type.Integer({ description: "points of the budget that go back to `admin` before" })

const run = {
  id: Type.Integer(),
  period: Type.String({ description: "the first day of the period, YYYY-MM-DD" }),
  time: date("when it began"),
  people: Type.Integer({ description: "how many people got points" }),
  sum: points,
  expired,
  finished: Type.Boolean(),
}

const shareOrNull = ({ description = "" }: { readonly description?: string }) =>
  Type.Union([Type.Integer(), Type.Null()], {
    description: `${description}; null for those who see no balances, where it would tell the person's budget`,
  })

export const allowanceComponents = {
  Allowance: Type.Object(allowance),
  AllowanceList: Type.Object({ items: Type.Array(Type.Ref("Allowance")) }),
  AllowancePreview: Type.Object({
    run_at: dateOrNull("when the next period is paid; null when none is"),
    total: points,
    expired,
    items: Type.Array(
      Type.Object({
        username: Type.String(),
        name: Type.String(),
        value: shareOrNull(points),
        expired: shareOrNull(expired),
      }),
    ),
  }),
  AllowanceRun: Type.Object(run),
  AllowanceRunPage: pageOf("AllowanceRun"),
}

const allowanceView = ({ allowance, nextRunAt, usernames }: PlannedAllowance): Static<AllowanceType> => {
  const { id, name, value, mode, period, dueDay, dueTime, audience, reason } = allowance
  return {
    id,
    name,
    value,
    mode,
    period,
    ...(dueDay !== null && { on: dueDay }),
    at: dueTime,
    audience: audienceView(audience, usernames),
    reason,
    starts_on: allowance.startsOn,
    ends_on: allowance.endsOn,
    catch_up: allowance.catchUp,
    active: allowance.isActive,
    next_run: utcOrNull(nextRunAt),
    last_run: utcOrNull(allowance.lastRunAt),
  }
}

type AllowanceType = (typeof allowanceComponents)["Allowance"]

const audienceView = (audience: PlannedAllowance["allowance"]["audience"], usernames: readonly string[]) => {
  if ("damaged" in audience) return {}
  if ("everyone" in audience) return { everyone: true }
  return "dept" in audience ? { dept: audience.dept } : { usernames: [...usernames] }
}

/**
 * The list as JSON, typed as the parsed list, which clients read. Written one by one: 100 allowances with 5,000 names
 * each are 8 MB.
 */
async function listJson(
  planned: AsyncIterable<PlannedAllowance>,
  headers: Record<string, string | number>,
): Promise<{ readonly items: Static<AllowanceType>[] }> {
  const items: string[] = []
  for await (const one of planned) items.push(JSON.stringify(allowanceView(one)))
  headers["content-type"] = "application/json;charset=utf-8"
  return Buffer.from(`{"items":[${items.join(",")}]}`) as unknown as { items: Static<AllowanceType>[] }
}

const previewView = ({ runAt, total, expired, shares }: ShownPreview) => ({
  run_at: utcOrNull(runAt),
  total,
  expired,
  items: shares.map(({ receiver: { username, name }, value, expired }) => ({ username, name, value, expired })),
})

const runView = ({ id, firstDay, begunAt, finishedAt, people, total, expired }: AllowanceRun) => ({
  id,
  period: firstDay,
  time: utc(begunAt),
  people,
  sum: total,
  expired,
  finished: finishedAt !== null,
})
