import { columns } from "../../domain/recognition/leaderboards.ts"
import type { LeaderboardSnapshot } from "../../domain/recognition/model.ts"

/** A leaderboard snapshot as it is stored. */
export interface StoredSnapshot extends Omit<LeaderboardSnapshot, "totals"> {
  /** The time zone of its days and periods. */
  readonly timeZone: string
  readonly totals: Uint8Array
}

/** The totals are stored as the bytes of all columns, compressed: some 100 KB for 10,000 people. */
export async function packed({ totals, ...snapshot }: LeaderboardSnapshot, timeZone: string): Promise<StoredSnapshot> {
  const row = { ...snapshot, timeZone }
  const bytes = { ...row, totals: await compressed(totals) }
  return { ...row, totals: withChecksum(bytes) }
}

/** Leaves out damaged snapshots: they count as missing and are rebuilt. */
export function unpacked(rows: readonly StoredSnapshot[]): Promise<LeaderboardSnapshot[]> {
  const sound = rows.flatMap((row) => verified(row) ?? [])
  return Promise.all(
    sound.map(async ({ totals, timeZone: _, ...row }) => ({
      ...row,
      totals: columnsIn(await Bun.zstdDecompress(totals)),
    })),
  )
}

const checksumBytes = 8

/** Puts a checksum of the whole row before the totals. Without it, a flipped bit could change points unnoticed. */
const withChecksum = (row: StoredSnapshot): Uint8Array => Buffer.concat([checksumOf(row), row.totals])

function verified(row: StoredSnapshot): StoredSnapshot | null {
  const totals = row.totals.subarray(checksumBytes)
  const isSound = Buffer.compare(checksumOf({ ...row, totals }), row.totals.subarray(0, checksumBytes)) === 0
  return isSound ? { ...row, totals } : null
}

function checksumOf({ of, timeZone, startsAt, throughId, totals }: StoredSnapshot): Buffer {
  const checksum = Buffer.alloc(checksumBytes)
  checksum.writeBigUInt64BE(
    BigInt(Bun.hash(Buffer.concat([Buffer.from(`${of} ${timeZone} ${startsAt} ${throughId} `), totals]))),
  )
  return checksum
}

/** Compresses off the event loop. */
const compressed = (totals: readonly Float64Array[]): Promise<Uint8Array> =>
  Bun.zstdCompress(Buffer.concat(totals.map(({ buffer }) => new Uint8Array(buffer))))

/** The columns of a stored row; null when it is damaged. */
export function columnsOf(row: StoredSnapshot): readonly Float64Array[] | null {
  const sound = verified(row)
  return sound && columnsIn(Bun.zstdDecompressSync(sound.totals))
}

function columnsIn(all: Uint8Array): readonly Float64Array[] {
  const numbers = new Float64Array(all.buffer.slice(all.byteOffset, all.byteOffset + all.byteLength))
  const length = numbers.length / columns.length
  return columns.map((_, index) => numbers.slice(index * length, (index + 1) * length))
}
