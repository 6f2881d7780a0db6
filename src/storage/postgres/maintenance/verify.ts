import type { VerifyRequest } from "../../maintenance.ts"
import { nothingYet, notUpToDate } from "../../open-store.ts"
import { tableFaults } from "../../verify/tables.ts"
import { type Damage, ledgerFaults, type Schema, schemaChanges, type Verification } from "../../verify/verification.ts"
import type { Client, Queries } from "../database/client.ts"
import { readsOn } from "../database/database.ts"
import { migrations, missingFrom } from "../database/migrations.ts"

type VerifyOptions = Pick<VerifyRequest, "onProgress" | "anchoring">

/** Reading ten million transactions takes minutes. */
const patienceMs = 24 * 3_600_000

/**
 * Checks a database for damage, on one snapshot, so processes may write meanwhile. Changes nothing.
 * @throws DatabaseUnusable when it is another program's, or another version's
 */
export async function verify(client: Client, options: VerifyOptions = {}): Promise<Verification> {
  const missing = await missingFrom(client)
  if (missing.length === migrations.length) throw nothingYet()
  if (missing.length > 0) throw notUpToDate("verify")
  return client.snapshot(async (queries) => {
    const findings = await Array.fromAsync(faults(queries, options))
    const [row] = await queries.query<{ count: number }>("SELECT count(*) AS count FROM transactions")
    return { transactions: row?.count ?? 0, findings }
  }, patienceMs)
}

/** Everything that is wrong with a database that is up to date. */
export async function* faults(queries: Queries, options: VerifyOptions = {}): AsyncGenerator<Damage> {
  const reads = readsOn(queries)
  yield* schemaFaults(queries)
  yield* danglingKeys(queries)
  yield* ledgerFaults(reads, options)
  yield* tableFaults(reads)
}

interface Part {
  readonly name: string
  /** The body of a function; empty for anything else. */
  readonly body: string
}

/** Tables, indexes, triggers and functions that the migrations create, by kind and name. */
const expected: Schema = expectedParts()

function expectedParts() {
  const parts = new Map<string, string>()
  for (const { sql } of migrations) {
    for (const [, kind = "", name] of sql.matchAll(/^CREATE (TABLE|INDEX|TRIGGER) (\w+)/gm))
      parts.set(`${kind.toLowerCase()} ${name}`, "")
    for (const [, name, body = ""] of sql.matchAll(/^CREATE (?:OR REPLACE )?FUNCTION (\w+)\(.*?AS \$\$(.*?)\$\$;/gms))
      parts.set(`function ${name}`, body)
    for (const [, name] of sql.matchAll(/^DROP FUNCTION (\w+)/gm)) parts.delete(`function ${name}`)
  }
  return parts
}

/** Parts of the schema that are missing, disabled or changed. Additions do no harm. */
async function* schemaFaults({ query }: Queries): AsyncGenerator<Damage> {
  const parts = await query<Part>(partsOfSchema)
  yield* schemaChanges(new Map(parts.map(({ name, body }) => [name, body])), expected)
}

/** A disabled trigger gets the body `off`, which differs from what is expected. */
const partsOfSchema = `
  SELECT CASE relkind WHEN 'i' THEN 'index ' ELSE 'table ' END || relname AS name, '' AS body
  FROM pg_class WHERE relnamespace = to_regnamespace(current_schema()) AND relkind IN ('r', 'i')
  UNION ALL
  SELECT 'trigger ' || tgname, CASE tgenabled WHEN 'O' THEN '' ELSE 'off' END
  FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
  WHERE relnamespace = to_regnamespace(current_schema()) AND NOT tgisinternal
  UNION ALL
  SELECT 'function ' || proname, prosrc
  FROM pg_proc WHERE pronamespace = to_regnamespace(current_schema())`

interface Key {
  readonly child: string
  readonly column: string
  readonly parent: string
  readonly parentColumn: string
}

/** The foreign keys, with the names for messages and queries, in the order in which they are checked. */
const keysOfSchema = `
  SELECT child.relname AS child, a.attname AS column, parent.relname AS parent, b.attname AS "parentColumn"
  FROM pg_constraint c
    JOIN pg_class child ON child.oid = c.conrelid JOIN pg_class parent ON parent.oid = c.confrelid
    JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
    JOIN pg_attribute b ON b.attrelid = c.confrelid AND b.attnum = c.confkey[1]
  WHERE c.contype = 'f' AND c.connamespace = to_regnamespace(current_schema())
  ORDER BY child.relname, a.attname`

/** A trigger checks these. Foreign keys would lock both users of every transfer. */
const ledgerKeys: readonly Key[] = ["from_id", "user_id"].map((column) => ({
  child: "transactions",
  column,
  parent: "users",
  parentColumn: "id",
}))

/** Rows that name a row which does not exist. A disabled trigger may leave them. */
async function* danglingKeys({ query }: Queries): AsyncGenerator<Damage> {
  for (const { child, column, parent, parentColumn } of [...(await query<Key>(keysOfSchema)), ...ledgerKeys]) {
    const rows = await query<{ named: number }>(
      `SELECT DISTINCT child.${column} AS named FROM ${child} child
       WHERE child.${column} IS NOT NULL
         AND NOT EXISTS (SELECT FROM ${parent} parent WHERE parent.${parentColumn} = child.${column})
       ORDER BY named LIMIT 100`,
    )
    for (const { named } of rows)
      yield {
        check: "foreign keys",
        fault: `${column} ${named} in ${child} names a row of ${parent} that does not exist`,
      }
  }
}
