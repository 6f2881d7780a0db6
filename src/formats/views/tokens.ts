import type { ApiToken } from "../../domain/auth/model.ts"
import { utc, utcOrNull } from "./dates.ts"

/** An API token, without its secret. */
export const apiTokenView = (apiToken: ApiToken) => ({
  id: apiToken.id,
  name: apiToken.name,
  prefix: apiToken.prefix,
  scopes: apiToken.scopes,
  created_at: utc(apiToken.createdAt),
  expires_at: utcOrNull(apiToken.expiresAt),
  last_used_at: utcOrNull(apiToken.lastUsedAt),
  last_used_from: apiToken.lastUsedFrom,
})
