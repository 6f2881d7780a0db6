import { type Static, Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { type CreatedToken, maxTokens } from "../../../domain/auth/api-tokens.ts"
import { type ApiToken, tokenScopes } from "../../../domain/auth/model.ts"
import { maxLengths } from "../../../domain/people/fields.ts"
import { apiTokenView } from "../../../formats/views/tokens.ts"
import type { Dependencies } from "../../dependencies.ts"
import { idempotentOperation, operation } from "../../openapi-operations.ts"
import { keyedRequestOf } from "../../request.ts"
import { byId, nullableText, oneOf, openObject, ProtectedQuery, text } from "../../schemas.ts"
import { date, dateOrNull } from "./common-fields.ts"

/** API tokens: the caller's own, and for superusers those of services. No API token may use these routes. */
export function tokenRoutes({ app: { access, apiTokens }, guards }: Dependencies<"access" | "apiTokens">) {
  return new Elysia()
    .use(guards)
    .get("/api/v1/tokens", async ({ caller }) => ({ items: (await apiTokens.ownOf(caller.user)).map(apiTokenView) }), {
      authenticated: true,
      query: ProtectedQuery,
      detail: operation("Tokens", "List your API tokens", 200, "ApiTokenList"),
    })
    .post(
      "/api/v1/tokens",
      async ({ caller, body, actor, request, status }) => {
        const { user } = caller
        const keyed = keyedRequestOf(request, caller, body)
        const created = await apiTokens.createOwn(user, actor, requestOf(body), keyed)
        return status(201, createdView(created))
      },
      {
        authenticated: true,
        query: ProtectedQuery,
        body: TokenRequest,
        detail: idempotentOperation(
          "Tokens",
          "Create an API token; its secret is shown only now",
          201,
          "CreatedApiToken",
          ["too_many_tokens"],
        ),
      },
    )
    .delete(
      "/api/v1/tokens/:id",
      async ({ apiToken, actor }) => {
        await apiTokens.revoke(actor, apiToken)
        return revoked
      },
      {
        toOwnToken: true,
        ...byId,
        detail: operation("Tokens", "Revoke one of your API tokens", 200, "Message"),
      },
    )
    .get("/api/v1/service-tokens", async () => ({ items: (await apiTokens.service()).map(serviceTokenView) }), {
      superuser: true,
      query: ProtectedQuery,
      detail: operation("Tokens", "List the service tokens (superusers)", 200, "ServiceTokenList"),
    })
    .post(
      "/api/v1/service-tokens",
      async ({ caller, body, actor, request, status }) => {
        const account = await access.toUser(body.username)
        const keyed = keyedRequestOf(request, caller, body)
        const created = await apiTokens.createService(actor, account, requestOf(body), keyed)
        return status(201, { ...createdView(created), username: created.apiToken.username })
      },
      {
        superuser: true,
        query: ProtectedQuery,
        body: ServiceTokenRequest,
        detail: idempotentOperation(
          "Tokens",
          "Create a token for a program that acts for an account (superusers)",
          201,
          "CreatedServiceToken",
          ["user_not_found", "too_many_tokens"],
        ),
      },
    )
    .delete(
      "/api/v1/service-tokens/:id",
      async ({ apiToken, actor }) => {
        await apiTokens.revoke(actor, apiToken)
        return revoked
      },
      {
        toServiceToken: true,
        ...byId,
        detail: operation("Tokens", "Revoke a service token (superusers)", 200, "Message"),
      },
    )
}

const revoked = { message: "Token revoked" }

const TokenRequest = openObject({
  name: text(`1 to ${maxLengths.name} characters; an account has at most ${maxTokens} tokens of each kind`),
  scopes: Type.Array(oneOf(tokenScopes, "a scope"), {
    description: `some of ${tokenScopes.join(", ")}; each includes those before it, and \`admin\` is for superusers`,
  }),
  expires_at: Type.Optional(
    nullableText(
      "a time in UTC, YYYY-MM-DDTHH:MM:SSZ, or a day at whose beginning it expires; by default it never does",
    ),
  ),
})

const ServiceTokenRequest = openObject({
  ...TokenRequest.properties,
  username: text("the account whose rights it has, and in whose name it gives"),
})

const token = {
  id: Type.Integer(),
  name: Type.String(),
  prefix: text("how the token begins"),
  scopes: Type.Array(Type.Union(tokenScopes.map((scope) => Type.Literal(scope)))),
  created_at: date("UTC"),
  expires_at: dateOrNull("UTC; null: never"),
  last_used_at: dateOrNull("UTC; null: not yet"),
  last_used_from: nullableText("IP address of the last use"),
}
const username = text("the account whose rights it has, and in whose name it gives")
const secret = text("the token itself, which is shown only in this answer")

export const tokenComponents = {
  ApiToken: Type.Object(token),
  ApiTokenList: Type.Object({ items: Type.Array(Type.Ref("ApiToken")) }),
  CreatedApiToken: Type.Object({ ...token, token: secret }),
  ServiceToken: Type.Object({ ...token, username }),
  ServiceTokenList: Type.Object({ items: Type.Array(Type.Ref("ServiceToken")) }),
  CreatedServiceToken: Type.Object({ ...token, username, token: secret }),
}

const requestOf = ({ name, scopes, expires_at: expiresAt }: Static<typeof TokenRequest>) => ({
  name,
  scopes,
  expiresAt,
})

const serviceTokenView = (apiToken: ApiToken) => ({ ...apiTokenView(apiToken), username: apiToken.username })

const createdView = ({ apiToken, secret }: CreatedToken) => ({ ...apiTokenView(apiToken), token: secret })
