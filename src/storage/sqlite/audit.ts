import type { AuditEntry } from "../../domain/model.ts"
import { openClient } from "./database/client.ts"
import type { Connection } from "./database/connection.ts"

/** Writes an audit entry, if there is one, in the commit of the change that it describes. */
export function createAuditWriter({ client }: Pick<Connection, "client">) {
  const insert = client.prepare(
    "INSERT INTO audit (at, action, who, whom, way, address, count, detail) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
  )
  return (entry: AuditEntry | undefined) => {
    if (!entry) return
    const { at, action, who, whom, way, address, count, detail } = entry
    insert.run(at, action, who, whom, way, address, count, detail)
  }
}

/**
 * Writes an entry into a database without migrating it. Does nothing when the database is too old to have an audit log.
 */
export function appendAuditEntry(path: string, entry: AuditEntry) {
  const client = openClient(path, { create: false })
  try {
    client.run("PRAGMA busy_timeout = 5000")
    const hasAuditLog =
      client.query("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'audit'").get() !== null
    if (hasAuditLog) createAuditWriter({ client })(entry)
  } finally {
    client.close()
  }
}
