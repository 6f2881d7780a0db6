import { managementDept } from "../domain/auth/roles.ts"
import { type ApiToken, type NewApiToken, tokenScopes } from "../domain/model.ts"
import type { DiagnosedTokens } from "./maintenance.ts"

/** A row of a query for `apiTokenColumns`, the same on both databases. */
export interface ApiTokenRow extends Omit<ApiToken, "scopes"> {
  readonly scopes: string
}

/** Columns of api_tokens `t` and users `u`, named as the fields. */
export const apiTokenColumns = `t.id, t.kind, u.username, t.name, t.prefix, t.scopes, t.created_at AS "createdAt",
  t.expires_at AS "expiresAt", t.last_used_at AS "lastUsedAt", t.last_used_from AS "lastUsedFrom"`

export const apiTokenOf = (row: ApiTokenRow): ApiToken => {
  const named = row.scopes.split(",")
  return { ...row, scopes: tokenScopes.filter((scope) => named.includes(scope)) }
}

/** Columns of a new API token. `insertValues` returns their values in the same order. */
export const insertColumns = "user_id, kind, name, prefix, hash, scopes, created_at, expires_at"
export const insertValues = (token: NewApiToken) => {
  const { userId, kind, name, prefix, hash, scopes, createdAt, expiresAt } = token
  return [userId, kind, name, prefix, hash, scopes.join(","), createdAt, expiresAt]
}

/** Active superusers who have no second factor, for `rewards doctor`. */
export const superusersWithoutFactor = `SELECT username FROM users WHERE dept = '${managementDept}' AND deactivated_at IS NULL
  AND id NOT IN (SELECT user_id FROM second_factors) ORDER BY username`

/** API tokens for `rewards doctor`. $1 is `expiringBy` of the request. */
export const diagnosedTokens = `SELECT id, name, expires_at IS NULL AS endless FROM api_tokens
  WHERE expires_at < $1 OR (expires_at IS NULL AND scopes LIKE '%admin%') ORDER BY id`

/** `endless` is a number on SQLite, which has no booleans. */
export function diagnosedTokensOf(
  rows: readonly { readonly id: number; readonly name: string; readonly endless: boolean | number }[],
): DiagnosedTokens {
  const named = (isEndless: boolean) =>
    rows.filter(({ endless }) => Boolean(endless) === isEndless).map(({ id, name }) => `${id} (${name})`)
  return { endless: named(true), expiring: named(false) }
}

/** The columns of a `SecondFactor`, for both databases. */
export const secondFactorColumns = `id, kind, name, credential_id AS "credentialId", transports, key, counter,
  created_at AS "createdAt", last_used_at AS "lastUsedAt"`
