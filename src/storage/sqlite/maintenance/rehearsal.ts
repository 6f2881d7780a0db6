import { rmSync } from "node:fs"
import { BackupRefused, type Rehearsal } from "../../maintenance.ts"
import { openClient } from "../database/client.ts"
import { freeBytesAt, statOf } from "../database/files.ts"
import { migrate, missingFrom } from "../database/migrations.ts"
import { usingBackup } from "./backup.ts"
import { verify } from "./verify.ts"
import { readWatermark } from "./watermark.ts"

const walEnds = ["-wal", "-shm"]

/** `FileMaintenance.rehearseUpgrade` (storage/maintenance.ts) */
export async function rehearseUpgrade(path: string, now: number): Promise<Rehearsal> {
  const watermark = readWatermark(path) // before the copy, for the database may grow meanwhile
  const freeBytes = await freeBytesAt(path)
  refuseWithoutRoom(path, freeBytes)
  const begunAt = performance.now()
  return await usingBackup(path, now, async ({ file, bytes }) => {
    const backupMs = performance.now() - begunAt
    const client = openClient(file, { create: false })
    try {
      const pending = missingFrom(client).map(({ tag }) => tag)
      if (pending.length === 0) return { pending, faults: [], backupMs, migrateMs: 0, bytes, neededBytes: 0, freeBytes }
      client.run("PRAGMA journal_mode = WAL")
      const migratedAt = performance.now()
      migrate(client, now)
      const walBytes = statOf(`${file}-wal`)?.size ?? 0
      client.run("PRAGMA wal_checkpoint(TRUNCATE)")
      const migrateMs = performance.now() - migratedAt
      const growth = Math.max(0, (statOf(file)?.size ?? 0) - bytes)
      const faults = await Array.fromAsync(verify(client, watermark))
      // The backup that the upgrade makes, what the migrations write before it is in the database, and what that grows by.
      const neededBytes = bytes + walBytes + growth
      return { pending, faults: faults.map(({ fault }) => fault), backupMs, migrateMs, bytes, neededBytes, freeBytes }
    } finally {
      client.close()
      for (const end of walEnds) rmSync(file + end, { force: true })
    }
  })
}

/** Before anything is copied: a disk that the copy fills would stop the server. Half of the room stays free. */
function refuseWithoutRoom(path: string, freeBytes: number) {
  const bytes = ["", "-wal"].reduce((sum, end) => sum + (statOf(path + end)?.size ?? 0), 0)
  if (2 * bytes <= freeBytes) return
  throw new BackupRefused(
    `cannot try the upgrade: a copy of ${megabytesOf(bytes)} MB and its changes need twice that room, and ` +
      `${megabytesOf(freeBytes)} MB are free; free space on the disk of the database first`,
  )
}

const megabytesOf = (bytes: number): string => (bytes / 1_000_000).toFixed(1)
