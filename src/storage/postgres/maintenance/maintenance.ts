import type { DatabaseUrl } from "../../../config/database-url.ts"
import { createLog } from "../../../support/log.ts"
import { writeAudit } from "../../audit.ts"
import type { ServerMaintenance } from "../../maintenance.ts"
import { DatabaseUnusable } from "../../open-store.ts"
import type { Client } from "../database/client.ts"
import { senderOn } from "../database/database.ts"
import { appliedTo } from "../database/migrations.ts"
import { usingClient } from "../database/open.ts"
import { targetOf, usingSource } from "./copy.ts"
import { diagnose } from "./diagnose.ts"
import { verify } from "./verify.ts"

const silent = createLog(() => {})

/** `Maintenance` of a PostgreSQL database. */
export function maintenanceOf(url: DatabaseUrl): ServerMaintenance {
  const options = { url, poolSize: 1, log: silent }
  return {
    kind: "server",
    async verify({ accepts, ...request }) {
      if (accepts) throw new DatabaseUnusable("only a database file has a watermark; verify without --accept")
      return usingClient(options, (client) => verify(client, request))
    },
    reset: () => usingClient({ ...options, mode: "exclusive" }, reset),
    asSource: (work) => usingClient({ ...options, mode: "exclusive" }, (client) => usingSource(client, work)),
    asTarget: (work) => usingClient({ ...options, mode: "exclusive" }, (client) => work(targetOf(client))),
    diagnose: (request) => usingClient(options, (client) => diagnose(client, request)),
    recordAudit: (entry) =>
      usingClient(options, (client) => client.transaction(async (tx) => writeAudit(senderOn(tx), entry))),
  }
}

const patienceMs = 600_000

/**
 * Drops every table, view and function in the schema, in one transaction, so that the next start finds an empty schema.
 * Requires that nobody else is connected.
 * @throws DatabaseUnusable when the schema holds tables of another program
 */
async function reset(client: Client): Promise<void> {
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
  SELECT format('DROP VIEW IF EXISTS %s CASCADE', oid::regclass) FROM pg_class
  WHERE relnamespace = to_regnamespace(current_schema()) AND relkind = 'v'
    AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')
  UNION ALL
  SELECT format('DROP FUNCTION IF EXISTS %s CASCADE', oid::regprocedure) FROM pg_proc
  WHERE pronamespace = to_regnamespace(current_schema()) AND prokind = 'f'
    AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')`
