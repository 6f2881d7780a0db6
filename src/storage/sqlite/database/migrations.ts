import type { Database } from "bun:sqlite"
import init from "../../../../drizzle/0000_init.sql" with { type: "text" }
import references from "../../../../drizzle/0001_references.sql" with { type: "text" }
import addedPoints from "../../../../drizzle/0002_added_points.sql" with { type: "text" }
import money from "../../../../drizzle/0003_money.sql" with { type: "text" }
import birthdays from "../../../../drizzle/0004_birthdays.sql" with { type: "text" }
import programme from "../../../../drizzle/0005_programme.sql" with { type: "text" }
import managers from "../../../../drizzle/0006_managers.sql" with { type: "text" }
import wishes from "../../../../drizzle/0007_wishes.sql" with { type: "text" }
import duties from "../../../../drizzle/0008_duties.sql" with { type: "text" }
import occasions from "../../../../drizzle/0009_occasions.sql" with { type: "text" }
import languages from "../../../../drizzle/0010_languages.sql" with { type: "text" }
import push from "../../../../drizzle/0011_push.sql" with { type: "text" }
import pushSessions from "../../../../drizzle/0012_push_sessions.sql" with { type: "text" }
import auditValues from "../../../../drizzle/0013_audit_values.sql" with { type: "text" }
import jobLanes from "../../../../drizzle/0014_job_lanes.sql" with { type: "text" }
import occasionDays from "../../../../drizzle/0015_occasion_days.sql" with { type: "text" }
import auditJoined from "../../../../drizzle/0016_audit_joined.sql" with { type: "text" }
import history from "../../../../drizzle/0017_history.sql" with { type: "text" }
import providedSessions from "../../../../drizzle/0018_provided_sessions.sql" with { type: "text" }
import searchKeys from "../../../../drizzle/0019_search_keys.sql" with { type: "text" }
import mailCauses from "../../../../drizzle/0020_mail_causes.sql" with { type: "text" }
import renames from "../../../../drizzle/0021_renames.sql" with { type: "text" }
import { sha256 } from "../../../domain/text.ts"
import { type Applied, type Migration, missingAmong } from "../../migrations.ts"
import { DatabaseUnusable } from "../../open-store.ts"
import { foreignDatabase } from "./errors.ts"

/** In the order in which they are applied. A published migration is never edited, because databases store its hash. */
export const migrations = [
  { tag: "0000_init", sql: init },
  { tag: "0001_references", sql: references },
  { tag: "0002_added_points", sql: addedPoints },
  { tag: "0003_money", sql: money },
  { tag: "0004_birthdays", sql: birthdays },
  { tag: "0005_programme", sql: programme },
  { tag: "0006_managers", sql: managers },
  { tag: "0007_wishes", sql: wishes },
  { tag: "0008_duties", sql: duties },
  { tag: "0009_occasions", sql: occasions },
  { tag: "0010_languages", sql: languages },
  { tag: "0011_push", sql: push },
  { tag: "0012_push_sessions", sql: pushSessions },
  { tag: "0013_audit_values", sql: auditValues },
  { tag: "0014_job_lanes", sql: jobLanes },
  { tag: "0015_occasion_days", sql: occasionDays },
  { tag: "0016_audit_joined", sql: auditJoined },
  { tag: "0017_history", sql: history },
  { tag: "0018_provided_sessions", sql: providedSessions },
  { tag: "0019_search_keys", sql: searchKeys },
  { tag: "0020_mail_causes", sql: mailCauses },
  { tag: "0021_renames", sql: renames },
]

/**
 * SHA-256, hex, of the schema that the migrations make, as `hashOfSchema` computes it. After a change,
 * migrations.test.ts prints the new hash. It is stored here, because building the schema to compare took a tenth of every
 * start.
 */
export const schemaHash = "6c0a95b03bc678e0d7d1b8a0aecd250b47458e9db2e8db19f259e858788bbb1a"

/** "rwds": the first migration writes this id into the file's header. */
export const applicationId = 1920427123

/**
 * Applies the missing migrations and returns their tags. Safe when several processes start at once: the first one to
 * get the write lock applies them, the others find nothing missing. Not Drizzle's migrator: it decides by time stamps,
 * under a lock that two processes can hold, with foreign keys on while tables are rebuilt. `tell` is called before each
 * step unless the database is new, because migrating a large database takes minutes.
 */
export function migrate(
  client: Database,
  now: number,
  known: readonly Migration[] = migrations,
  tell: (text: string) => void = () => {},
): string[] {
  if (missingFrom(client, known).length === 0) return []

  client.run("PRAGMA foreign_keys = OFF") // has no effect inside a transaction
  client.run("BEGIN IMMEDIATE")
  try {
    const missing = pending(client, known)
    const isUpgrade = missing.length > 0 && missing.length < known.length
    const tellStep = isUpgrade ? tell : () => {}
    client.run(`CREATE TABLE IF NOT EXISTS migrations (
      tag TEXT PRIMARY KEY, sha256 TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT`)
    for (const { tag, sql } of missing) {
      tellStep(`applying ${tag}`)
      client.run(sql)
      client.run("INSERT INTO migrations (tag, sha256, applied_at) VALUES (?, ?, ?)", [tag, sha256(sql), now])
    }
    tellStep("checking foreign keys")
    if (client.query("PRAGMA foreign_key_check").get()) throw new Error("a migration broke a foreign key")
    tellStep("writing to the disk")
    client.run("COMMIT")
    return missing.map(({ tag }) => tag)
  } catch (error) {
    if (client.inTransaction) client.run("ROLLBACK")
    throw error
  } finally {
    client.run("PRAGMA foreign_keys = ON")
  }
}

/**
 * The migrations of `known` that the database lacks. Reads from one snapshot, because another process may be migrating.
 * Writes nothing and does not block writers.
 * @throws DatabaseUnusable when the file is another program's, or another version's
 */
export function missingFrom(client: Database, known: readonly Migration[] = migrations): readonly Migration[] {
  return client.transaction(() => pending(client, known))()
}

const pending = (client: Database, known: readonly Migration[]): readonly Migration[] =>
  missingAmong(appliedTo(client), known)

/** The migrations that the file records. @throws DatabaseUnusable when it is another program's */
export function appliedTo(client: Database): Applied[] {
  const owner = client.query<{ application_id: number }, []>("PRAGMA application_id").get()?.application_id
  if (owner === applicationId) return client.query<Applied, []>("SELECT tag, sha256 FROM migrations ORDER BY tag").all()
  if (owner !== 0 || client.query("SELECT 1 FROM sqlite_schema LIMIT 1").get())
    throw new DatabaseUnusable(foreignDatabase)
  return []
}
