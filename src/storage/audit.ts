import type { AuditEntry } from "../domain/model.ts"
import type { Tx } from "./database.ts"
import { row, sql } from "./sql.ts"
import { audit } from "./tables.ts"

/** Writes audit entries in the commit of the change that they describe. */
export function writeAudit(tx: Pick<Tx, "send">, ...entries: readonly (AuditEntry | undefined)[]) {
  for (const entry of entries) if (entry !== undefined) tx.send(sql`INSERT INTO ${audit} ${row(audit, entry)}`)
}
