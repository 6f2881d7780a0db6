import type { Database } from "bun:sqlite"
import { clockSkewMs } from "../../../domain/clock.ts"
import { adminUsername } from "../../../domain/people/users.ts"
import {
  type DiagnosedRow,
  type Diagnosis,
  type DiagnosisRequest,
  diagnosedOf,
  diagnosedTokens,
  diagnosedTokensOf,
  diagnosedWebhooks,
  superusersWithoutFactor,
} from "../../diagnosis.ts"
import { type FutureTimes, futureTimes } from "../../future-times.ts"
import { jobWaitsSince } from "../../rows.ts"
import { openClient } from "../database/client.ts"
import { asUnusable } from "../database/errors.ts"
import { missingFrom } from "../database/migrations.ts"
import { discardedIn } from "../health.ts"
import { bytesOf, contentFaults, isVerifiedAtStart } from "./verify.ts"
import { behindWatermark, readWatermark } from "./watermark.ts"

/** What `rewards doctor` reads from a database file without changing it. */
export interface FileDiagnosis extends Diagnosis {
  /** Tags of the migrations that the next opening applies. If there are any, nothing else is read. */
  readonly pending: readonly string[]
  /** Faults that SQLite reports, or for which a start would refuse the database. */
  readonly damage: readonly string[]
  /** What the watermark file records and the ledger lacks; null when it lacks nothing. */
  readonly behindWatermark: string | null
  /** When `rewards backup` last made a backup, according to the audit log; null when the log has no backup. */
  readonly lastBackupAt: number | null
  readonly bytes: number
}

interface Options extends DiagnosisRequest {
  readonly path: string
  /** The setting `db.verify_mb`. */
  readonly verifyMb: number
}

/**
 * Reads a database without migrating it. Other processes may have it open.
 * @throws DatabaseUnusable with the cure, when it cannot be opened or is not ours
 */
export function diagnose({ path, now, dueBy, expiringBy, verifyMb }: Options): FileDiagnosis {
  let client: Database | undefined
  try {
    const watermark = readWatermark(path) // before the database, which may grow meanwhile
    // Not read-only: such a connection cannot remove the -wal and -shm files that it creates.
    client = openClient(path, { create: false })
    client.run("PRAGMA busy_timeout = 5000")
    const pending = missingFrom(client).map(({ tag }) => tag)
    if (pending.length > 0) return { pending, ...nothingRead }
    const admin = client
      .query<{ password: string; email: string }, [string]>("SELECT password, email FROM users WHERE username = ?")
      .get(adminUsername)
    return {
      pending,
      damage: damageOf(client, verifyMb),
      behindWatermark: behindWatermark(client, watermark),
      lastDate:
        client.query<{ lastDate: number }, []>("SELECT last_date AS lastDate FROM ledger_state").get()?.lastDate ?? 0,
      adminPassword: admin?.password ?? null,
      adminEmail: admin?.email ?? null,
      superusersWithoutFactor: client
        .query<{ username: string }, []>(superusersWithoutFactor)
        .all()
        .map(({ username }) => username),
      tokens: diagnosedTokensOf(client.query<TokenRow, [number]>(diagnosedTokens).all(expiringBy)),
      webhooks: client.query<DiagnosedRow, []>(diagnosedWebhooks).all().map(diagnosedOf),
      overdue: overdueOf(client, dueBy),
      discarded: discardedIn(client),
      futureTimes: client.query<FutureTimes, [number]>(futureTimes).all(now),
      lastBackupAt: client.query<{ at: number | null }, [number]>(lastBackup).get(now + clockSkewMs)?.at ?? null,
      bytes: bytesOf(client),
    }
  } catch (error) {
    throw asUnusable(error, path)
  } finally {
    client?.close()
  }
}

const nothingRead = {
  damage: [],
  behindWatermark: null,
  lastDate: 0,
  adminPassword: null,
  adminEmail: null,
  superusersWithoutFactor: [],
  tokens: { endless: [], expiring: [] },
  webhooks: [],
  overdue: { count: 0, lastError: null },
  discarded: { count: 0, newest: null },
  futureTimes: [],
  lastBackupAt: null,
  bytes: 0,
}

type TokenRow = Parameters<typeof diagnosedTokensOf>[0][number]

/** A later time comes from a wrong clock. */
const lastBackup = "SELECT max(at) AS at FROM audit WHERE action = 'backup' AND at <= ?"

const maxFaults = 5

const damageOf = (client: Database, verifyMb: number): string[] =>
  isVerifiedAtStart(client, verifyMb) ? [...contentFaults(client).take(maxFaults)] : quickDamageOf(client)

/** SQLite's quick check, for a database too large to be read completely. */
const quickDamageOf = (client: Database): string[] =>
  client
    .query<{ quick_check: string }, []>(`PRAGMA quick_check(${maxFaults})`)
    .all()
    .map(({ quick_check }) => quick_check)
    .filter((found) => found !== "ok")

const overdueOf = (client: Database, dueBy: number): Diagnosis["overdue"] =>
  client
    .query<Diagnosis["overdue"], [number]>(
      `SELECT count(*) AS count, max(last_error) AS lastError FROM jobs
       WHERE finished_at IS NULL AND ${jobWaitsSince} < ?`,
    )
    .get(dueBy) ?? nothingRead.overdue
