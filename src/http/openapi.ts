import { toOpenAPISchema } from "@elysiajs/openapi"
import { type TSchema, Type } from "@sinclair/typebox"
import type { AnyElysia } from "elysia"
import { license, version } from "../../package.json" with { type: "json" }
import { bounds } from "./costs.ts"
import { type ErrorCode, statuses } from "./errors.ts"
import type { NamedGuard } from "./guards.ts"
import { answersOf, type Operation, openedBy } from "./openapi-operations.ts"
import { isV1, streamPath } from "./paths.ts"
import { sessionCookie } from "./request.ts"
import { authComponents } from "./routes/auth.ts"
import { mattermostScheme } from "./routes/mattermost.ts"
import { scimComponents } from "./routes/scim.ts"
import { slackScheme } from "./routes/slack.ts"
import { streamMessages, TransactionStreamQuery } from "./routes/stream.ts"
import { transactionComponents } from "./routes/transactions.ts"
import { userComponents } from "./routes/users.ts"
import { accountComponents } from "./routes/v1/accounts.ts"
import { allowanceComponents } from "./routes/v1/allowances.ts"
import { auditComponents } from "./routes/v1/audit.ts"
import { departmentComponents } from "./routes/v1/departments.ts"
import { eventComponents, webhooksDocument } from "./routes/v1/events.ts"
import { feedComponents } from "./routes/v1/feed.ts"
import { grantComponents } from "./routes/v1/grants.ts"
import { healthComponents } from "./routes/v1/health.ts"
import { importComponents } from "./routes/v1/imports.ts"
import { insightComponents } from "./routes/v1/insights.ts"
import { mailComponents } from "./routes/v1/mail.ts"
import { meComponents } from "./routes/v1/me.ts"
import { notificationComponents } from "./routes/v1/notifications.ts"
import { occasionComponents } from "./routes/v1/occasions.ts"
import { outstandingComponents } from "./routes/v1/outstanding.ts"
import { peopleComponents } from "./routes/v1/people.ts"
import { programmeComponents } from "./routes/v1/programme.ts"
import { pushComponents } from "./routes/v1/push.ts"
import { recapComponents } from "./routes/v1/recaps.ts"
import { rewardComponents } from "./routes/v1/rewards.ts"
import { secondFactorComponents } from "./routes/v1/second-factors.ts"
import { sessionComponents } from "./routes/v1/sessions.ts"
import { statisticsComponents } from "./routes/v1/statistics.ts"
import { suggestionComponents } from "./routes/v1/suggestions.ts"
import { teamComponents } from "./routes/v1/team.ts"
import { tokenComponents } from "./routes/v1/tokens.ts"
import { v1TransactionComponents } from "./routes/v1/transactions.ts"
import { wallComponents } from "./routes/v1/wall.ts"
import { webhookComponents } from "./routes/v1/webhooks.ts"

const openapi = "3.1.2"

/** The schemas of all answers. Each is defined beside the view that makes the answer. */
const components = {
  Error: Type.Object({ detail: Type.String() }),
  CodedError: Type.Object({
    detail: Type.String({ description: "for people" }),
    code: Type.Ref("ErrorCode"),
    field: Type.Optional(Type.String({ description: "the field of the request that is wrong, if it is one" })),
  }),
  ErrorCode: Type.Unsafe({
    type: "string",
    enum: Object.keys(statuses),
    description: "which error it is; the header `Error-Code` of every error has it too",
  }),
  Message: Type.Object({ message: Type.String() }),
  Status: Type.Object({ status: Type.String() }),
  ...authComponents,
  ...userComponents,
  ...transactionComponents,
  ...feedComponents,
  ...notificationComponents,
  ...occasionComponents,
  ...grantComponents,
  ...allowanceComponents,
  ...v1TransactionComponents,
  ...rewardComponents,
  ...programmeComponents,
  ...mailComponents,
  ...webhookComponents,
  ...eventComponents,
  ...sessionComponents,
  ...tokenComponents,
  ...pushComponents,
  ...secondFactorComponents,
  ...meComponents,
  ...accountComponents,
  ...auditComponents,
  ...peopleComponents,
  ...departmentComponents,
  ...suggestionComponents,
  ...statisticsComponents,
  ...teamComponents,
  ...recapComponents,
  ...wallComponents,
  ...insightComponents,
  ...outstandingComponents,
  ...importComponents,
  ...healthComponents,
  ...scimComponents,
} satisfies Record<string, TSchema>

/**
 * The OpenAPI document of all routes of these parts. OpenAPI has no WebSockets, so the extension `x-websockets`
 * describes the WebSocket of the contract.
 */
export function openapiOf(parts: readonly AnyElysia[], title: string) {
  const exclude = { staticFile: false, paths: [/^\/docs/, "/openapi.json", streamPath] }
  const documents = parts.map((part) => toOpenAPISchema(part, exclude, undefined, undefined, openapi))
  const paths = Object.assign({}, ...documents.map(({ paths }) => paths))
  return plain({
    openapi,
    info: { title, version, description: "a rewards API", license: { name: license, identifier: license } },
    servers: [{ url: "/" }],
    tags: [{ name: "Transactions", description: streamDescription }],
    paths: withAnswers(paths, guardsOf(parts)),
    webhooks: webhooksDocument,
    "x-websockets": { [streamPath]: stream },
    components: {
      schemas: components,
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          description: "a JWT from `/token`, or an API token",
        },
        session: { type: "apiKey", in: "cookie", name: sessionCookie },
        ...slackScheme,
        ...mattermostScheme,
      },
    },
  })
}

const stream = {
  summary: "Watch the transactions",
  parameters: Object.entries(TransactionStreamQuery.properties).map(([name, schema]) => ({
    name,
    in: "query",
    schema,
  })),
  messages: { oneOf: streamMessages },
}

const streamDescription = `The WebSocket \`${streamPath}\` sends one message for each transaction, in ascending order of ids: \
\`{"to": "Zoë", "from": "Ada", "value": 25}\`, with the names of receiver and sender, from the first transaction on. \
With \`?after=<id>\` it starts after that transaction, with \`?last=<count>\` at the newest ones; each message then has \
\`id\` and \`date\` too. Where the setting \`stream.access\` is \`auth\` it requires a session or a token.`

type Paths = Readonly<Record<string, Readonly<Record<string, Described>>>>

interface Described extends Operation {
  readonly description?: string
  readonly headerParameters?: readonly object[]
}

/**
 * Writes the answers of each operation and which duties open it, and adds its header parameters, which `toOpenAPISchema`
 * drops.
 */
const withAnswers = (paths: Paths, guardOf: (route: string) => NamedGuard | undefined): object =>
  mapped(paths, (methods, path) =>
    mapped(methods, (described, method) => {
      const { answers: _, headerParameters, ...operation } = described
      const parameters = headerParameters && { parameters: [...(operation.parameters ?? []), ...headerParameters] }
      const guard = guardOf(`${method} ${path}`)
      const refusals = guard === undefined ? [] : [...refusalsOf(guard), ...limitsOf(guard)]
      const mayBeAnonymous = guard?.row?.caller === "watcher"
      return {
        ...operation,
        ...parameters,
        ...openedBy(guard?.row?.duties ?? [], operation.description),
        ...answersOf(method, described, { refusals, mayBeAnonymous }, isV1(path) ? "CodedError" : "Error"),
      }
    }),
  )

/** Returns a function that finds the guard of a route such as `get /api/v1/users/{username}`. */
function guardsOf(parts: readonly AnyElysia[]): (route: string) => NamedGuard | undefined {
  const guards = new Map<string, NamedGuard>()
  for (const { method, path, hooks } of parts.flatMap(({ routes }) => routes))
    if ("guard" in hooks)
      guards.set(`${method.toLowerCase()} ${path.replaceAll(/:(\w+)/g, "{$1}")}`, hooks.guard as NamedGuard)
  return (route) => guards.get(route)
}

/** Errors of missing, rejected or insufficient credentials. */
const credentialErrors = [
  "bad_credentials",
  "bad_session",
  "session_user_missing",
  "second_factor_missing",
  "beyond_scope",
] as const satisfies ErrorCode[]

/** By which errors a guard refuses a caller, in the order of its checks. Those that admit anyone name their errors. */
function refusalsOf({ row }: NamedGuard): readonly ErrorCode[] {
  if (row === null || row.caller === "anyone" || row.caller === "anyoneSettingUp") return []
  const { caller, about, role, isRecent } = row
  return [
    ...credentialErrors.filter((code) => caller !== "settingUp" || code !== "second_factor_missing"),
    ...(about === undefined ? [] : [about.missing]),
    ...(role === "superuser" || about?.isOpenTo !== undefined ? (["not_superuser"] as const) : []),
    ...(typeof role === "object" ? [role.selfOr] : []),
    ...(isRecent ? (["login_not_recent"] as const) : []),
  ]
}

/** The rate-limit errors of a guard. Superusers have no limit on changes. */
function limitsOf({ cost, isWrite, row }: NamedGuard): readonly ErrorCode[] {
  const isForSuperusers = row?.role === "superuser" && row.duties === undefined
  return [
    ...(cost === "cheap" ? [] : [bounds[cost].code]),
    ...(isWrite && !isForSuperusers ? (["too_many_writes"] as const) : []),
  ]
}

const mapped = <T>(record: Readonly<Record<string, T>>, change: (value: T, key: string) => unknown): object =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]))

/** Resolves TypeBox references to component schemas, and replaces schemas with their `shownAs`. */
function plain(document: object): object {
  const text = JSON.stringify(document).replaceAll(/"\$ref":"(\w+)"/g, '"$ref":"#/components/schemas/$1"')
  return JSON.parse(text, (_, value) => (value?.shownAs ? { ...value.shownAs, description: value.description } : value))
}
