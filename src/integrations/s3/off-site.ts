import { basename, extname } from "node:path"
import type { Config } from "../../config/settings.ts"
import type { Resolve } from "../../net/resolver.ts"
import { pack, unpack } from "./archive.ts"
import { type BucketSettings, type Digest, openBucket, startDigest } from "./bucket.ts"
import type { CredentialSource } from "./credentials.ts"
import { OffSiteFailure } from "./failure.ts"

export interface OffSiteSettings extends BucketSettings {
  /** The folder of the backups in the bucket; a slash at its end is added. */
  readonly prefix: string
  /** The name of the database, with which the names of its backups begin: `rewards` for `rewards.db`. */
  readonly stem?: string
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

/** An object with the name of a backup. */
interface Archive extends OffSiteBackup {
  readonly key: string
  /** When it was stored, by the clock of the bucket. */
  readonly storedAt: number
  /** Whether its checksum is there, which is stored last. */
  readonly isWhole: boolean
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

interface Download {
  /** `latest` is the newest that may be restored. */
  readonly name: string
  readonly file: string
  readonly now: number
  /** Whether a backup may be restored that is not encrypted, although there is a passphrase. */
  readonly allowsUnencrypted?: boolean
}

/** A day: after that, an upload that was never finished is removed. */
const abandonedMs = 86_400_000

const checksumSuffix = ".sha256"
const checksumBytes = 1000

type Settings = Pick<Config, "backup"> & { readonly db: Pick<Config["db"], "path"> }

/** The settings of `backup` as those of the bucket; null when backup.s3_bucket is not set. */
export function offSiteSettingsOf({ backup, db }: Settings): OffSiteSettings | null {
  const credentials = credentialsOf(backup)
  if (backup.s3_bucket === null || credentials === null) return null
  return {
    bucket: backup.s3_bucket,
    endpoint: backup.s3_endpoint,
    region: backup.s3_region,
    credentials,
    ca: backup.s3_ca,
    prefix: backup.s3_prefix ?? "",
    stem: basename(db.path, extname(db.path)),
    keep: backup.s3_keep,
    passphrase: backup.passphrase,
  }
}

function credentialsOf(backup: Config["backup"]): CredentialSource | null {
  const { s3_access_key, s3_secret_key, s3_session_token, s3_credentials_command } = backup
  if (s3_credentials_command !== null) return { command: s3_credentials_command }
  if (s3_access_key === null || s3_secret_key === null) return null
  return { accessKey: s3_access_key, secretKey: s3_secret_key, sessionToken: s3_session_token }
}

/**
 * Backups in a bucket: `FOLDER/rewards-20260105T090000Z.db.zst`, with `.age` at the end when encrypted. Beside each one is its
 * checksum, as `sha256sum` writes it. It is stored last, once the backup has been read back: without it there is no backup.
 *
 * Others may write to the bucket. With a passphrase only what it has encrypted is restored, and counts when old ones are
 * removed; and whatever the bucket answers, neither memory nor disk is filled.
 */
export function createOffSite(settings: OffSiteSettings, resolve?: Resolve) {
  const { prefix, stem = "rewards", keep, passphrase } = settings
  const bucket = openBucket(settings, resolve)
  const folder = prefix === "" || prefix.endsWith("/") ? prefix : `${prefix}/`
  /**
   * Before version 0.2, a prefix without a slash at its end was the beginning of the names themselves. Such a copy may as well
   * belong to a server without a prefix, whose database is `staging-rewards.db`. So it is listed, and never removed.
   */
  const beginnings = folder === prefix ? [folder] : [folder, prefix]
  const isInFolder = ({ key }: { readonly key: string }) => key.startsWith(folder)
  const isUsable = ({ isEncrypted }: OffSiteBackup) => passphrase === null || isEncrypted

  return {
    bucket: bucket.name,
    isEncrypting: passphrase !== null,

    /** Uploads a verified backup under this name, reads it back, compares, and removes old ones. */
    async upload({ file, name, now }: Upload): Promise<Uploaded> {
      const archives = await inventory()
      const full = `${name}.zst${passphrase === null ? "" : ".age"}`
      const at = timeIn(full)
      if (at === null)
        throw new OffSiteFailure(
          `${name} is not the name of a backup of ${stem}.db`,
          `name it as \`rewards backup\` does, such as ${stem}-20260105T090000Z.db`,
        )
      const there = archives.find((one) => one.isWhole && one.name === full)
      if (there) return { backup: shown(there), isNew: false, removed: 0 }
      const key = folder + full
      const sent = await bucket.put(key, await pack(file, passphrase))
      await compare(key, sent)
      await bucket.putText(key + checksumSuffix, `${sent.sha256}  ${full}\n`)
      const backup = { name: full, at, bytes: sent.bytes, isEncrypted: passphrase !== null }
      const others = archives.filter((one) => one.key !== key)
      const old = oldAmong([...others, { ...backup, key, storedAt: Number.POSITIVE_INFINITY, isWhole: true }], now)
      for (const { key: gone } of old) await remove(gone)
      for (const one of others.filter(isInFolder))
        if (!one.isWhole && now - one.storedAt > abandonedMs) await remove(one.key)
      await abortUnfinished(now)
      return { backup, isNew: true, removed: old.length }
    },

    /** The backups in the bucket, the oldest first. */
    list: async (): Promise<readonly OffSiteBackup[]> =>
      (await inventory()).filter(({ isWhole }) => isWhole).map(shown),

    /** What is in the bucket without its checksum, because an upload was cut off or somebody has removed it. */
    unfinished: async (): Promise<readonly OffSiteBackup[]> =>
      (await inventory()).filter(({ isWhole }) => !isWhole).map(shown),

    /** The newest that `restore s3:latest` would take; undefined when there is none. */
    newest: async (now: number): Promise<OffSiteBackup | undefined> => newestOf(await inventory(), now),

    /** Writes the backup of this name, or the newest for `latest`, to a file. Returns its name. */
    async download({ name, file, now, allowsUnencrypted = false }: Download): Promise<string> {
      const archives = await inventory()
      const chosen = name === "latest" ? newestOf(archives, now) : archives.find((one) => one.name === name)
      if (chosen === undefined) throw name === "latest" ? noneOf(archives) : noneNamed(name)
      if (!chosen.isWhole)
        throw new OffSiteFailure(
          `the backup ${chosen.name} has no checksum, so nobody can tell whether it is whole`,
          "restore another one; its upload was cut off, or somebody has removed the checksum",
        )
      if (!isUsable(chosen) && !allowsUnencrypted)
        throw new OffSiteFailure(
          `the backup ${chosen.name} is not encrypted, although backup.passphrase is set, so anybody who can write to the bucket may have made it`,
          "if you made it before there was a passphrase, add --unencrypted",
        )
      if (chosen.isEncrypted && passphrase === null)
        throw new OffSiteFailure(
          `the backup ${chosen.name} is encrypted`,
          "set backup.passphrase to the one that it was made with",
        )
      await unpack(checked(chosen), { file, passphrase: chosen.isEncrypted ? passphrase : null })
      return chosen.name
    },
  }

  /** Objects with the names of backups of this database and of no other, the oldest first. */
  async function inventory(): Promise<Archive[]> {
    const lists = await Promise.all(beginnings.map((beginning) => inventoryAt(beginning)))
    const archives = new Map(lists.reverse().flatMap((list) => list.map((one) => [one.name, one])))
    return [...archives.values()].sort(byTime)
  }

  async function inventoryAt(beginning: string): Promise<Archive[]> {
    const objects = await bucket.list(`${beginning}${stem}-`)
    const keys = new Set(objects.map(({ key }) => key))
    return objects.flatMap(({ key, bytes, at: storedAt }) => {
      const name = key.slice(beginning.length)
      const at = timeIn(name)
      if (at === null) return []
      return [
        { name, at, bytes, isEncrypted: name.endsWith(".age"), key, storedAt, isWhole: keys.has(key + checksumSuffix) },
      ]
    })
  }

  /** The time in a name such as `rewards-20260105T090000Z.db.zst.age`; null when it is no backup's of this database. */
  function timeIn(name: string): number | null {
    const time = name.startsWith(`${stem}-`) ? name.slice(stem.length + 1) : ""
    const [, year, month, day, hour, minute, second] =
      /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.db\.zst(?:\.age)?$/.exec(time) ?? []
    if (year === undefined) return null
    const ms = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
    return Number.isNaN(ms) ? null : ms
  }

  /** One with a time in the future was named by a wrong clock. */
  function newestOf(archives: readonly Archive[], now: number): Archive | undefined {
    const possible = archives.filter((one) => one.isWhole && isUsable(one) && one.at <= now)
    return possible.findLast(isInFolder) ?? possible.at(-1)
  }

  /**
   * The newest `keep` stay, and those that were stored last: so an older one that somebody uploads stays for as many uploads.
   * What cannot be restored does not count. One with a time in the future is never removed.
   */
  function oldAmong(archives: readonly Archive[], now: number): Archive[] {
    const past = archives.filter((one) => isInFolder(one) && one.isWhole && one.at <= now)
    const isBehind = (order: Order) => {
      const last = past.filter(isUsable).sort(order)[keep - 1]
      return (one: Archive) => last !== undefined && order(last, one) < 0
    }
    const [isOlder, isStoredEarlier] = [isBehind(newestFirst), isBehind(lastStoredFirst)]
    return past.filter((one) => isOlder(one) && isStoredEarlier(one))
  }

  /** Parts of uploads that were cut off take space that no list shows. */
  async function abortUnfinished(now: number) {
    try {
      for (const upload of await bucket.unfinishedUploads(`${folder}${stem}-`))
        if (isInFolder(upload) && timeIn(upload.key.slice(folder.length)) !== null && now - upload.at > abandonedMs)
          await bucket.abort(upload)
    } catch (error) {
      // Some services cannot list them, and a key may not be allowed to. The backup itself is there.
      if (!(error instanceof OffSiteFailure)) throw error
    }
  }

  function noneOf(archives: readonly Archive[]): OffSiteFailure {
    if (archives.some((one) => one.isWhole && !isUsable(one)))
      return new OffSiteFailure(
        `the ${bucket.name} has no backup that is encrypted`,
        "name one that is not, and add --unencrypted, if you made it before there was a passphrase",
      )
    return new OffSiteFailure(
      `the ${bucket.name} has no backup of ${stem}.db (--db names another database)`,
      "check backup.s3_bucket and backup.s3_prefix",
    )
  }

  function noneNamed(name: string): OffSiteFailure {
    return new OffSiteFailure(
      `the ${bucket.name} has no backup ${name}`,
      "`rewards backup list` names those that there are",
    )
  }

  async function compare(key: string, sent: Digest) {
    const digest = startDigest()
    for await (const chunk of bucket.read(key, Number.POSITIVE_INFINITY)) if (digest.add(chunk) > sent.bytes) break
    const stored = digest.end()
    if (stored.sha256 === sent.sha256) return
    await bucket.remove(key)
    throw new OffSiteFailure(
      `the ${bucket.name} does not return what it was sent (${stored.bytes} of ${sent.bytes} bytes, another checksum)`,
      "the copy was removed; if this happens again, ask who runs the service of backup.s3_endpoint",
    )
  }

  /** The content of a backup. Ends with an error if it is not what was stored. */
  async function* checked({ key, bytes }: Archive): AsyncGenerator<Uint8Array> {
    const expected = await checksumOf(key)
    const digest = startDigest()
    for await (const chunk of bucket.read(key, bytes)) {
      digest.add(chunk)
      yield chunk
    }
    if (digest.end().sha256 !== expected)
      throw new OffSiteFailure(
        `${key} in the ${bucket.name} is not what was stored there`,
        "restore an earlier backup with `rewards restore s3:NAME`",
      )
  }

  async function checksumOf(key: string): Promise<string> {
    const chunks = await Array.fromAsync(bucket.read(key + checksumSuffix, checksumBytes))
    return Buffer.concat(chunks).toString("latin1", 0, 64)
  }

  /** The checksum goes first: a backup without one is no backup. */
  async function remove(key: string) {
    await bucket.remove(key + checksumSuffix)
    await bucket.remove(key)
  }
}

const shown = ({ name, at, bytes, isEncrypted }: Archive): OffSiteBackup => ({ name, at, bytes, isEncrypted })

type Order = (a: Archive, b: Archive) => number

const byTime: Order = (a, b) => a.at - b.at
const newestFirst: Order = (a, b) => b.at - a.at
const lastStoredFirst: Order = (a, b) => b.storedAt - a.storedAt || newestFirst(a, b)
