import type { Client } from "../database/client.ts"
import { appliedTo } from "../database/migrate.ts"

const patienceMs = 600_000

/**
 * Drops every table and function in the schema, in one transaction, so that the next start finds an empty one. Nobody else
 * is connected.
 * @throws DatabaseUnusable when it holds tables of another program
 */
export async function reset(client: Client): Promise<void> {
  await client.script(async (queries) => {
    await appliedTo(queries) // refuses tables of another program, but not of another version
    const drops = await queries.query<{ sql: string }>(dropsOfSchema)
    return drops.length === 0 ? null : drops.map(({ sql }) => `${sql};`).join("\n")
  }, patienceMs)
}

const dropsOfSchema = `
  SELECT format('DROP TABLE IF EXISTS %s CASCADE', oid::regclass) AS sql FROM pg_class
  WHERE relnamespace = to_regnamespace(current_schema()) AND relkind IN ('r', 'p')
    AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')
  UNION ALL
  SELECT format('DROP FUNCTION IF EXISTS %s CASCADE', oid::regprocedure) FROM pg_proc
  WHERE pronamespace = to_regnamespace(current_schema()) AND prokind = 'f'
    AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')`
