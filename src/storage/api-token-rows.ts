import { type ApiToken, type NewApiToken, tokenScopes } from "../domain/model.ts"

/** A row as both databases answer `apiTokenColumns`. */
export interface ApiTokenRow extends Omit<ApiToken, "scopes"> {
  readonly scopes: string
}

/** Of api_tokens `t` and users `u`. */
export const apiTokenColumns = `t.id, t.kind, u.username, t.name, t.prefix, t.scopes, t.created_at AS "createdAt",
  t.expires_at AS "expiresAt", t.last_used_at AS "lastUsedAt", t.last_used_from AS "lastUsedFrom"`

export const apiTokenOf = (row: ApiTokenRow): ApiToken => {
  const named = row.scopes.split(",")
  return { ...row, scopes: tokenScopes.filter((scope) => named.includes(scope)) }
}

/** In the order of the columns that `insertColumns` names. */
export const insertColumns = "user_id, kind, name, prefix, hash, scopes, created_at, expires_at"
export const insertValues = (token: NewApiToken) => {
  const { userId, kind, name, prefix, hash, scopes, createdAt, expiresAt } = token
  return [userId, kind, name, prefix, hash, scopes.join(","), createdAt, expiresAt]
}
