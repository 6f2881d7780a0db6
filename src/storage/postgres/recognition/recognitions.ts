import type { RecognitionQuery } from "../../../domain/model.ts"
import type { RecognitionStore } from "../../../domain/store.ts"
import type { Client } from "../database/client.ts"
import { readEntries } from "../history/entries.ts"
import { isRecognition } from "../history/records.ts"

/** `RecognitionStore`. */
export function createRecognitionStore(client: Client): RecognitionStore {
  return {
    async newest({ participantIds, before, limit }) {
      const { parts, params } = partsOf(participantIds)
      const next = params.length
      const newest = parts.map(
        (where) =>
          `(SELECT t.* FROM transactions t WHERE ${where} AND ${isRecognition} AND t.id < $${next + 1}
            ORDER BY t.id DESC LIMIT $${next + 2})`,
      )
      return readEntries(client, newest.join(" UNION ALL "), "DESC", [
        ...params,
        before ?? Number.MAX_SAFE_INTEGER,
        limit,
      ])
    },
    after: (id, limit) =>
      readEntries(client, "SELECT t.* FROM transactions t WHERE t.id > $1 ORDER BY t.id LIMIT $2", "ASC", [id, limit]),
  }
}

/** Conditions of disjoint sets of transactions, each read from one index. */
function partsOf(participantIds: RecognitionQuery["participantIds"]) {
  const params = [...new Set(participantIds)]
  if (params.length === 0) return { params, parts: ["TRUE"] }
  if (params.length === 1) return { params, parts: ["t.user_id = $1", "t.from_id = $1"] }
  return { params, parts: ["t.user_id = $1 AND t.from_id = $2", "t.user_id = $2 AND t.from_id = $1"] }
}
