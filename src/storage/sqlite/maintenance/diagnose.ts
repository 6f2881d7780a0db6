import type { Database } from "bun:sqlite"
import { clockSkewMs } from "../../../domain/clock.ts"
import { type FileDiagnosis, type FileDiagnosisRequest, readDiagnosis } from "../../diagnosis.ts"
import { openClient } from "../database/client.ts"
import { readsOn } from "../database/database.ts"
import { asUnusable } from "../database/errors.ts"
import { missingFrom } from "../database/migrations.ts"
import { bytesOf, contentFaults, isVerifiedAtStart } from "./verify.ts"
import { behindWatermark, readWatermark } from "./watermark.ts"

interface Request extends FileDiagnosisRequest {
  readonly path: string
}

/**
 * Reads a database without migrating it. Other processes may have it open.
 * @throws DatabaseUnusable with the cure, when it cannot be opened or is not ours
 */
export async function diagnose({ path, verifyMb, ...request }: Request): Promise<FileDiagnosis> {
  let client: Database | undefined
  try {
    const watermark = readWatermark(path) // before the database, which may grow meanwhile
    // Not read-only: such a connection cannot remove the -wal and -shm files that it creates.
    client = openClient(path, { create: false })
    client.run("PRAGMA busy_timeout = 5000")
    const pending = missingFrom(client).map(({ tag }) => tag)
    if (pending.length > 0) return { pending, ...nothingRead }
    return {
      pending,
      damage: await damageOf(client, verifyMb),
      behindWatermark: behindWatermark(client, watermark),
      ...(await readDiagnosis(readsOn(client), request)),
      lastBackupAt:
        client.query<{ at: number | null }, [number]>(lastBackup).get(request.now + clockSkewMs)?.at ?? null,
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
  refusedMail: { count: 0, newest: null },
  futureTimes: [],
  lastBackupAt: null,
  bytes: 0,
}

/** A later time comes from a wrong clock. */
const lastBackup = "SELECT max(at) AS at FROM audit WHERE action = 'backup' AND at <= ?"

const maxFaults = 5

async function damageOf(client: Database, verifyMb: number): Promise<string[]> {
  if (!isVerifiedAtStart(client, verifyMb)) return quickDamageOf(client)
  const damage: string[] = []
  for await (const fault of contentFaults(client)) if (damage.push(fault) === maxFaults) break
  return damage
}

/** SQLite's quick check, for a database too large to be read completely. */
const quickDamageOf = (client: Database): string[] =>
  client
    .query<{ quick_check: string }, []>(`PRAGMA quick_check(${maxFaults})`)
    .all()
    .map(({ quick_check }) => quick_check)
    .filter((found) => found !== "ok")
