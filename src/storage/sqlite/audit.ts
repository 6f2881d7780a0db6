import type { AuditEntry, AuditRecord } from "../../domain/model.ts"
import type { AuditStore } from "../../domain/store.ts"
import { openClient } from "./database/client.ts"
import type { Connection } from "./database/connection.ts"
import { createPruning } from "./database/pruning.ts"

export function createAuditStore(connection: Connection): AuditStore {
  const { client, write } = connection
  const writeAudit = createAuditWriter(connection)
  const newest = client.prepare<AuditRecord, [Record<string, string | number | null>]>(
    `SELECT * FROM audit
     WHERE ($user IS NULL OR who = $user OR whom = $user)
       AND ($action IS NULL OR action = $action)
       AND at >= $since
     ORDER BY id DESC LIMIT $limit`,
  )
  const endRetention = client.prepare<unknown, [number]>("UPDATE audit_retention SET since = max(since, ?)")

  return {
    append: async (entries) => write(() => entries.forEach(writeAudit)),
    list: async ({ user = null, action = null, since = 0, limit }) =>
      newest.all({ user, action, since, limit }).reverse(),
    prune: createPruning(connection, { table: "audit", key: "id", condition: "at < ?1" }, (before: number) =>
      endRetention.run(before),
    ),
  }
}

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
