import init from "../../../../drizzle/postgres/0000_init.sql" with { type: "text" }
import references from "../../../../drizzle/postgres/0001_references.sql" with { type: "text" }
import addedPoints from "../../../../drizzle/postgres/0002_added_points.sql" with { type: "text" }
import money from "../../../../drizzle/postgres/0003_money.sql" with { type: "text" }
import birthdays from "../../../../drizzle/postgres/0004_birthdays.sql" with { type: "text" }
import programme from "../../../../drizzle/postgres/0005_programme.sql" with { type: "text" }
import managers from "../../../../drizzle/postgres/0006_managers.sql" with { type: "text" }
import wishes from "../../../../drizzle/postgres/0007_wishes.sql" with { type: "text" }
import duties from "../../../../drizzle/postgres/0008_duties.sql" with { type: "text" }
import occasions from "../../../../drizzle/postgres/0009_occasions.sql" with { type: "text" }
import languages from "../../../../drizzle/postgres/0010_languages.sql" with { type: "text" }
import push from "../../../../drizzle/postgres/0011_push.sql" with { type: "text" }
import pushSessions from "../../../../drizzle/postgres/0012_push_sessions.sql" with { type: "text" }
import auditValues from "../../../../drizzle/postgres/0013_audit_values.sql" with { type: "text" }
import jobLanes from "../../../../drizzle/postgres/0014_job_lanes.sql" with { type: "text" }
import occasionDays from "../../../../drizzle/postgres/0015_occasion_days.sql" with { type: "text" }
import auditJoined from "../../../../drizzle/postgres/0016_audit_joined.sql" with { type: "text" }
import history from "../../../../drizzle/postgres/0017_history.sql" with { type: "text" }
import providedSessions from "../../../../drizzle/postgres/0018_provided_sessions.sql" with { type: "text" }
import searchKeys from "../../../../drizzle/postgres/0019_search_keys.sql" with { type: "text" }
import mailCauses from "../../../../drizzle/postgres/0020_mail_causes.sql" with { type: "text" }
import renames from "../../../../drizzle/postgres/0021_renames.sql" with { type: "text" }
import { sha256 } from "../../../domain/text.ts"
import { type Applied, type Migration, missingAmong } from "../../migrations.ts"
import { DatabaseUnusable } from "../../open-store.ts"
import type { Client, Queries } from "./client.ts"
import { grantSchema } from "./errors.ts"

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

/** "rwds": the number of the lock under which a database is migrated. */
const lockNumber = 1920427123

/** How long a migration may take, in all. */
const patienceMs = 3_600_000

interface Options {
  readonly now: number
  readonly known?: readonly Migration[]
  /** Called before each step unless the database is new, because migrating a large one takes minutes. */
  readonly tell?: (text: string) => void
}

/**
 * Applies the missing migrations, all in one transaction, and returns their tags. Safe when several processes start at
 * once: the first one to get the lock applies them, the others find nothing missing.
 * @throws DatabaseUnusable when the schema is another program's, or another version's
 */
export async function migrate(
  client: Client,
  { now, known = migrations, tell = () => {} }: Options,
): Promise<string[]> {
  if ((await missingFrom(client, known)).length === 0) return []
  let missing: readonly Migration[] = []
  await client.script(async (queries) => {
    await queries.query(`SELECT pg_advisory_xact_lock(${lockNumber})`)
    missing = await missingFrom(queries, known)
    if (missing.length === 0) return null
    if (missing.length < known.length) for (const { tag } of missing) tell(`applying ${tag}`)
    const create = missing.length === known.length ? createTable : ""
    return create + missing.map(({ tag, sql }) => `${sql}\n${recordOf(tag, sql, now)}`).join("\n")
  }, patienceMs)
  return missing.map(({ tag }) => tag)
}

/** The comment on the table `migrations`, which tells it from the table of another program. */
const owner = "migrations of rewards"

const createTable = `
  CREATE TABLE migrations (
    tag text COLLATE "C" PRIMARY KEY, sha256 text COLLATE "C" NOT NULL, applied_at bigint NOT NULL);
  COMMENT ON TABLE migrations IS '${owner}';
`

const recordOf = (tag: string, sql: string, now: number): string =>
  `INSERT INTO migrations (tag, sha256, applied_at) VALUES ('${tag}', '${sha256(sql)}', ${now});`

/** The migrations of `known` that the schema lacks. Changes nothing.
 *  @throws DatabaseUnusable when the schema is another program's, or another version's */
export async function missingFrom(
  queries: Queries,
  known: readonly Migration[] = migrations,
): Promise<readonly Migration[]> {
  return missingAmong(await appliedTo(queries), known)
}

interface Contents {
  readonly schema: string | null
  /** The comment on the table `migrations`; null without one. */
  readonly owner: string | null
  /** Tables of the schema that belong to no extension. */
  readonly tables: number
  readonly user: string
  /** A table of the schema that the user may not read. */
  readonly unreadable: string | null
}

/** The migrations that the schema records.
 *  @throws DatabaseUnusable when it holds tables of another program, or the user may not read them */
export async function appliedTo(queries: Queries): Promise<readonly Applied[]> {
  const [contents] = await queries.query<Contents>(`
    SELECT current_schema() AS schema,
      (SELECT obj_description(oid, 'pg_class') FROM pg_class
       WHERE relnamespace = to_regnamespace(current_schema()) AND relname = 'migrations') AS owner,
      (SELECT count(*) FROM pg_class
       WHERE relnamespace = to_regnamespace(current_schema()) AND relkind IN ('r', 'p', 'v', 'm', 'f')
         AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')) AS tables,
      current_user AS "user",
      (SELECT min(relname) FROM pg_class
       WHERE relnamespace = to_regnamespace(current_schema()) AND relkind = 'r'
         AND NOT has_table_privilege(oid, 'SELECT')) AS unreadable`)
  if (contents === undefined) throw new Error("the server says nothing of the schema")
  const { user, schema, tables, unreadable } = contents
  if (contents.owner === owner && unreadable !== null)
    throw new DatabaseUnusable(
      `the user ${user} in db.url may not read the table ${unreadable}; make it the owner of all tables: REASSIGN OWNED BY … TO "${user}"`,
    )
  if (contents.owner === owner) return queries.query<Applied>("SELECT tag, sha256 FROM migrations ORDER BY tag")
  if (schema === null)
    throw new DatabaseUnusable(
      `the search_path of the user ${user} in db.url names no schema that it may use; create the schema public, or run: ${grantSchema(user)}`,
    )
  if (tables > 0)
    throw new DatabaseUnusable(`its schema ${schema} holds tables of another program; name an empty database in db.url`)
  return []
}
