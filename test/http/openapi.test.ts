import { expect, test } from "bun:test"
import { join } from "node:path"
import { lintFromString, loadConfig } from "@redocly/openapi-core"
import { details } from "../../src/domain/errors.ts"
import { createApi } from "../../src/http/api.ts"
import { statuses } from "../../src/http/errors.ts"
import { guardsOf } from "../access/guards.ts"
import { startTestServer } from "../support/server.ts"

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema: Readonly<Record<string, unknown>>
}

interface Operation {
  readonly description?: string
  readonly security?: object[]
  readonly parameters?: Parameter[]
  readonly requestBody?: { readonly content: Record<string, unknown> }
  readonly responses: Record<
    string,
    {
      readonly description: string
      readonly headers?: Record<string, { readonly schema: object }>
      readonly content?: Record<string, unknown>
    }
  >
}

interface Description {
  readonly openapi: string
  readonly info: object
  readonly tags: { readonly name: string; readonly description: string }[]
  readonly "x-websockets": Record<
    string,
    { readonly parameters: Parameter[]; readonly messages: { readonly oneOf: { readonly properties: object }[] } }
  >
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: { readonly schemas: Record<string, object>; readonly securitySchemes: object }
}

/** Whether an endpoint stores something, which its method does not always say. */
const isStoring = (endpoint: string): boolean =>
  endpoint === "GET /oidc/logout" || !/^GET |^POST \/(token|refresh_token)$/.test(endpoint)

const guards = await guardsOf()

/** Whether an endpoint has a rate limit: on costly requests at once, or on changes per minute. */
const isBounded = (endpoint: string): boolean => {
  const { cost = "cheap", isWrite = false, row } = guards.get(endpoint) ?? {}
  const isForSuperusers = row?.role === "superuser" && row.duties === undefined
  return cost !== "cheap" || (isWrite && !isForSuperusers)
}

/** Only bodies under `/api/v1` have a code. */
const errorOf = (endpoint: string) => ({
  schema: { $ref: `#/components/schemas/${endpoint.includes(" /api/v1/") ? "CodedError" : "Error"}` },
})
const failure = { schema: { type: "string" } }
const scimType = "application/scim+json"
const scimError = { schema: { $ref: "#/components/schemas/ScimError" } }

/**
 * Endpoint, who may call it, its body, its success, and every error of the contract by status. Two are left out: the 504 of
 * endpoints that store something, and the 429 of endpoints with a rate limit.
 */
const endpoints: [
  endpoint: string,
  access: "public" | "either" | "protected" | "provisioning" | "slack" | "mattermost",
  body: string | null,
  statuses: number[],
][] = [
  ["POST /token", "public", "application/x-www-form-urlencoded", [200, 400, 401, 403, 413, 415, 422, 429, 500, 503]],
  ["POST /refresh_token", "public", "application/json", [200, 400, 401, 403, 413, 415, 422, 500, 503]],
  [
    "POST /login",
    "public",
    "application/x-www-form-urlencoded",
    [200, 202, 400, 401, 403, 413, 415, 422, 429, 500, 503],
  ],
  ["POST /login/second-factor", "public", "application/json", [200, 400, 401, 403, 413, 415, 422, 429, 500, 503]],
  ["POST /logout", "public", null, [200, 400, 500, 503]],
  ["GET /user/", "public", null, [200, 400, 422, 429, 500, 503]],
  ["GET /user/{username}/", "public", null, [200, 400, 404, 422, 500, 503]],
  ["POST /user/", "protected", "application/json", [201, 400, 401, 403, 409, 413, 415, 422, 500, 503]],
  ["PATCH /user/{username}/", "protected", "application/json", [200, 400, 401, 403, 404, 413, 415, 422, 500, 503]],
  ["POST /user/{username}/password/", "public", "application/json", [200, 400, 403, 404, 413, 415, 422, 500, 503]],
  ["POST /user/pwd_reset_token/", "public", "application/json", [200, 400, 403, 413, 415, 422, 500, 503]],
  [
    "POST /transaction/{username}/",
    "protected",
    "application/json",
    [201, 400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503],
  ],
  ["GET /api/v1/feed", "protected", null, [200, 400, 401, 403, 422, 500, 503]],
  ["GET /api/v1/recognitions/{id}", "protected", null, [200, 400, 401, 403, 404, 422, 500, 503]],
  [
    "PUT /api/v1/recognitions/{id}/reactions/{emoji}",
    "protected",
    null,
    [200, 400, 401, 403, 404, 409, 422, 429, 500, 503],
  ],
  [
    "DELETE /api/v1/recognitions/{id}/reactions/{emoji}",
    "protected",
    null,
    [200, 400, 401, 403, 404, 422, 429, 500, 503],
  ],
  [
    "POST /api/v1/recognitions/{id}/points",
    "protected",
    "application/json",
    [201, 400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503],
  ],
  [
    "POST /api/v1/recognitions/{id}/replies",
    "protected",
    "application/json",
    [201, 400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503],
  ],
  ["DELETE /api/v1/replies/{id}", "protected", null, [200, 400, 401, 403, 404, 422, 500, 503]],
  ["PATCH /api/v1/replies/{id}", "protected", "application/json", [200, 400, 401, 403, 404, 413, 415, 422, 500, 503]],
  ["GET /api/v1/notifications", "protected", null, [200, 400, 401, 403, 422, 500, 503]],
  ["GET /api/v1/occasions", "protected", null, [200, 400, 401, 403, 422, 500, 503]],
  ["POST /api/v1/notifications/seen", "protected", "application/json", [200, 400, 401, 403, 413, 415, 422, 500, 503]],
  ["GET /api/v1/stream", "protected", null, [101, 400, 401, 403, 405, 422, 426, 500, 503]],
  [
    "POST /api/v1/grants",
    "protected",
    "application/json",
    [200, 201, 400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503],
  ],
  [
    "POST /api/v1/transactions",
    "protected",
    "application/json",
    [201, 400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503],
  ],
  ["GET /api/v1/transactions", "protected", null, [200, 400, 401, 403, 404, 422, 500, 503]],
  ["GET /api/v1/allowances", "protected", null, [200, 400, 401, 403, 422, 500, 503]],
  ["POST /api/v1/allowances", "protected", "application/json", [201, 400, 401, 403, 404, 409, 413, 415, 422, 500, 503]],
  ["GET /api/v1/allowances/{id}", "protected", null, [200, 400, 401, 403, 404, 422, 500, 503]],
  [
    "PATCH /api/v1/allowances/{id}",
    "protected",
    "application/json",
    [200, 400, 401, 403, 404, 409, 413, 415, 422, 500, 503],
  ],
  ["DELETE /api/v1/allowances/{id}", "protected", null, [200, 400, 401, 403, 404, 422, 500, 503]],
  ["GET /api/v1/allowances/{id}/preview", "protected", null, [200, 400, 401, 403, 404, 422, 500, 503]],
  ["GET /api/v1/allowances/{id}/runs", "protected", null, [200, 400, 401, 403, 404, 422, 500, 503]],
  ["POST /api/v1/allowances/{id}/run", "protected", null, [201, 400, 401, 403, 404, 409, 413, 415, 422, 500, 503]],
  [
    "POST /api/v1/transactions/{id}/reversal",
    "protected",
    "application/json",
    [201, 400, 401, 403, 404, 409, 413, 415, 422, 500, 503],
  ],
  ["GET /api/v1/mail/links", "protected", null, [200, 400, 401, 403, 404, 422, 500, 503]],
  ["GET /api/v1/mail", "protected", null, [200, 400, 401, 403, 422, 500, 503]],
  ["POST /api/v1/mail/retry", "protected", null, [200, 400, 401, 403, 413, 415, 422, 500, 503]],
  ["POST /api/v1/mail/test", "protected", null, [201, 400, 401, 403, 409, 413, 415, 422, 500, 503]],
  ["POST /api/v1/mail/{id}/retry", "protected", null, [200, 400, 401, 403, 404, 413, 415, 422, 500, 503]],
  ["GET /api/v1/webhooks", "protected", null, [200, 400, 401, 403, 422, 500, 503]],
  ["POST /api/v1/webhooks", "protected", "application/json", [201, 400, 401, 403, 409, 413, 415, 422, 500, 503]],
  ["GET /api/v1/webhooks/{id}", "protected", null, [200, 400, 401, 403, 404, 422, 500, 503]],
  ["PATCH /api/v1/webhooks/{id}", "protected", "application/json", [200, 400, 401, 403, 404, 413, 415, 422, 500, 503]],
  ["DELETE /api/v1/webhooks/{id}", "protected", null, [200, 400, 401, 403, 404, 422, 500, 503]],
  ["POST /api/v1/webhooks/{id}/secret", "protected", null, [201, 400, 401, 403, 404, 409, 413, 415, 422, 500, 503]],
  ["POST /api/v1/webhooks/{id}/test", "protected", null, [201, 400, 401, 403, 404, 413, 415, 422, 500, 503]],
  ["GET /api/v1/webhooks/{id}/deliveries", "protected", null, [200, 400, 401, 403, 404, 422, 500, 503]],
  [
    "POST /api/v1/webhooks/{id}/replay",
    "protected",
    "application/json",
    [200, 400, 401, 403, 404, 409, 413, 415, 422, 500, 503],
  ],
  ["POST /api/v1/deliveries/{id}/replay", "protected", null, [201, 400, 401, 403, 404, 409, 413, 415, 422, 500, 503]],
  ["POST /api/v1/deliveries/{id}/skip", "protected", null, [200, 400, 401, 403, 404, 409, 413, 415, 422, 500, 503]],
  ["GET /api/v1/events", "protected", null, [200, 400, 401, 403, 422, 500, 503]],
  ["POST /api/v1/users", "protected", "application/json", [201, 400, 401, 403, 409, 413, 415, 422, 500, 503]],
  ["POST /api/v1/users/import", "protected", "text/csv", [200, 400, 401, 403, 409, 413, 415, 422, 500, 503]],
  ["GET /api/v1/transactions.csv", "protected", null, [200, 400, 401, 403, 404, 422, 429, 500, 503]],
  ["GET /api/v1/users.csv", "protected", null, [200, 400, 401, 403, 422, 429, 500, 503]],
  ["GET /api/v1/programme", "protected", null, [200, 400, 401, 403, 422, 500, 503]],
  ["PATCH /api/v1/programme", "protected", "application/json", [200, 400, 401, 403, 412, 413, 415, 422, 500, 503]],
  ["GET /api/v1/rewards", "protected", null, [200, 400, 401, 403, 422, 500, 503]],
  ["POST /api/v1/rewards", "protected", "application/json", [201, 400, 401, 403, 409, 413, 415, 422, 500, 503]],
  ["PATCH /api/v1/rewards/{id}", "protected", "application/json", [200, 400, 401, 403, 404, 413, 415, 422, 500, 503]],
  ["PUT /api/v1/rewards/{id}/picture", "protected", "image/*", [200, 400, 401, 403, 404, 413, 422, 500, 503]],
  ["PUT /api/v1/rewards/{id}/wish", "protected", null, [200, 400, 401, 403, 404, 422, 500, 503]],
  ["DELETE /api/v1/rewards/{id}/wish", "protected", null, [200, 400, 401, 403, 404, 422, 500, 503]],
  [
    "POST /api/v1/rewards/{id}/redemptions",
    "protected",
    "application/json",
    [201, 400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503],
  ],
  ["GET /api/v1/redemptions", "protected", null, [200, 400, 401, 403, 404, 422, 500, 503]],
  [
    "POST /api/v1/redemptions/{id}/fulfilment",
    "protected",
    "application/json",
    [200, 400, 401, 403, 404, 409, 413, 415, 422, 500, 503],
  ],
  [
    "POST /api/v1/redemptions/{id}/rejection",
    "protected",
    "application/json",
    [200, 400, 401, 403, 404, 409, 413, 415, 422, 500, 503],
  ],
  ["GET /api/v1/audit", "protected", null, [200, 400, 401, 403, 422, 500, 503]],
  ["GET /api/v1/audit.csv", "protected", null, [200, 400, 401, 403, 422, 429, 500, 503]],
  ["GET /api/v1/redemptions.csv", "protected", null, [200, 400, 401, 403, 422, 429, 500, 503]],
  ["GET /transaction/", "protected", null, [200, 400, 401, 403, 422, 500, 503]],
  ["GET /transaction/{username}/", "protected", null, [200, 400, 401, 403, 404, 422, 500, 503]],
  ["GET /unsubscribe", "public", null, [200, 400, 404, 500, 503]],
  ["POST /unsubscribe", "public", null, [200, 400, 403, 404, 500, 503]],
  ["GET /oidc/login", "public", null, [303, 400, 404, 500, 503]],
  ["GET /oidc/callback", "public", null, [303, 400, 404, 500, 503]],
  ["GET /oidc/logout", "public", null, [303, 400, 404, 500, 503]],
  [
    "POST /oidc/backchannel-logout",
    "public",
    "application/x-www-form-urlencoded",
    [200, 400, 403, 404, 413, 415, 422, 500, 503],
  ],
  ["GET /api/v1/service", "public", null, [200, 400, 500, 503]],
  ["GET /api/v1/session", "public", null, [200, 400, 500, 503]],
  ["GET /api/v1/me", "protected", null, [200, 400, 401, 403, 422, 500, 503]],
  ["PATCH /api/v1/me", "protected", "application/json", [200, 400, 401, 403, 409, 413, 415, 422, 500, 503]],
  ["POST /api/v1/me/password", "protected", "application/json", [200, 400, 401, 403, 413, 415, 422, 429, 500, 503]],
  ["PUT /api/v1/me/avatar", "protected", "image/*", [200, 400, 401, 403, 413, 422, 500, 503]],
  ["DELETE /api/v1/me/avatar", "protected", null, [200, 400, 401, 403, 422, 500, 503]],
  ["GET /api/v1/suggestions", "protected", null, [200, 400, 401, 403, 422, 500, 503]],
  ["GET /api/v1/me/templates", "protected", null, [200, 400, 401, 403, 422, 500, 503]],
  ["PUT /api/v1/me/templates", "protected", "application/json", [200, 400, 401, 403, 413, 415, 422, 500, 503]],
  ["GET /api/v1/avatars/{hash}", "public", null, [200, 400, 404, 500, 503]],
  ["GET /api/v1/me/sessions", "protected", null, [200, 400, 401, 403, 422, 500, 503]],
  ["DELETE /api/v1/me/sessions", "protected", null, [200, 400, 401, 403, 422, 500, 503]],
  ["GET /api/v1/me/push", "protected", null, [200, 400, 401, 403, 422, 500, 503]],
  ["POST /api/v1/me/push", "protected", "application/json", [201, 400, 401, 403, 409, 413, 415, 422, 500, 503]],
  ["DELETE /api/v1/me/push/{id}", "protected", null, [200, 400, 401, 403, 404, 422, 500, 503]],
  ["GET /api/v1/tokens", "protected", null, [200, 400, 401, 403, 422, 500, 503]],
  ["POST /api/v1/tokens", "protected", "application/json", [201, 400, 401, 403, 409, 413, 415, 422, 500, 503]],
  ["DELETE /api/v1/tokens/{id}", "protected", null, [200, 400, 401, 403, 404, 422, 500, 503]],
  ["GET /api/v1/service-tokens", "protected", null, [200, 400, 401, 403, 422, 500, 503]],
  [
    "POST /api/v1/service-tokens",
    "protected",
    "application/json",
    [201, 400, 401, 403, 404, 409, 413, 415, 422, 500, 503],
  ],
  ["DELETE /api/v1/service-tokens/{id}", "protected", null, [200, 400, 401, 403, 404, 422, 500, 503]],
  ["DELETE /api/v1/me/sessions/{session}", "protected", null, [200, 400, 401, 403, 404, 422, 500, 503]],
  ["GET /api/v1/me/second-factors", "protected", null, [200, 400, 401, 403, 422, 500, 503]],
  ["POST /api/v1/me/passkeys/options", "protected", null, [200, 400, 401, 403, 409, 422, 500, 503]],
  ["POST /api/v1/me/passkeys", "protected", "application/json", [201, 400, 401, 403, 409, 413, 415, 422, 500, 503]],
  ["POST /api/v1/me/totp", "protected", null, [200, 400, 401, 403, 409, 422, 500, 503]],
  [
    "POST /api/v1/me/totp/confirmation",
    "protected",
    "application/json",
    [201, 400, 401, 403, 409, 413, 415, 422, 500, 503],
  ],
  ["DELETE /api/v1/me/second-factors/{id}", "protected", null, [200, 400, 401, 403, 404, 409, 422, 500, 503]],
  ["POST /api/v1/me/recovery-codes", "protected", null, [201, 400, 401, 403, 409, 422, 500, 503]],
  ["DELETE /api/v1/users/{username}/second-factors", "protected", null, [200, 400, 401, 403, 404, 422, 500, 503]],
  ["GET /api/v1/people", "protected", null, [200, 400, 401, 403, 422, 500, 503]],
  ["GET /api/v1/people/{username}", "protected", null, [200, 308, 400, 401, 403, 404, 422, 500, 503]],
  ["GET /api/v1/team", "protected", null, [200, 400, 401, 403, 422, 500, 503]],
  ["GET /api/v1/recap", "protected", null, [200, 400, 401, 403, 422, 500, 503]],
  ["GET /api/v1/recap/company", "protected", null, [200, 400, 401, 403, 422, 500, 503]],
  ["GET /api/v1/recap.png", "protected", null, [200, 400, 401, 403, 422, 429, 500, 503]],
  ["GET /api/v1/recap/company.png", "protected", null, [200, 400, 401, 403, 422, 429, 500, 503]],
  ["GET /api/v1/leaderboard", "protected", null, [200, 400, 401, 403, 404, 422, 500, 503]],
  ["GET /api/v1/wall", "either", null, [200, 400, 401, 403, 500, 503]],
  ["GET /api/v1/stats", "protected", null, [200, 400, 401, 403, 404, 422, 500, 503]],
  ["GET /api/v1/insights/participation", "protected", null, [200, 400, 401, 403, 422, 500, 503]],
  ["GET /api/v1/insights/participation.csv", "protected", null, [200, 400, 401, 403, 422, 429, 500, 503]],
  ["GET /api/v1/insights/overlooked", "protected", null, [200, 400, 401, 403, 422, 500, 503]],
  ["GET /api/v1/insights/overlooked.csv", "protected", null, [200, 400, 401, 403, 422, 429, 500, 503]],
  ["GET /api/v1/insights/budgets", "protected", null, [200, 400, 401, 403, 422, 500, 503]],
  ["GET /api/v1/insights/budgets.csv", "protected", null, [200, 400, 401, 403, 422, 429, 500, 503]],
  ["GET /api/v1/insights/departments", "protected", null, [200, 400, 401, 403, 422, 500, 503]],
  ["GET /api/v1/insights/departments.csv", "protected", null, [200, 400, 401, 403, 422, 429, 500, 503]],
  ["GET /api/v1/insights/tags", "protected", null, [200, 400, 401, 403, 422, 500, 503]],
  ["GET /api/v1/insights/tags.csv", "protected", null, [200, 400, 401, 403, 422, 429, 500, 503]],
  ["GET /api/v1/insights/outstanding", "protected", null, [200, 400, 401, 403, 422, 500, 503]],
  ["GET /api/v1/insights/outstanding/monthly", "protected", null, [200, 400, 401, 403, 422, 500, 503]],
  ["GET /api/v1/insights/outstanding.csv", "protected", null, [200, 400, 401, 403, 422, 429, 500, 503]],
  ["GET /api/v1/insights/outstanding/monthly.csv", "protected", null, [200, 400, 401, 403, 422, 429, 500, 503]],
  ["GET /api/v1/users/{username}", "protected", null, [200, 400, 401, 403, 404, 422, 500, 503]],
  [
    "PATCH /api/v1/users/{username}",
    "protected",
    "application/json",
    [200, 400, 401, 403, 404, 409, 413, 415, 422, 500, 503],
  ],
  ["POST /api/v1/users/invitations", "protected", null, [200, 400, 401, 403, 413, 415, 422, 429, 500, 503]],
  [
    "POST /api/v1/users/{username}/invitation",
    "protected",
    null,
    [200, 400, 401, 403, 404, 409, 413, 415, 422, 500, 503],
  ],
  [
    "POST /api/v1/users/{username}/erasure",
    "protected",
    "application/json",
    [200, 400, 401, 403, 404, 409, 413, 415, 422, 500, 503],
  ],
  ["GET /api/v1/users/{username}/data", "protected", null, [200, 400, 401, 403, 404, 422, 429, 500, 503]],
  ["GET /api/v1/health", "protected", null, [200, 400, 401, 403, 422, 500, 503]],
  ["GET /api/v1/departments", "protected", null, [200, 400, 401, 403, 422, 500, 503]],
  [
    "PATCH /api/v1/departments/{name}",
    "protected",
    "application/json",
    [200, 400, 401, 403, 404, 409, 413, 415, 422, 500, 503],
  ],
  ["GET /scim/v2/Users", "provisioning", null, [200, 400, 401, 403, 500, 503]],
  ["POST /scim/v2/Users", "provisioning", scimType, [201, 400, 401, 403, 409, 413, 415, 500, 503]],
  ["GET /scim/v2/Users/{id}", "provisioning", null, [200, 400, 401, 403, 404, 500, 503]],
  ["PUT /scim/v2/Users/{id}", "provisioning", scimType, [200, 400, 401, 403, 404, 409, 413, 415, 500, 503]],
  ["PATCH /scim/v2/Users/{id}", "provisioning", scimType, [200, 400, 401, 403, 404, 409, 413, 415, 500, 503]],
  ["DELETE /scim/v2/Users/{id}", "provisioning", null, [204, 400, 401, 403, 404, 500, 503]],
  ["GET /scim/v2/ServiceProviderConfig", "provisioning", null, [200, 400, 401, 403, 500, 503]],
  ["GET /scim/v2/Schemas", "provisioning", null, [200, 400, 401, 403, 500, 503]],
  ["GET /scim/v2/Schemas/{id}", "provisioning", null, [200, 400, 401, 403, 404, 500, 503]],
  ["GET /scim/v2/ResourceTypes", "provisioning", null, [200, 400, 401, 403, 500, 503]],
  ["GET /scim/v2/ResourceTypes/{id}", "provisioning", null, [200, 400, 401, 403, 404, 500, 503]],
  [
    "POST /integrations/slack/commands",
    "slack",
    "application/x-www-form-urlencoded",
    [200, 400, 401, 403, 404, 413, 500, 503],
  ],
  [
    "POST /integrations/slack/interactions",
    "slack",
    "application/x-www-form-urlencoded",
    [200, 400, 401, 403, 404, 413, 500, 503],
  ],
  [
    "POST /integrations/mattermost/commands",
    "mattermost",
    "application/x-www-form-urlencoded",
    [200, 400, 401, 403, 404, 413, 500, 503],
  ],
]

/** Routes for monitoring, for this reference itself and for browsers, and the stream, which `x-websockets` describes. */
const undocumented = [
  "GET /.well-known/change-password",
  "GET /docs",
  "GET /docs/reference.js",
  "GET /docs/start.js",
  "GET /docs/style.css",
  "GET /healthz",
  "GET /openapi.json",
  "GET /probe",
  "GET /readyz",
  "GET /robots.txt",
  "GET /transaction/ws",
]

let document: Promise<string> | undefined

/** Asked for once. Parsed each time, because `toMatchObject` of Bun writes into what it compares. */
async function described(): Promise<Description> {
  document ??= ask()
  return JSON.parse(await document)
}

async function ask(): Promise<string> {
  await using server = await startTestServer()
  return (await fetch(`${server.url}/openapi.json`)).text()
}

const operationsOf = ({ paths }: Description) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ endpoint: `${method.toUpperCase()} ${path}`, operation })),
  )

test("the metadata has version 0.1.0 and the description of the contract", async () => {
  const description = await described()

  expect(description.info).toEqual({
    title: "Rewards",
    version: "0.1.0",
    description: "a rewards API",
    license: { name: "MIT", identifier: "MIT" },
  })
  expect(description.openapi).toMatch(/^3\./)
})

test("exactly the endpoints are listed, and every other route of the server is one that needs no description", async () => {
  await using server = await startTestServer()
  const unused = () => {
    throw new Error("nobody sends requests")
  }
  const parts = await createApi({ app: server.app, arrival: unused }).parts()
  const listed = operationsOf(await described()).map(({ endpoint }) => endpoint)
  const routes = parts.flatMap(({ routes }) =>
    routes.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`),
  )

  expect(listed.toSorted()).toEqual(endpoints.map(([endpoint]) => endpoint).toSorted())
  expect(routes.toSorted()).toEqual([...listed, ...undocumented].toSorted())
})

for (const [endpoint, access, body, answers] of endpoints)
  test(`${endpoint} is documented with its credentials, body and answers`, async () => {
    const found = operationsOf(await described()).find((operation) => operation.endpoint === endpoint)?.operation

    const credentials = [{ bearer: [] }, { session: [] }]
    const securities = {
      public: [],
      either: [{}, ...credentials],
      protected: credentials,
      provisioning: [{ bearer: [] }],
      slack: [{ slack: [] }],
      mattermost: [{ mattermost: [] }],
    }
    expect(found?.security).toEqual(securities[access])
    expect(Object.keys(found?.requestBody?.content ?? {})).toEqual(body === null ? [] : [body])
    const all = new Set([...answers, ...(isBounded(endpoint) ? [429] : []), ...(isStoring(endpoint) ? [504] : [])])
    expect(Object.keys(found?.responses ?? {}).map(Number)).toEqual([...all].toSorted((a, b) => a - b))
    for (const [status, { description, content }] of Object.entries(found?.responses ?? {})) {
      expect(description).not.toBe("")
      const json = content?.[access === "provisioning" ? scimType : "application/json"]
      if (status === "500") expect(content?.["text/plain"]).toEqual(failure)
      else if (status === "404" && endpoint.endsWith("/unsubscribe"))
        expect(content).toMatchObject({ "application/json": errorOf(endpoint), "text/html": {} })
      else if (Number(status) >= 400) expect(json).toEqual(access === "provisioning" ? scimError : errorOf(endpoint))
      else if (["204", "303", "308"].includes(status)) expect(content).toEqual({})
      else if (endpoint.endsWith(".csv")) expect(content).toEqual({ "text/csv": { schema: { type: "string" } } })
      else if (endpoint.endsWith(".png")) expect(content).toHaveProperty("image/png")
      else expect(json ?? content?.["image/*"] ?? content?.["text/html"]).toMatchObject({ schema: expect.anything() })
    }
  })

test("the answer to a duplicate e-mail address is documented beside the unexpected error", async () => {
  const created = operationsOf(await described()).find(({ endpoint }) => endpoint === "POST /user/")

  expect(created?.operation.responses["500"]).toEqual({
    description: expect.stringMatching(
      /Database IntegrityError.*Internal Server Error|Internal Server Error.*Database/s,
    ),
    headers: {
      "Error-Code": expect.objectContaining({ schema: { type: "string", enum: ["integrity", "unexpected"] } }),
    },
    content: { "application/json": errorOf("POST /user/"), "text/plain": failure },
  })
})

test("every error message of the domain is documented", async () => {
  const text = JSON.stringify(await described())

  for (const detail of Object.values(details)) expect(text).toContain(JSON.stringify(detail).slice(1, -1))
})

test("query parameters are documented at the endpoints that use them", async () => {
  const parameters = Object.fromEntries(
    operationsOf(await described()).map(({ endpoint, operation }) => [
      endpoint,
      (operation.parameters ?? []).filter((one) => one.in === "query").map(({ name, required }) => [name, !!required]),
    ]),
  )
  const page = ["fresh", "user", "from_user", "order_by", "page", "size"].map((name) => [name, false])

  expect(parameters["GET /transaction/"]).toEqual(page)
  expect(parameters["GET /transaction/{username}/"]).toEqual(page)
  expect(parameters["POST /api/v1/grants"]).toEqual(["fresh", "dry_run"].map((name) => [name, false]))
  const ofImport = ["fresh", "dry_run", "invite", "ignore_unknown", "dates", "preset", "columns"]
  expect(parameters["POST /api/v1/users/import"]).toEqual(ofImport.map((name) => [name, false]))
  expect(parameters["GET /user/"]).toEqual(["show_balance", "active"].map((name) => [name, false]))
  expect(parameters["GET /user/{username}/"]).toEqual([["show_balance", false]])
  expect(parameters["POST /user/{username}/password/"]).toEqual([
    ["fresh", false],
    ["pwd_reset_token", false],
  ])
  for (const endpoint of ["POST /user/", "PATCH /user/{username}/", "POST /transaction/{username}/"])
    expect(parameters[endpoint]).toEqual([["fresh", false]])
})

test("query parameters are documented with their types, bounds and defaults", async () => {
  const operations = operationsOf(await described())
  const schemaOf = (endpoint: string, name: string) =>
    operations
      .find((operation) => operation.endpoint === endpoint)
      ?.operation.parameters?.find((parameter) => parameter.name === name)?.schema

  expect(schemaOf("GET /transaction/", "page")).toMatchObject({ type: "integer", minimum: 1, default: 1 })
  expect(schemaOf("GET /transaction/", "size")).toMatchObject({
    type: "integer",
    minimum: 1,
    maximum: 100,
    default: 50,
  })
  expect(schemaOf("GET /transaction/", "order_by")?.enum).toContain("-from_user")
  expect(schemaOf("GET /api/v1/stats", "days")).toMatchObject({ type: "integer", maximum: 366, default: 30 })
  expect(schemaOf("GET /api/v1/leaderboard", "period")).toMatchObject({ type: "string", default: "month" })
  expect(schemaOf("GET /api/v1/stream", "after")).toMatchObject({ type: "integer", minimum: -(2 ** 53 - 1) })

  const flags = ["fresh", "show_balance", "dry_run", "invite"]
  const parameters = operations.flatMap(({ operation }) => operation.parameters ?? [])
  expect(parameters.filter(({ name }) => flags.includes(name)).length).toBeGreaterThan(20)
  for (const { name, schema } of parameters) {
    if (flags.includes(name)) expect(schema).toMatchObject({ type: "boolean", default: false })
    if (["page", "size"].includes(name)) expect(schema).toMatchObject({ type: "integer", minimum: 1 })
    if (name === "before") expect(schema).toMatchObject({ type: "integer" })
    expect(schema).not.toHaveProperty("shownAs")
  }
})

test("the documented spellings of a flag are accepted, and no others", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")
  const statusOf = async (fresh: string) => (await ana.get(`/api/v1/me?fresh=${fresh}`)).status

  for (const word of ["true", "1", "yes", "on", "FALSE", "0", "No", "oFF"])
    expect([word, await statusOf(word)]).toEqual([word, 200])
  for (const word of ["", "11", "2", "yesno", "truee"]) expect([word, await statusOf(word)]).toEqual([word, 422])
})

test("every POST under /api/v1 that makes something, and the transfer of the contract, takes an Idempotency-Key", async () => {
  const all = operationsOf(await described())
  const taking = all.filter(({ operation }) => operation.parameters?.some(({ name }) => name === "Idempotency-Key"))
  const endpointsOf = (some: typeof all) => some.map(({ endpoint }) => endpoint).toSorted()
  const posts = all.filter(({ endpoint }) => endpoint.startsWith("POST /api/v1/"))

  expect(endpointsOf(posts.filter((one) => !taking.includes(one)))).toEqual([
    // Sent again, these have no further effect, or only one more mail or test.
    "POST /api/v1/deliveries/{id}/skip",
    "POST /api/v1/mail/retry",
    "POST /api/v1/mail/test",
    "POST /api/v1/mail/{id}/retry",
    // Steps of a dialog, which begins anew.
    "POST /api/v1/me/passkeys",
    "POST /api/v1/me/passkeys/options",
    // Sent again, the present password is another one.
    "POST /api/v1/me/password",
    "POST /api/v1/me/push",
    "POST /api/v1/me/recovery-codes",
    "POST /api/v1/me/totp",
    "POST /api/v1/me/totp/confirmation",
    "POST /api/v1/notifications/seen",
    "POST /api/v1/users/invitations",
    "POST /api/v1/users/{username}/erasure",
    "POST /api/v1/users/{username}/invitation",
    "POST /api/v1/webhooks/{id}/test",
  ])
  expect(endpointsOf(taking.filter((one) => !posts.includes(one)))).toEqual(["POST /transaction/{username}/"])
  for (const { operation } of taking) {
    expect(operation.description).toContain("`Idempotency-Key`")
    const [key] = operation.parameters?.filter(({ in: place }) => place === "header") ?? []
    expect(key).toMatchObject({ required: false, schema: { type: "string", minLength: 1, maxLength: 255 } })
    const pattern = new RegExp(String(key?.schema.pattern))
    expect([pattern.test("a key ~!"), pattern.test("caf\u00e9"), pattern.test("a\tb")]).toEqual([true, false, false])
  }
})

test("Error-Code is documented for every error, Retry-After for every 429, 503 and 504, Location for redirects, ETag for the programme, and no other header", async () => {
  for (const { endpoint, operation } of operationsOf(await described()))
    for (const [status, { headers = {} }] of Object.entries(operation.responses))
      expect({ endpoint, status, headers: Object.keys(headers) }).toEqual({
        endpoint,
        status,
        headers: [
          ...(Number(status) >= 400 ? ["Error-Code"] : []),
          ...(["429", "503", "504"].includes(status) ? ["Retry-After"] : []),
          ...(["303", "308"].includes(status) ? ["Location"] : []),
          ...(status === "200" && endpoint.endsWith(" /api/v1/programme") ? ["ETag"] : []),
        ],
      })
})

test("the codes of errors are documented: all of them, and for each answer those that it can have", async () => {
  const { components, ...description } = await described()
  const { ErrorCode, CodedError } = components.schemas
  const sent = operationsOf({ components, ...description }).find(
    ({ endpoint }) => endpoint === "POST /api/v1/transactions",
  )

  expect(ErrorCode).toMatchObject({ type: "string", enum: Object.keys(statuses) })
  expect(CodedError).toMatchObject({
    required: ["detail", "code"],
    properties: { detail: {}, code: { $ref: "#/components/schemas/ErrorCode" }, field: { type: "string" } },
  })
  expect(sent?.operation.responses["400"]?.headers?.["Error-Code"]?.schema).toEqual({
    type: "string",
    enum: ["insufficient_balance", "malformed_json", "malformed_host", "malformed_path"],
  })
})

test.each([
  ["GET /api/v1/users/{username}", ["second_factor_missing", "beyond_scope", "not_superuser"], ["user_not_found"]],
  ["GET /api/v1/users/{username}/data", ["second_factor_missing", "beyond_scope", "not_own_data"], ["user_not_found"]],
  ["GET /api/v1/me/second-factors", ["beyond_scope"], undefined],
  ["POST /api/v1/me/totp", ["beyond_scope", "login_not_recent", "foreign_origin"], undefined],
  ["GET /api/v1/insights/tags", ["second_factor_missing", "beyond_scope", "not_superuser"], undefined],
  ["POST /user/{username}/password/", ["not_own_password", "foreign_origin"], ["user_not_found"]],
] as const)("what the guard of %s refuses is documented", async (endpoint, forbidden, missing) => {
  const { responses } = operationsOf(await described()).find((one) => one.endpoint === endpoint)?.operation ?? {}
  const codesOf = (status: string) => (responses?.[status]?.headers?.["Error-Code"]?.schema as { enum?: [] })?.enum

  expect([codesOf("403"), codesOf("404")]).toEqual([[...forbidden], missing && [...missing]] as never)
})

test("the contract's stream is documented with its query, its messages and a text", async () => {
  const { tags, "x-websockets": sockets } = await described()
  const stream = sockets["/transaction/ws"]

  expect(Object.keys(sockets)).toEqual(["/transaction/ws"])
  expect(stream?.parameters.map(({ name, schema }) => [name, schema.type])).toEqual([
    ["after", "integer"],
    ["only", "string"],
    ["heartbeat", "boolean"],
    ["last", "integer"],
  ])
  expect(stream?.messages.oneOf.map(({ properties }) => Object.keys(properties))).toEqual([
    ["to", "from", "value"],
    ["to", "from", "value", "id", "date"],
    ["to", "from", "value", "id", "date", "receivers"],
    ["through"],
  ])
  expect(tags.find(({ name }) => name === "Transactions")?.description).toContain("/transaction/ws")
})

test("the document passes a strict linter, with exceptions only where the interface requires them", async () => {
  const folder = join(import.meta.dir, "../../tooling/openapi")
  const problems = await lintFromString({
    source: JSON.stringify(await described()),
    absoluteRef: join(folder, "openapi.json"),
    config: await loadConfig({ configPath: join(folder, "redocly.yaml") }),
  })
  const found = problems.filter(({ ignored }) => !ignored)
  expect(found.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([])

  const exceptions = (await Bun.file(join(folder, ".redocly.lint-ignore.yaml")).text()).match(/^ +- /gm)
  expect(problems).toHaveLength(exceptions?.length ?? 0)
})

test("the document follows the OpenAPI rules that tools depend on", async () => {
  const description = await described()
  const operations = operationsOf(description)

  expect(Object.keys(description.paths).filter((path) => !path.startsWith("/"))).toEqual([])
  for (const { endpoint, operation } of operations) {
    const parameters = operation.parameters ?? []
    const names = parameters.map(({ name, in: place }) => `${place} ${name}`)
    expect([endpoint, new Set(names).size]).toEqual([endpoint, names.length])
    const inPath = [...endpoint.matchAll(/\{(\w+)\}/g)].map(([, name]) => `path ${name}`)
    expect([endpoint, names.filter((name) => name.startsWith("path "))]).toEqual([endpoint, inPath])
    for (const one of parameters) {
      expect(["path", "query", "header"]).toContain(one.in)
      expect(one.schema).toHaveProperty("type")
      if (one.in === "path") expect(one.required).toBe(true)
      const { default: byDefault, enum: words, minimum = 0, maximum = 1e17 } = one.schema
      if (typeof byDefault === "number") expect(Number(minimum) <= byDefault && byDefault <= Number(maximum)).toBe(true)
      if (Array.isArray(words) && byDefault !== undefined) expect(words).toContain(byDefault)
    }
  }
})

test("the security schemes are the bearer token, the session cookie, the signature of Slack and the token of Mattermost", async () => {
  const { components } = await described()

  expect(components.securitySchemes).toEqual({
    bearer: { type: "http", scheme: "bearer", description: "a JWT from `/token`, or an API token" },
    session: { type: "apiKey", in: "cookie", name: "session_id" },
    slack: {
      type: "apiKey",
      in: "header",
      name: "X-Slack-Signature",
      description: "a signature of timestamp and body with `slack.signing_secret`",
    },
    mattermost: {
      type: "apiKey",
      in: "header",
      name: "Authorization",
      description: "`Token`, a space, and one of `mattermost.tokens`",
    },
  })
})

test("the payload schemas have the fields of the contract", async () => {
  const { schemas } = (await described()).components
  const fieldsOf = (name: string) =>
    Object.keys((schemas[name] as { properties?: object } | undefined)?.properties ?? {})
  const user = ["name", "username", "dept", "avatar", "bio", "currency"]

  expect(fieldsOf("Error")).toEqual(["detail"])
  expect(fieldsOf("Token")).toEqual(["access_token", "refresh_token", "token_type"])
  expect(fieldsOf("UserResponse")).toEqual(user)
  expect(fieldsOf("UserResponseWithBalance")).toEqual([...user, "balance"])
  expect(fieldsOf("TransactionResponse")).toEqual(["id", "value", "date", "user", "from_user", "user_id", "from_id"])
  expect(fieldsOf("Page")).toEqual(["items", "total", "page", "size"])
})

test("every reference in the document has a target", async () => {
  const description = await described()
  const references = [...JSON.stringify(description).matchAll(/"\$ref":"([^"]*)"/g)].map(([, target = ""]) => target)

  expect(references.length).toBeGreaterThan(20)
  for (const target of references) {
    const name = /^#\/components\/schemas\/(\w+)$/.exec(target)?.[1]
    expect({ target, found: name !== undefined && name in description.components.schemas }).toEqual({
      target,
      found: true,
    })
  }
})

test("/docs needs no other host: this server serves every file that it names", async () => {
  await using server = await startTestServer()
  const response = await server.anybody.request("GET", "/docs")
  const page = await response.text()

  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8")
  expect(response.headers.get("content-security-policy")).toStartWith("default-src 'none';")
  expect(page).not.toMatch(/https?:|src="\/\/|href="\/\//)
  const files = [...page.matchAll(/(?:src|href)="(\/[^"]*)"/g)].map(([, path = ""]) => path)
  expect(files).toContain("/openapi.json")
  expect(files.length).toBeGreaterThan(3)
  const types = await Promise.all(
    files.map(async (path) => {
      const file = await server.anybody.request("GET", path)
      return [path, file.status, file.headers.get("content-type")?.split(";")[0], (await file.text()).length > 50]
    }),
  )
  expect(types.map(([, status]) => status)).toEqual(files.map(() => 200))
  for (const [path, , type, filled] of types)
    expect([path, type, filled]).toEqual([
      path,
      String(path).endsWith(".js")
        ? "text/javascript"
        : String(path).endsWith(".css")
          ? "text/css"
          : "application/json",
      true,
    ])
})

test("the files that the styles and scripts of /docs load come from this server too", async () => {
  await using server = await startTestServer()
  const style = await (await server.anybody.request("GET", "/docs/style.css")).text()
  const start = await (await server.anybody.request("GET", "/docs/start.js")).text()

  expect(style).not.toMatch(/@import|url\(["']?(https?:|\/\/)/)
  expect(start).not.toMatch(/https?:/)
  expect(start).toContain('url: "/openapi.json"')
})
