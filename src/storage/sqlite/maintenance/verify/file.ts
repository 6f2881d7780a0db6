import { Database } from "bun:sqlite"
import { sha256 } from "../../../../domain/text.ts"
import type { Damage } from "../../../verify/damage.ts"
import { migrate } from "../../database/migrate.ts"
import { schemaHash } from "../../database/migrations.ts"
import type { Subject } from "./check.ts"

/** SQLite's own check of pages, indexes, and the constraints of the tables. */
export function* damage({ client }: Subject): Generator<Damage> {
  for (const { integrity_check: fault } of client
    .query<{ integrity_check: string }, []>("PRAGMA integrity_check")
    .iterate())
    if (fault !== "ok") yield { check: "file", fault }
}

interface DanglingKey {
  readonly table: string
  readonly rowid: number | null
  readonly parent: string
}

/** Rows that name a row which does not exist. */
export function* danglingKeys({ client }: Subject): Generator<Damage> {
  for (const { table, rowid, parent } of client.query<DanglingKey, []>("PRAGMA foreign_key_check").iterate())
    yield { check: "foreign keys", fault: `row ${rowid} of ${table} names a row of ${parent} that does not exist` }
}

interface Part {
  readonly type: string
  readonly name: string
  readonly sql: string
}

/** Tables, indexes and triggers that differ from what the migrations create, are missing, or do not belong here. */
export function* strangeSchema(subject: Subject): Generator<Damage> {
  const { found, expected } = schemaOf(subject)
  yield* changes(found, expected)
  for (const name of found.keys())
    if (!expected.has(name)) yield { check: "schema", fault: `${name} does not belong here` }
}

/** The same without tables, indexes and triggers that somebody added, since they do no harm. */
export function* changedSchema(subject: Subject): Generator<Damage> {
  const { found, expected } = schemaOf(subject)
  yield* changes(found, expected)
}

/** The SQL of each table, index and trigger, by type and name. */
type Schema = ReadonlyMap<string, string>

/** A schema with the expected hash is the expected one; otherwise the migrations build it in memory to compare. */
function schemaOf({ client }: Subject): { found: Schema; expected: Schema } {
  const found = partsOf(client)
  if (hashOf(found) === schemaHash) return { found, expected: found }
  using model = new Database(":memory:")
  migrate(model, 0)
  return { found, expected: partsOf(model) }
}

export const hashOfSchema = (client: Database): string => hashOf(partsOf(client))

const hashOf = (schema: Schema): string => sha256(JSON.stringify([...schema]))

function* changes(found: Schema, expected: Schema): Generator<Damage> {
  for (const [name, sql] of expected) {
    if (!found.has(name)) yield { check: "schema", fault: `${name} is missing` }
    else if (found.get(name) !== sql) yield { check: "schema", fault: `${name} is not as this version makes it` }
  }
}

function partsOf(client: Database): Schema {
  const parts = client
    .query<Part, []>("SELECT type, name, sql FROM sqlite_schema WHERE name NOT GLOB 'sqlite_*' ORDER BY type, name")
    .all()
  return new Map(parts.map(({ type, name, sql }) => [`${type} ${name}`, sql]))
}
