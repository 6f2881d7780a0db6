import type { Database } from "bun:sqlite"
import type { DiscardedJobs } from "../../../domain/model.ts"
import { openClient } from "../database/client.ts"
import { asUnusable } from "../database/errors.ts"
import { missingFrom } from "../database/migrate.ts"
import { discardedIn } from "../jobs.ts"
import { bytesOf, faultsOf, isVerifiedAtStart } from "./soundness.ts"
import { behindMark, readMark } from "./watermark.ts"

/** What a look at a database file tells, which changes nothing in it. */
export interface Examination {
  /** Tags of the migrations that the next opening applies. With any, nothing further is looked at. */
  readonly pending: readonly string[]
  /** What keeps a start from serving it, or SQLite finds wrong; empty when it is sound. */
  readonly damage: readonly string[]
  /** What the mark file beside the database knows of and the ledger does not have; null when it has all. */
  readonly behindMark: string | null
  /** Date of the last transaction, in milliseconds since the epoch; 0 while there is none. */
  readonly lastDate: number
  /** A bcrypt hash; null when there is no such user. */
  readonly adminPassword: string | null
  /** Jobs that could have run by `dueBy`, and what the last attempt at one of them said. */
  readonly overdue: { readonly count: number; readonly lastError: string | null }
  /** Those that were given up lately. */
  readonly discarded: DiscardedJobs
  /** When `rewards backup` last made one, as the audit log has it; null when it has none. */
  readonly lastBackupAt: number | null
  readonly bytes: number
}

interface Options {
  readonly path: string
  readonly adminUsername: string
  readonly dueBy: number
  /** As in `db.verify_mb`. */
  readonly verifyMb: number
}

/**
 * Looks at a database without bringing it up to date. Others may have it open.
 * @throws DatabaseUnusable with the cure, when it cannot be opened or is not ours
 */
export function examineDatabase({ path, adminUsername, dueBy, verifyMb }: Options): Examination {
  let client: Database | undefined
  try {
    const mark = readMark(path) // first, since the database may go on meanwhile
    // Not read-only: such a connection cannot take away the files that it needs beside the database.
    client = openClient(path, { create: false })
    client.run("PRAGMA busy_timeout = 5000")
    const pending = missingFrom(client).map(({ tag }) => tag)
    if (pending.length > 0) return { pending, ...nothingSeen }
    return {
      pending,
      damage: damageOf(client, verifyMb),
      behindMark: behindMark(client, mark),
      lastDate:
        client.query<{ lastDate: number }, []>("SELECT last_date AS lastDate FROM ledger_state").get()?.lastDate ?? 0,
      adminPassword:
        client.query<{ password: string }, [string]>("SELECT password FROM users WHERE username = ?").get(adminUsername)
          ?.password ?? null,
      overdue: overdueOf(client, dueBy),
      discarded: discardedIn(client),
      lastBackupAt: client.query<{ at: number | null }, []>(lastBackup).get()?.at ?? null,
      bytes: bytesOf(client),
    }
  } catch (error) {
    throw asUnusable(error)
  } finally {
    client?.close()
  }
}

const nothingSeen = {
  damage: [],
  behindMark: null,
  lastDate: 0,
  adminPassword: null,
  overdue: { count: 0, lastError: null },
  discarded: { count: 0, newest: null },
  lastBackupAt: null,
  bytes: 0,
}

const lastBackup = "SELECT max(at) AS at FROM audit WHERE action = 'backup'"

const mostTold = 5

const damageOf = (client: Database, verifyMb: number): string[] =>
  isVerifiedAtStart(client, verifyMb) ? [...faultsOf(client).take(mostTold)] : quickDamageOf(client)

/** What can be looked at without reading all of a large database. */
const quickDamageOf = (client: Database): string[] =>
  client
    .query<{ quick_check: string }, []>(`PRAGMA quick_check(${mostTold})`)
    .all()
    .map(({ quick_check }) => quick_check)
    .filter((found) => found !== "ok")

const overdueOf = (client: Database, dueBy: number): Examination["overdue"] =>
  client
    .query<Examination["overdue"], [number]>(
      `SELECT count(*) AS count, max(last_error) AS lastError FROM jobs
       WHERE finished_at IS NULL AND coalesce(locked_until, run_at) < ?`,
    )
    .get(dueBy) ?? nothingSeen.overdue
