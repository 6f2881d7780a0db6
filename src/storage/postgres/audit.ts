import type { AuditEntry } from "../../domain/model.ts"
import type { Transaction } from "./database/client.ts"

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
