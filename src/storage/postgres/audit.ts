import type { AuditEntry, AuditRecord } from "../../domain/model.ts"
import type { AuditStore } from "../../domain/store.ts"
import type { Client, Transaction } from "./database/client.ts"
import { createPruning } from "./database/pruning.ts"

export function createAuditStore(client: Client): AuditStore {
  return {
    append: (entries) => client.transaction(async (transaction) => writeAudit(transaction, ...entries)),
    async list({ user = null, action = null, since = 0, limit }) {
      const newest = await client.query<AuditRecord>(
        `SELECT * FROM audit
         WHERE ($1::text IS NULL OR who = $1 OR whom = $1) AND ($2::text IS NULL OR action = $2) AND at >= $3
         ORDER BY id DESC LIMIT $4`,
        [user, action, since, limit],
      )
      return newest.toReversed()
    },
    prune: createPruning(client, { table: "audit", key: "id", condition: "at < $1" }, ({ send }, before: number) =>
      send("UPDATE audit_retention SET since = greatest(since, $1)", [before]),
    ),
  }
}

/** Writes audit entries in the commit of the change that they describe. */
export function writeAudit({ send }: Transaction, ...entries: readonly (AuditEntry | undefined)[]) {
  for (const entry of entries) {
    if (entry === undefined) continue
    const { at, action, who, whom, way, address, count, detail } = entry
    send(
      "INSERT INTO audit (at, action, who, whom, way, address, count, detail) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
      [at, action, who, whom, way, address, count, detail],
    )
  }
}
