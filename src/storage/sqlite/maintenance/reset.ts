import type { Database } from "bun:sqlite"
import { existsSync } from "node:fs"
import { dirname } from "node:path"
import { openExclusively, refuseForeign } from "../database/client.ts"
import { DatabaseUnusable } from "../database/errors.ts"
import { lockAlone, lockPathOf } from "../database/lock.ts"
import { removeWatermark } from "./watermark.ts"

/**
 * Drops everything in the database, so that the next opening finds it new. Nobody else may have it open meanwhile:
 * the file stays the same, and what is in it would vanish under them.
 * @throws DatabaseUnusable when there is no such file, it is another program's, or another process has it open;
 *   nothing is dropped then. SQLite's own errors stand for what `asUnusable` makes of them.
 */
export function resetDatabase(path: string): void {
  // Without its lock file nobody serves it either.
  if (!existsSync(path) && !(existsSync(dirname(path)) && existsSync(lockPathOf(path)))) throw missing()
  refuseForeign(path)
  const lock = lockAlone(path)
  try {
    if (!existsSync(path)) throw missing()
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

const missing = () => new DatabaseUnusable("there is no such file")

/** In order. Each leaves a file that opens as a new database: a crash in between does no harm. */
export const resetSteps: readonly ((client: Database) => void)[] = [forgetRecorded, dropAll, vacuum, forgetOwner]

/** What is missing then was dropped on purpose. */
function forgetRecorded(client: Database) {
  removeWatermark(client.filename)
}

function dropAll(client: Database) {
  client.run("PRAGMA foreign_keys = OFF")
  const drop = client.transaction(() => {
    for (const { type, name } of tablesAndViews(client)) {
      // Emptied, it says that nothing was applied; gone, SQLite's own tables would look like another program's.
      const isRecord = name === "migrations"
      client.run(isRecord ? "DELETE FROM migrations" : `DROP ${type} "${name.replaceAll('"', '""')}"`)
    }
  })
  drop.exclusive()
}

/** Gives the disk back, and takes SQLite's own tables away. */
function vacuum(client: Database) {
  client.run("VACUUM")
}

function forgetOwner(client: Database) {
  const forget = client.transaction(() => {
    client.run("DROP TABLE IF EXISTS migrations")
    client.run("PRAGMA application_id = 0")
    client.run("PRAGMA user_version = 0")
  })
  forget.exclusive()
}

/** Indexes and triggers go with them. */
const tablesAndViews = (client: Database): { type: string; name: string }[] =>
  client
    .query<{ type: string; name: string }, []>(
      "SELECT type, name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT GLOB 'sqlite_*'",
    )
    .all()
