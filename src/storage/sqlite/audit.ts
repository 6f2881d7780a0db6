import type { AuditEntry } from "../../domain/audit/ports.ts"
import { writeAudit } from "../audit.ts"
import { openClient } from "./database/client.ts"
import { senderOn } from "./database/database.ts"

/**
 * Writes an entry into a database without migrating it. Does nothing when the database is too old to have an audit log.
 */
export function appendAuditEntry(path: string, entry: AuditEntry) {
  const client = openClient(path, { create: false })
  try {
    client.run("PRAGMA busy_timeout = 5000")
    const hasAuditLog =
      client.query("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'audit'").get() !== null
    if (hasAuditLog) writeAudit(senderOn(client), entry)
  } finally {
    client.close()
  }
}
