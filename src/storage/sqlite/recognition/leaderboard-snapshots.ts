import type { LeaderboardSnapshot, Transaction } from "../../../domain/model.ts"
import { columns } from "../../../domain/recognition/totals.ts"
import type { StatisticsStore } from "../../../domain/store.ts"
import type { Connection } from "../database/connection.ts"
import { createDays } from "./daily-totals.ts"

/** A snapshot as it is stored. */
export interface Row extends Omit<LeaderboardSnapshot, "totals"> {
  readonly totals: Uint8Array
}

/** `StatisticsStore`. Totals are stored as the bytes of all columns, compressed: some 100 KB for 10,000 people. */
export function createStatisticsStore(connection: Connection): StatisticsStore {
  const { client, write } = connection
  const entries = client.prepare<Transaction, [number, number]>(
    `SELECT id, user_id AS receiverId, from_id AS senderId, value, date, kind
     FROM transactions WHERE id > ? ORDER BY id LIMIT ?`,
  )
  const stored = client.prepare<Row, []>(
    "SELECT period AS of, starts_at AS startsAt, through_id AS throughId, totals FROM leaderboard_snapshots",
  )
  const save = client.prepare(
    `INSERT INTO leaderboard_snapshots (period, starts_at, through_id, totals) VALUES (?, ?, ?, ?)
     ON CONFLICT (period) DO UPDATE SET starts_at = excluded.starts_at, through_id = excluded.through_id,
       totals = excluded.totals WHERE excluded.through_id > through_id`,
  )

  return {
    async transactionsAfter(id, limit) {
      await new Promise(setImmediate)
      return entries.all(id, limit)
    },
    daysOf: createDays(connection),
    // A damaged snapshot counts as missing and is rebuilt.
    loadSnapshots: async () => {
      const sound = stored.all().flatMap((row) => verified(row) ?? [])
      return Promise.all(sound.map(async ({ totals, ...row }) => ({ ...row, totals: await decompressed(totals) })))
    },
    async saveSnapshots(snapshots) {
      const rows = await Promise.all(
        snapshots.map(async ({ totals, ...row }) => ({ ...row, totals: await compressed(totals) })),
      )
      write(() => {
        for (const row of rows) save.run(row.of, row.startsAt, row.throughId, withChecksum(row))
      })
    },
  }
}

const checksumBytes = 8

/** The totals preceded by a checksum of the whole row, because a flipped bit would be a wrong number of points. */
const withChecksum = (row: Row): Uint8Array => Buffer.concat([checksumOf(row), row.totals])

function verified(row: Row): Row | null {
  const totals = row.totals.subarray(checksumBytes)
  const isSound = Buffer.compare(checksumOf({ ...row, totals }), row.totals.subarray(0, checksumBytes)) === 0
  return isSound ? { ...row, totals } : null
}

function checksumOf({ of, startsAt, throughId, totals }: Row): Buffer {
  const checksum = Buffer.alloc(checksumBytes)
  checksum.writeBigUInt64BE(BigInt(Bun.hash(Buffer.concat([Buffer.from(`${of} ${startsAt} ${throughId} `), totals]))))
  return checksum
}

/** Compresses off the event loop. */
const compressed = (totals: readonly Float64Array[]): Promise<Uint8Array> =>
  Bun.zstdCompress(Buffer.concat(totals.map(({ buffer }) => new Uint8Array(buffer))))

const decompressed = async (bytes: Uint8Array): Promise<readonly Float64Array[]> =>
  columnsIn(await Bun.zstdDecompress(bytes))

/** The columns of a stored row; null when it is damaged. */
export function columnsOf(row: Row): readonly Float64Array[] | null {
  const sound = verified(row)
  return sound && columnsIn(Bun.zstdDecompressSync(sound.totals))
}

function columnsIn(all: Uint8Array): readonly Float64Array[] {
  const numbers = new Float64Array(all.buffer.slice(all.byteOffset, all.byteOffset + all.byteLength))
  const length = numbers.length / columns.length
  return columns.map((_, index) => numbers.slice(index * length, (index + 1) * length))
}
