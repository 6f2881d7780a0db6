import type { Session } from "../../../domain/auth/model.ts"
import type { SessionStore } from "../../../domain/auth/ports.ts"
import type { Client } from "../database/client.ts"
import { cacheByTick } from "../database/gather.ts"

/** `SessionStore.find`, with the sessions of a tick in one read, and in memory until one ends. */
export function createFindSession(client: Client): SessionStore["find"] {
  const find = cacheByTick<Session>(client, {
    columns: `id_hash AS "idHash", username, expires_at AS "expiresAt"`,
    join: "sessions ON id_hash = ANY($1)",
    key: "idHash",
  })
  return async (idHash, now) => {
    const session = await find(idHash)
    return session !== null && session.expiresAt > now ? session : null
  }
}
