import type { Recognition, RecognitionQuery } from "../../../domain/model.ts"
import type { RecognitionStore } from "../../../domain/store.ts"
import type { Client } from "../database/client.ts"
import { matchingEntries, readEntries } from "../history/entries.ts"
import { isRecognition } from "../history/records.ts"

/** `RecognitionStore`. */
export function createRecognitionStore(client: Client): RecognitionStore {
  return {
    newest: (query) => matchingEntries(query, (before, limit) => newest({ ...query, before, limit })),
    after: (id, limit) =>
      readEntries(client, "SELECT t.* FROM transactions t WHERE t.id > $1 ORDER BY t.id LIMIT $2", "ASC", [id, limit]),
  }

  function newest(query: RecognitionQuery): Promise<Recognition[]> {
    const { participantIds, dept, noteMatches, before, limit } = query
    const { parts, params } = partsOf(participantIds)
    const next = params.length
    const hasNote = noteMatches ? "AND EXISTS (SELECT FROM notes n WHERE n.transaction_id = t.id)" : ""
    const newest = parts.map(
      (where) =>
        `(SELECT t.* FROM transactions t
          WHERE ${where} AND ${isRecognition} AND t.id < $${next + 1} ${hasNote}
            AND ($${next + 2}::text IS NULL
              OR EXISTS (SELECT FROM users WHERE users.id IN (t.user_id, t.from_id) AND dept = $${next + 2}))
          ORDER BY t.id DESC LIMIT $${next + 3})`,
    )
    return readEntries(client, newest.join(" UNION ALL "), "DESC", [
      ...params,
      before ?? Number.MAX_SAFE_INTEGER,
      dept ?? null,
      limit,
    ])
  }
}

/** Conditions of disjoint sets of transactions, each read from one index. */
function partsOf(participantIds: RecognitionQuery["participantIds"]) {
  const params = [...new Set(participantIds)]
  if (params.length === 0) return { params, parts: ["TRUE"] }
  if (params.length === 1) return { params, parts: ["t.user_id = $1", "t.from_id = $1"] }
  return { params, parts: ["t.user_id = $1 AND t.from_id = $2", "t.user_id = $2 AND t.from_id = $1"] }
}
