import { type DiagnosisRequest, readDiagnosis, type ServerDiagnosis, type Standby } from "../../diagnosis.ts"
import type { Client, Queries } from "../database/client.ts"
import { createDatabase } from "../database/database.ts"
import { migrations, missingFrom } from "../database/migrations.ts"

/** Reads facts about the server and the database. Changes nothing. */
export async function diagnose(client: Client, request: DiagnosisRequest): Promise<ServerDiagnosis> {
  const missing = await missingFrom(client)
  const [server, standbys, clockDifferenceMs] = await Promise.all([
    serverFacts(client),
    standbysOf(client),
    clockDifference(client),
  ])
  const isNew = missing.length === migrations.length
  return {
    ...server,
    standbys,
    clockDifferenceMs,
    isNew,
    pending: isNew ? [] : missing.map(({ tag }) => tag),
    contents: missing.length > 0 ? null : await readDiagnosis(createDatabase(client), request),
  }
}

type Facts = Omit<ServerDiagnosis, "standbys" | "clockDifferenceMs" | "isNew" | "pending" | "contents">

async function serverFacts({ query }: Queries): Promise<Facts> {
  const [facts] = await query<Facts>(`
    SELECT current_setting('server_version') AS version, current_user AS "user",
      pg_database_size(current_database()) AS bytes,
      has_schema_privilege(current_schema(), 'CREATE') AND NOT EXISTS (
        SELECT FROM pg_class WHERE relnamespace = to_regnamespace(current_schema()) AND relkind = 'r'
          AND NOT pg_has_role(relowner, 'USAGE')) AS "mayMigrate",
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true), '0')::int AS "maxConnections",
      (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend')::int AS "usedConnections",
      (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = current_setting('application_name')
         AND query ILIKE 'LISTEN%')::int AS processes,
      current_setting('synchronous_commit') AS "synchronousCommit",
      (SELECT source FROM pg_settings WHERE name = 'synchronous_commit') AS "synchronousCommitFrom",
      current_setting('fsync') AS fsync,
      current_setting('full_page_writes') AS "fullPageWrites",
      current_setting('synchronous_standby_names') AS "synchronousStandbys"`)
  if (facts === undefined) throw new Error("the server says nothing of itself")
  return facts
}

/** Null when this user may not see them. */
async function standbysOf({ query }: Queries): Promise<readonly Standby[] | null> {
  const [right] = await query<{ sees: boolean }>("SELECT pg_has_role('pg_monitor', 'USAGE') AS sees")
  if (!right?.sees) return null
  return query<Standby>(`
    SELECT application_name AS name, coalesce(state, '') AS state, coalesce(sync_state, '') AS sync,
      (extract(epoch FROM flush_lag) * 1000)::bigint AS "lagMs"
    FROM pg_stat_replication ORDER BY application_name`)
}

/** How far the server's clock is ahead of this machine's, by the quickest of three answers. */
async function clockDifference({ query }: Queries): Promise<number> {
  const answers: { ms: number; difference: number }[] = []
  for (let count = 0; count < 3; count += 1) {
    const [before, begun] = [Date.now(), Bun.nanoseconds()]
    const [row] = await query<{ now: number }>("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now")
    const ms = (Bun.nanoseconds() - begun) / 1e6
    answers.push({ ms, difference: (row?.now ?? 0) - before - ms / 2 })
  }
  return answers.toSorted((one, other) => one.ms - other.ms)[0]?.difference ?? 0
}
