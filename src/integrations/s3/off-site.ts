import type { Config } from "../../config/settings.ts"
import { pack, unpack } from "./archive.ts"
import { type Bucket, type BucketSettings, type Digest, openBucket, startDigest } from "./bucket.ts"
import { OffSiteFailure } from "./failure.ts"

export interface OffSiteSettings extends BucketSettings {
  /** Begins the name of each object. */
  readonly prefix: string
  /** How many backups stay in the bucket. */
  readonly keep: number
  /** Encrypts the backups; null: they are compressed only. */
  readonly passphrase: string | null
}

export interface OffSiteBackup {
  /** As in `rewards restore s3:NAME`. */
  readonly name: string
  /** When it was begun, in milliseconds since the epoch. */
  readonly at: number
  readonly bytes: number
  readonly isEncrypted: boolean
}

interface Upload {
  /** A verified backup. */
  readonly file: string
  /** Its name off-site, such as `rewards-20260105T090000Z.db`. */
  readonly name: string
  readonly now: number
}

interface Uploaded {
  readonly backup: OffSiteBackup
  /** False when it was there already. */
  readonly isNew: boolean
  /** How many old backups were removed. */
  readonly removed: number
}

/** A day: after that, an upload that was never finished is removed. */
const abandonedMs = 86_400_000

const checksumSuffix = ".sha256"

/** The settings of `backup` as those of the bucket; null when backup.s3_bucket is not set. */
export function offSiteSettingsOf({ backup }: Pick<Config, "backup">): OffSiteSettings | null {
  const { s3_bucket, s3_access_key, s3_secret_key } = backup
  if (s3_bucket === null || s3_access_key === null || s3_secret_key === null) return null
  return {
    bucket: s3_bucket,
    endpoint: backup.s3_endpoint,
    region: backup.s3_region,
    accessKey: s3_access_key,
    secretKey: s3_secret_key,
    prefix: backup.s3_prefix ?? "",
    keep: backup.s3_keep,
    passphrase: backup.passphrase,
  }
}

/**
 * Backups in a bucket: `PREFIXrewards-20260105T090000Z.db.zst`, with `.age` at the end when encrypted. Beside each one is its
 * checksum, as `sha256sum` writes it. It is stored last, once the backup has been read back: without it there is no backup.
 */
export function createOffSite(settings: OffSiteSettings) {
  const { prefix, keep, passphrase } = settings
  const bucket = openBucket(settings)

  return {
    bucket: bucket.name,

    /** Uploads a verified backup under this name, reads it back, compares, and removes old ones. */
    async upload({ file, name, now }: Upload): Promise<Uploaded> {
      const found = await inventory(bucket, prefix)
      const full = `${name}.zst${passphrase === null ? "" : ".age"}`
      const there = found.backups.find((one) => one.name === full)
      if (there) return { backup: there, isNew: false, removed: 0 }
      const key = prefix + full
      const sent = await bucket.put(key, await pack(file, passphrase))
      await compare(key, sent)
      await bucket.putText(key + checksumSuffix, `${sent.sha256}  ${full}\n`)
      const backup = { name: full, at: timeIn(full) ?? now, bytes: sent.bytes, isEncrypted: passphrase !== null }
      const old = [...found.backups, backup]
        .filter(({ at }) => at <= now)
        .sort(byTime)
        .slice(0, -keep)
      for (const { name: gone } of old) await remove(prefix + gone)
      for (const { key: gone, at } of found.unfinished) if (now - at > abandonedMs) await bucket.remove(gone)
      return { backup, isNew: true, removed: old.length }
    },

    /** The backups in the bucket, the oldest first. */
    list: async (): Promise<readonly OffSiteBackup[]> => (await inventory(bucket, prefix)).backups,

    /** Writes the backup of this name, or the newest for `latest`, to a file. Returns its name. */
    async download({ name, file, now }: { readonly name: string; readonly file: string; readonly now: number }) {
      const { backups } = await inventory(bucket, prefix)
      const past = backups.filter(({ at }) => at <= now)
      const chosen = name === "latest" ? past.at(-1) : backups.find((one) => one.name === name)
      if (chosen === undefined)
        throw name === "latest"
          ? new OffSiteFailure(`the ${bucket.name} has no backup`, "check backup.s3_bucket and backup.s3_prefix")
          : new OffSiteFailure(
              `the ${bucket.name} has no backup ${name}`,
              "`rewards backup list` names those that there are",
            )
      if (chosen.isEncrypted && passphrase === null)
        throw new OffSiteFailure(
          `the backup ${chosen.name} is encrypted`,
          "set backup.passphrase to the one that it was made with",
        )
      await unpack(checked(prefix + chosen.name), { file, passphrase: chosen.isEncrypted ? passphrase : null })
      return chosen.name
    },
  }

  async function compare(key: string, sent: Digest) {
    const digest = startDigest()
    for await (const chunk of bucket.read(key)) digest.add(chunk)
    const stored = digest.end()
    if (stored.sha256 === sent.sha256) return
    await bucket.remove(key)
    throw new OffSiteFailure(
      `the ${bucket.name} does not return what it was sent (${stored.bytes} of ${sent.bytes} bytes, another checksum)`,
      "the copy was removed; if this happens again, ask who runs the storage",
    )
  }

  /** The content of a backup. Ends with an error if it is not what was stored. */
  async function* checked(key: string): AsyncGenerator<Uint8Array> {
    const expected = (await bucket.text(key + checksumSuffix))?.slice(0, 64)
    const digest = startDigest()
    for await (const chunk of bucket.read(key)) {
      digest.add(chunk)
      yield chunk
    }
    if (digest.end().sha256 !== expected)
      throw new OffSiteFailure(
        `${key} in the ${bucket.name} is not what was stored there`,
        "restore an earlier backup with `rewards restore s3:NAME`",
      )
  }

  /** The checksum goes first: a backup without one is no backup. */
  async function remove(key: string) {
    await bucket.remove(key + checksumSuffix)
    await bucket.remove(key)
  }
}

async function inventory(bucket: Bucket, prefix: string) {
  const objects = await bucket.list(prefix)
  const keys = new Set(objects.map(({ key }) => key))
  const archives = objects.filter(({ key }) => timeIn(key.slice(prefix.length)) !== null)
  const isWhole = ({ key }: { readonly key: string }) => keys.has(key + checksumSuffix)
  const backups = archives.filter(isWhole).map(({ key, bytes }): OffSiteBackup => {
    const name = key.slice(prefix.length)
    return { name, at: timeIn(name) ?? 0, bytes, isEncrypted: name.endsWith(".age") }
  })
  return { backups: backups.sort(byTime), unfinished: archives.filter((one) => !isWhole(one)) }
}

const byTime = (a: OffSiteBackup, b: OffSiteBackup) => a.at - b.at

/** The time in a name such as `rewards-20260105T090000Z.db.zst.age`; null when it is no backup's. */
function timeIn(name: string): number | null {
  const [, year, month, day, hour, minute, second] =
    /^[^/]*-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.db\.zst(?:\.age)?$/.exec(name) ?? []
  if (year === undefined) return null
  const ms = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return Number.isNaN(ms) ? null : ms
}
