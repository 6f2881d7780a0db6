import { sha256 } from "../../domain/text.ts"
import type { LedgerEnd } from "../verify/ledger-rows.ts"
import type { Damage, OnProgress } from "../verify/verification.ts"
import { type CopiedTable, comparedTables, ledgerTables, tablesAfterLedger, tablesBeforeLedger } from "./tables.ts"

/** Rows in a page. Each page is one commit. */
const defaultPageLength = 5000
/** Rows between two reports of progress. */
const rowsBetweenReports = 250_000

interface Request {
  readonly source: CopySource
  readonly target: CopyTarget
  readonly now: number
  /** Called with a text at each step, and from time to time during a long one. */
  readonly onProgress: (text: string) => void
  readonly pageLength?: number
}

export interface Copied {
  /** The transactions of the whole copy. */
  readonly transactions: number
  /** Rows that this run wrote; fewer than all when it continued an interrupted run. */
  readonly rows: number
}

/** Which columns of a table to read, and how many rows at once. */
type Plan = (table: CopiedTable) => { readonly columns: readonly string[]; readonly limit: number }

/**
 * Copies everything, verifies both databases, and compares them. An interrupted run continues where it stopped, because
 * every page is one commit, and pages are copied in the order of the key.
 * @throws CopyRefused when a database is damaged or the copy differs from its source, DatabaseUnusable when the target
 *   holds anything but an unfinished copy of the source, SourceFailure for an error of the source
 */
export async function copy({
  source: given,
  target,
  now,
  onProgress,
  pageLength = defaultPageLength,
}: Request): Promise<Copied> {
  const source = withNamedFailures(given)
  await target.refuseFilled()
  onProgress("verifying the source")
  refuseFaults("the source", await source.verify((count) => onProgress(`verified ${count} transactions`)))
  const end = await source.ledgerEnd()
  const all = await source.columns()
  const plan: Plan = ({ name, pageLength: limit = pageLength }) => ({
    columns: all.get(name) ?? [],
    limit,
  })
  const digests = await digestsOf(source, plan)

  await target.begin(fingerprintOf(digests, end), now)
  refuseOtherColumns(await target.columns(), plan)
  const progress = createProgress(onProgress)
  for (const table of tablesBeforeLedger) await copyTable(source, target, table, plan, progress)
  await copyLedger(source, target, plan, end, progress)
  for (const table of tablesAfterLedger) await copyTable(source, target, table, plan, progress)
  onProgress("building what the target makes for itself")
  await target.complete(await source.sequences())

  onProgress("verifying the target")
  refuseFaults("the target", await target.verify((count) => onProgress(`verified ${count} transactions`)))
  const copied = await target.ledgerEnd()
  const isSame = fingerprintOf(await digestsOf(target, plan), copied) === fingerprintOf(digests, end)
  if (!isSame)
    throw new CopyRefused("the copy is not the same as its source; drop it with `rewards reset-db` and copy again")
  await target.publish()
  return { transactions: end.count, rows: progress.rows() }
}

/** The contents of the databases do not allow the copy. */
export class CopyRefused extends Error {
  override readonly name = "CopyRefused"
}

/**
 * An error of the source, while the target is open too. It is not the `cause`, because the layers of the target look
 * through causes for errors of their own.
 */
export class SourceFailure extends Error {
  override readonly name = "SourceFailure"

  constructor(readonly error: unknown) {
    super("the source of the copy failed")
  }
}

function withNamedFailures(source: CopySource): CopySource {
  const named = <T>(reading: Promise<T>): Promise<T> =>
    reading.catch((error: unknown) => {
      throw new SourceFailure(error)
    })
  return {
    columns: () => named(source.columns()),
    rows: (...page) => named(source.rows(...page)),
    ledgerEnd: () => named(source.ledgerEnd()),
    sequences: () => named(source.sequences()),
    verify: (report) => named(source.verify(report)),
  }
}

function refuseFaults(which: string, [first, ...more]: Awaited<ReturnType<CopySource["verify"]>>) {
  if (first === undefined) return
  const others = more.length === 0 ? "" : `, and ${more.length} more`
  throw new CopyRefused(`${which} is damaged (${first.check}: ${first.fault}${others}); see \`rewards verify\``)
}

/** Without this check, a column that the target lacks would be lost silently. */
function refuseOtherColumns(there: Awaited<ReturnType<CopySource["columns"]>>, plan: Plan) {
  for (const table of [...comparedTables, ledgerTables.transactions]) {
    const lacking = plan(table).columns.filter((column) => !there.get(table.name)?.includes(column))
    if (lacking.length > 0) throw new Error(`the target has no column ${lacking.join(", ")} in ${table.name}`)
  }
}

type Progress = ReturnType<typeof createProgress>

function createProgress(onProgress: (text: string) => void) {
  let rows = 0
  return {
    rows: () => rows,
    add(table: string, count: number, of?: { readonly done: number; readonly all: number }) {
      const before = rows
      rows += count
      if (Math.floor(rows / rowsBetweenReports) > Math.floor(before / rowsBetweenReports))
        onProgress(`${rows} rows copied${of ? `, ${of.done} of ${of.all} transactions` : `, now ${table}`}`)
    },
  }
}

async function copyTable(source: CopySource, target: CopyTarget, table: CopiedTable, plan: Plan, progress: Progress) {
  const { columns, limit } = plan(table)
  const after = table.hasOneRow ? null : await target.lastKey(table)
  for await (const rows of pagesOf(source, table, columns, { after, limit })) {
    await target.write(table, columns, rows)
    progress.add(table.name, rows.length)
  }
}

async function copyLedger(
  source: CopySource,
  target: CopyTarget,
  plan: Plan,
  { lastId, count: all }: LedgerEnd,
  progress: Progress,
) {
  const { transactions, notes, erasures } = ledgerTables
  const columns = {
    transactions: plan(transactions).columns,
    notes: plan(notes).columns,
    erasures: plan(erasures).columns,
  }
  const at = (name: string) => columns.transactions.indexOf(name)
  // A trigger deletes the note of a transaction when its erasure is inserted, and refuses an erasure without a note.
  const erasedNote = (erasure: CopiedRow): CopiedRow => {
    const transaction_id = erasure[columns.erasures.indexOf("transaction_id")]
    const note: Record<string, Value | undefined> = {
      transaction_id,
      salt: new Uint8Array(16),
      reason: "-",
      tags: "",
      private: 0,
    }
    return columns.notes.map((column) => note[column] ?? null)
  }
  let { count, lastId: done } = await target.ledgerEnd()
  const { limit } = plan(transactions)
  for await (const page of pagesOf(source, transactions, columns.transactions, { after: [done], limit })) {
    const last = page.at(-1) ?? []
    const lastHash = last[at("hash")]
    if (!(lastHash instanceof Uint8Array)) throw new Error("a hash is not bytes")
    const span = { after: [done], through: [last[at("id")] ?? null], limit: page.length }
    count += page.length
    done = Number(last[at("id")])
    const erased = await source.rows(erasures, columns.erasures, span)
    await target.append({
      transactions: page,
      notes: [...(await source.rows(notes, columns.notes, span)), ...erased.map(erasedNote)],
      erasures: erased,
      columns,
      end: { count, lastId: done, lastDate: Number(last[at("date")]), lastHash },
    })
    progress.add(transactions.name, page.length, { done: count, all })
  }
  if (done !== lastId) throw new Error(`the source ends with transaction ${done} instead of ${lastId}`)
}

async function* pagesOf(
  source: CopySource,
  table: CopiedTable,
  columns: readonly string[],
  { after: first, limit }: Page,
): AsyncGenerator<readonly CopiedRow[]> {
  const key = table.key.map((column) => columns.indexOf(column))
  for (let after = first; ; ) {
    const rows = await source.rows(table, columns, { after, limit })
    if (rows.length > 0) yield rows.map(portable)
    if (rows.length < limit) return
    after = key.map((column) => rows.at(-1)?.[column] ?? null)
  }
}

/** Replaces NUL, which PostgreSQL's text cannot hold. Somebody may have typed it as a name at the log-in. */
const portable = (row: CopiedRow): CopiedRow =>
  row.map((value) => (typeof value === "string" && value.includes("\0") ? value.replaceAll("\0", "\ufffd") : value))

/** For each table its name and the SHA-256 of its rows, as one text. */
async function digestsOf(source: CopySource, plan: Plan): Promise<readonly string[]> {
  const digests: string[] = []
  for (const table of comparedTables) {
    const hasher = new Bun.CryptoHasher("sha256")
    const { columns, limit } = plan(table)
    for await (const rows of pagesOf(source, table, columns.toSorted(), { after: null, limit }))
      for (const row of rows) hasher.update(`${JSON.stringify(row.map(inText))}\n`)
    digests.push(`${table.name} ${hasher.digest("hex")}`)
  }
  return digests
}

const inText = (value: CopiedRow[number]) => (value instanceof Uint8Array ? value.toHex() : value)

/** A digest of everything in a database. The hash of the last transaction covers all transactions. */
const fingerprintOf = (digests: readonly string[], { count, lastId, lastHash }: LedgerEnd): string =>
  sha256([...digests, count, lastId, lastHash.toHex()].join("\n"))

/** JSON with sorted keys, so that equal values are equal texts. */
export function orderedJson(text: string): string {
  return JSON.stringify(JSON.parse(text), (_, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  )
}

export type Value = string | number | Uint8Array | null

/** The values of some columns, in their order. */
export type CopiedRow = readonly Value[]

export interface Page {
  /** Only rows after this key; null: from the first row on. */
  readonly after: CopiedRow | null
  /** Only rows up to this key, included. */
  readonly through?: CopiedRow
  readonly limit: number
}

/** The database to copy from. Nobody else changes it meanwhile. */
export interface CopySource {
  /** The columns of each table. */
  columns(): Promise<ReadonlyMap<string, readonly string[]>>
  /** Rows in the order of the table's key. Objects in JSON columns have sorted keys. */
  rows(table: CopiedTable, columns: readonly string[], page: Page): Promise<readonly CopiedRow[]>
  ledgerEnd(): Promise<LedgerEnd>
  /** The last id that the sequence of each table gave. */
  sequences(): Promise<ReadonlyMap<string, number>>
  verify(onProgress: OnProgress): Promise<readonly Damage[]>
}

/**
 * Transactions that follow the last one of the target, with their notes, also for those that were erased, and erasures.
 * `columns` names the values of a row.
 */
interface LedgerPage {
  readonly transactions: readonly CopiedRow[]
  readonly notes: readonly CopiedRow[]
  readonly erasures: readonly CopiedRow[]
  readonly columns: Readonly<Record<"transactions" | "notes" | "erasures", readonly string[]>>
  readonly end: LedgerEnd
}

/** The database to copy to. Each write is one commit. */
export interface CopyTarget extends CopySource {
  /** @throws DatabaseUnusable when it is neither empty nor an unfinished copy */
  refuseFilled(): Promise<void>
  /**
   * Creates the schema, and marks the database as an unfinished copy of the source with this fingerprint.
   * @throws DatabaseUnusable when it is an unfinished copy of something else
   */
  begin(fingerprint: string, now: number): Promise<void>
  /** The largest key of a table; null while it is empty. */
  lastKey(table: CopiedTable): Promise<CopiedRow | null>
  write(table: CopiedTable, columns: readonly string[], rows: readonly CopiedRow[]): Promise<void>
  append(page: LedgerPage): Promise<void>
  /** Builds the tables and columns that only this kind of database has, and sets the sequences. */
  complete(sequences: ReadonlyMap<string, number>): Promise<void>
  /** Ends the copy: from then on, the database can be served. */
  publish(): Promise<void>
}

/** The tag in the table `migrations` that marks an unfinished copy. No process serves a database with this tag. */
export const unfinishedCopy = "unfinished copy"

export const unfinished =
  "it is an unfinished copy; continue it with the same `rewards copy`, or drop it with `rewards reset-db`"
