import type { Note, Party, Recognition, RecognitionQuery, Transaction } from "../../../domain/model.ts"
import type { RecognitionStore } from "../../../domain/store.ts"
import { noteOf } from "../../notes.ts"
import type { Client } from "../database/client.ts"
import { isRecognition, transactionColumns } from "../history/records.ts"

interface Row extends Transaction {
  readonly reversed: number
  readonly receiver: Party
  readonly sender: Party
  readonly reason: string | null
  readonly tags: string | null
  readonly isPrivate: number | null
}

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
      return read(newest.join(" UNION ALL "), "DESC", [...params, before ?? Number.MAX_SAFE_INTEGER, limit])
    },
    after: (id, limit) =>
      read("SELECT t.* FROM transactions t WHERE t.id > $1 ORDER BY t.id LIMIT $2", "ASC", [id, limit]),
  }

  /** The last parameter is the limit. */
  async function read(
    transactions: string,
    direction: "ASC" | "DESC",
    params: readonly number[],
  ): Promise<Recognition[]> {
    const rows = await client.query<Row>(
      `SELECT ${transactionColumns}, ${partyOf("receiver")}, ${partyOf("sender")},
         (SELECT coalesce(sum(r.value), 0) FROM transactions r WHERE r.reverses = t.id)::bigint AS reversed,
         n.reason, n.tags, n.private AS "isPrivate"
       FROM (SELECT t.* FROM (${transactions}) t ORDER BY t.id ${direction} LIMIT $${params.length}) t
         JOIN users receiver ON receiver.id = t.user_id JOIN users sender ON sender.id = t.from_id
         LEFT JOIN notes n ON n.transaction_id = t.id
       ORDER BY t.id ${direction}`,
      params,
    )
    return rows.map(({ reason, tags, isPrivate, ...recognition }) => ({
      ...recognition,
      note: noteIn(reason, tags, isPrivate),
    }))
  }
}

const noteIn = (reason: string | null, tags: string | null, isPrivate: number | null): Note | undefined =>
  reason === null || tags === null || isPrivate === null ? undefined : noteOf({ reason, tags, isPrivate })

const partyOf = (user: string) =>
  `json_build_object('username', ${user}.username, 'name', ${user}.name, 'avatar', ${user}.avatar) AS ${user}`

/** Conditions of disjoint sets of transactions, each read from one index. */
function partsOf(participantIds: RecognitionQuery["participantIds"]) {
  const params = [...new Set(participantIds)]
  if (params.length === 0) return { params, parts: ["TRUE"] }
  if (params.length === 1) return { params, parts: ["t.user_id = $1", "t.from_id = $1"] }
  return { params, parts: ["t.user_id = $1 AND t.from_id = $2", "t.user_id = $2 AND t.from_id = $1"] }
}
