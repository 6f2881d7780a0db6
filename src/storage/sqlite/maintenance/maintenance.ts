import type { Database } from "bun:sqlite"
import { existsSync } from "node:fs"
import type { AuditEntry } from "../../../domain/audit/ports.ts"
import { writeAudit } from "../../audit.ts"
import type { FileMaintenance } from "../../maintenance.ts"
import { openClient, openExclusively, refuseForeign } from "../database/client.ts"
import { senderOn } from "../database/database.ts"
import { closeAfter } from "../database/failed-sync.ts"
import { createPrivateFile, linkTargetOf } from "../database/files.ts"
import { lockExclusive } from "../database/lock.ts"
import { backUp, usingBackup } from "./backup.ts"
import { createBackupFolder } from "./backup-schedule.ts"
import { usingSource, usingTarget } from "./copy.ts"
import { diagnose } from "./diagnose.ts"
import { rehearseUpgrade } from "./rehearsal.ts"
import { restore } from "./restore.ts"
import { verifyFile } from "./verify.ts"
import { refuseMissing, removeWatermark } from "./watermark.ts"

/** `Maintenance` of the database file at this path. */
export const maintenanceOf = (path: string): FileMaintenance => ({
  kind: "file",
  verify: async (request) => verifyFile({ path, ...request }),
  reset: async () => resetDatabase(path),
  asSource: (work) => usingSource(path, work),
  asTarget: (work) => usingTarget(path, work),
  recordAudit: async (entry) => appendAuditEntry(path, entry),
  refuseLost: () => refuseMissing(path),
  async diagnose(request) {
    refuseMissing(path)
    return existsSync(path) ? diagnose({ path, ...request }) : null
  },
  backUp: (request) => backUp({ path, ...request }),
  rehearseUpgrade: (now) => rehearseUpgrade(path, now),
  usingBackup: (now, work) => usingBackup(path, now, work),
  backupFolder: (dir) => createBackupFolder({ path, dir }),
  restore: (request) => restore({ path, ...request }),
})

/**
 * Drops everything in the database, so that the next start finds an empty one. Creates the file if there is none. No other
 * process may have it open, not even after the file was removed: its data would vanish while that process runs.
 * @throws DatabaseUnusable when it is another program's, another process has it open, or it is missing although its
 *   watermark is there; nothing is dropped then. Errors of SQLite are passed on; `asUnusable` translates them.
 */
export function resetDatabase(path: string): void {
  refuseForeign(path)
  const lock = lockExclusive(path)
  try {
    refuseMissing(path)
    if (!existsSync(path)) createPrivateFile(linkTargetOf(path), path)
    const client = openExclusively(path)
    try {
      for (const step of resetSteps) step(client)
    } finally {
      client.close()
    }
  } finally {
    lock.release()
  }
}

/** In this order. After each step the file opens, as the old database or as a new one, so a crash does no harm. */
export const resetSteps: readonly ((client: Database) => void)[] = [dropWatermark, dropAll, vacuum, removeApplicationId]

/** The first step, because the watermark would report the dropped transactions as missing. */
function dropWatermark(client: Database) {
  removeWatermark(client.filename)
}

function dropAll(client: Database) {
  client.run("PRAGMA foreign_keys = OFF")
  const drop = client.transaction(() => {
    for (const { type, name } of tablesAndViews(client)) {
      // An empty table `migrations` says that no migration was applied. It goes in the last step, with the application
      // id: without the id, SQLite's own tables would look like another program's until VACUUM has removed them.
      const isRecord = name === "migrations"
      client.run(isRecord ? "DELETE FROM migrations" : `DROP ${type} "${name.replaceAll('"', '""')}"`)
    }
  })
  drop.exclusive()
}

/** Frees the disk space, and removes SQLite's own tables. */
function vacuum(client: Database) {
  client.run("VACUUM")
}

function removeApplicationId(client: Database) {
  const remove = client.transaction(() => {
    client.run("DROP TABLE IF EXISTS migrations")
    client.run("PRAGMA application_id = 0")
    client.run("PRAGMA user_version = 0")
  })
  remove.exclusive()
}

/** Dropping these drops their indexes and triggers too. */
const tablesAndViews = (client: Database): { type: string; name: string }[] =>
  client
    .query<{ type: string; name: string }, []>(
      "SELECT type, name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT GLOB 'sqlite_*'",
    )
    .all()

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
  } catch (error) {
    closeAfter(error, client)
    throw error
  }
  client.close()
}
