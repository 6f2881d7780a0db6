import { Database } from "bun:sqlite"
import { existsSync } from "node:fs"
import { sha256 } from "../../../domain/text.ts"
import { countOf, type Reads } from "../../database.ts"
import type { VerifyRequest } from "../../maintenance.ts"
import { DatabaseUnusable, nothingYet } from "../../open-store.ts"
import { sql } from "../../sql.ts"
import { tableFaults } from "../../verify/tables.ts"
import { type Damage, ledgerFaults, type Schema, schemaChanges, type Verification } from "../../verify/verification.ts"
import { openClient, refuseForeign } from "../database/client.ts"
import { readsOn } from "../database/database.ts"
import { sqliteCodeOf } from "../database/errors.ts"
import { migrate, migrations, missingFrom, schemaHash } from "../database/migrations.ts"
import { acceptWatermark, behindWatermark, type FoundWatermark, readWatermark, recordsAny } from "./watermark.ts"

/** What a check reads: the database as it is, and the watermark beside it. */
interface Subject extends Pick<VerifyRequest, "onProgress" | "anchoring"> {
  readonly client: Database
  /** Null when there is none, as beside a backup. */
  readonly watermark: FoundWatermark
}

/** A check, which may report under several names. It reads one snapshot of the database. */
type Check = (subject: Subject, reads: Reads) => Iterable<Damage> | AsyncIterable<Damage>

const ledger: Check = ({ onProgress, anchoring }, reads) => ledgerFaults(reads, { onProgress, anchoring })

const checks: readonly Check[] = [
  damage,
  danglingKeys,
  strangeSchema,
  ledger,
  (_, reads) => tableFaults(reads),
  watermarkFaults,
]
/** The checks of a start: they ignore tables that somebody has added. */
const contentChecks: readonly Check[] = [damage, changedSchema, danglingKeys, ledger]
/** For a database that lacks migrations: SQLite's own checks, because its tables may differ. */
const earlierVersionChecks: readonly Check[] = [damage, danglingKeys]
/** For a database without any table. */
const newDatabaseChecks: readonly Check[] = [damage, emptyBehindWatermark]

interface Request extends VerifyRequest {
  readonly path: string
}

/**
 * `rewards verify`: checks a database file without migrating it. A server may have it open. The file may also be one
 * that no server accepts, because it is behind its watermark.
 * @throws DatabaseUnusable when there is no such file, or it is another program's or a newer version's
 */
export async function verifyFile({ path, accepts, onProgress, anchoring }: Request): Promise<Verification> {
  if (!existsSync(path)) return verifyMissing(path, accepts)
  refuseForeign(path)
  const watermark = readWatermark(path) // before the database, which may grow meanwhile
  const client = openClient(path, { create: false })
  try {
    client.run("PRAGMA busy_timeout = 5000")
    client.run("BEGIN") // one snapshot, so that the count fits what the checks saw
    const findings = await Array.fromAsync(verify(client, watermark, { onProgress, anchoring }))
    const missing = missingFrom(client).length
    if (missing === migrations.length && findings.length === 0 && !accepts) throw nothingYet()
    const isDamaged = findings.some(({ check }) => check === "file")
    const transactions = isDamaged ? null : missing < migrations.length ? await countIn(client) : 0
    if (client.inTransaction) client.run("ROLLBACK")
    if (accepts) acceptWatermark(missing === 0 ? client : null, path)
    return { transactions, findings }
  } finally {
    client.close()
  }
}

function verifyMissing(path: string, accepts: boolean): Verification {
  if (!recordsAny(readWatermark(path))) throw new DatabaseUnusable("there is no such file")
  if (accepts) acceptWatermark(null, path)
  return {
    transactions: 0,
    findings: [{ check: "watermark", fault: "all transactions are missing: there is no such file" }],
  }
}

/**
 * Checks an open database for damage and lost transactions. Writes nothing and does not block writers.
 * @throws DatabaseUnusable when it is another program's or a newer version's
 */
export async function* verify(
  client: Database,
  watermark: FoundWatermark,
  options: Pick<Subject, "onProgress" | "anchoring"> = {},
): AsyncGenerator<Damage> {
  const missing = missingFrom(client).length
  const wanted = missing === 0 ? checks : missing < migrations.length ? earlierVersionChecks : newDatabaseChecks
  yield* findings({ client, watermark, ...options }, wanted)
}

/**
 * The integrity check at a start: reads a database of up to `verifyMb` megabytes completely. Without it, a flipped bit
 * would make a number wrong or a list shorter, and nobody would notice.
 * @throws DatabaseUnusable when it is damaged or contradicts itself
 */
export async function refuseDamaged(client: Database, verifyMb: number) {
  if (!isVerifiedAtStart(client, verifyMb)) return
  for await (const fault of contentFaults(client)) throw new DatabaseUnusable(`it is damaged (${fault}); ${remedies}`)
  client.run("PRAGMA shrink_memory") // the check has filled the page cache, and few of these pages are needed soon
}

export const isVerifiedAtStart = (client: Database, verifyMb: number): boolean =>
  bytesOf(client) <= verifyMb * 1_000_000

/** Faults in the data that is served, each on one line. Requires a database that is up to date. */
export async function* contentFaults(client: Database): AsyncGenerator<string> {
  for await (const { check, fault } of findings({ client, watermark: null }, contentChecks))
    yield `${check}: ${fault.replaceAll(/\s+/g, " ")}`
}

/** Everything that is wrong with a database that is up to date. */
export const faults = (subject: Subject): AsyncGenerator<Damage> => findings(subject, checks)

/** Each check reads one snapshot: that of the caller's transaction, or else its own. */
async function* findings(subject: Subject, checks: readonly Check[]): AsyncGenerator<Damage> {
  const { client } = subject
  const reads = readsOn(client)
  for (const check of checks) {
    const isOwn = !client.inTransaction
    if (isOwn) client.run("BEGIN")
    try {
      yield* check(subject, reads)
    } catch (error) {
      if (!sqliteCodeOf(error).startsWith("SQLITE_")) throw error
      yield { check: "file", fault: `it cannot be read: ${String(error)}` }
    } finally {
      if (isOwn && client.inTransaction) client.run("ROLLBACK")
    }
  }
}

/** The database has every transaction that the watermark records. */
function* watermarkFaults({ client, watermark }: Subject): Generator<Damage> {
  const fault = behindWatermark(client, watermark)
  if (fault !== null) yield { check: "watermark", fault }
}

function* emptyBehindWatermark({ watermark }: Subject): Generator<Damage> {
  if (recordsAny(watermark)) yield { check: "watermark", fault: "all transactions are missing: the database is empty" }
}

/** Number of transactions. */
export const countIn = (client: Database): Promise<number> => countOf(readsOn(client), sql`transactions`)

/** Size of the database, without its WAL. */
export const bytesOf = (client: Database): number =>
  client
    .query<{ bytes: number }, []>("SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size")
    .get()?.bytes ?? 0

const remedies =
  "restore a backup with `rewards restore FILE`, or look with `rewards verify`; with db.verify_mb = 0 it is served " +
  "as it is"

/** SQLite's own check of pages, indexes, and the constraints of the tables. */
function* damage({ client }: Subject): Generator<Damage> {
  for (const { integrity_check: fault } of client
    .query<{ integrity_check: string }, []>("PRAGMA integrity_check")
    .iterate())
    if (fault !== "ok") yield { check: "file", fault }
}

interface DanglingKey {
  readonly table: string
  /** Null in a table WITHOUT ROWID. */
  readonly rowid: number | null
  readonly parent: string
}

/** Rows that name a row which does not exist. */
function* danglingKeys({ client }: Subject): Generator<Damage> {
  for (const { table, rowid, parent } of client.query<DanglingKey, []>("PRAGMA foreign_key_check").iterate()) {
    const row = rowid === null ? "a row" : `row ${rowid}`
    yield { check: "foreign keys", fault: `${row} of ${table} names a row of ${parent} that does not exist` }
  }
}

interface Part {
  readonly type: string
  readonly name: string
  readonly sql: string
}

/** Tables, indexes and triggers that differ from what the migrations create, are missing, or do not belong here. */
function* strangeSchema(subject: Subject): Generator<Damage> {
  const { found, expected } = schemaOf(subject)
  yield* schemaChanges(found, expected)
  for (const name of found.keys())
    if (!expected.has(name)) yield { check: "schema", fault: `${name} does not belong here` }
}

/** The same without tables, indexes and triggers that somebody added, since they do no harm. */
function* changedSchema(subject: Subject): Generator<Damage> {
  const { found, expected } = schemaOf(subject)
  yield* schemaChanges(found, expected)
}

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

function partsOf(client: Database): Schema {
  const parts = client
    .query<Part, []>("SELECT type, name, sql FROM sqlite_schema WHERE name NOT GLOB 'sqlite_*' ORDER BY type, name")
    .all()
  return new Map(parts.map(({ type, name, sql }) => [`${type} ${name}`, sql]))
}
