import { randomUUID } from "node:crypto"
import { rmSync, statSync } from "node:fs"
import { basename, resolve } from "node:path"
import type { SecretlessConfig } from "../config/settings.ts"
import type { OffSiteBackup } from "../integrations/s3/off-site.ts"
import type { Backup, FileMaintenance, Restored } from "../storage/maintenance.ts"
import { fileMaintenanceOf } from "../storage/open.ts"
import { problemOf } from "../support/system-errors.ts"
import { recordAction } from "./support/app.ts"
import { flag, option, pathArg } from "./support/arguments.ts"
import { type CommandContext, command, configOf, databaseFileOf, fileArgs, jsonArg } from "./support/command.ts"
import { isClosedPipe, Refusal, UsageError, usingDatabase } from "./support/failures.ts"
import { counted, isoTime, json, megabytes, newestLine, table, visible } from "./support/terminal.ts"

/** Writes a verified copy of the database; a server may have it open. */
export const backup = command({
  name: "backup",
  description: "Write a verified copy of the database, also while the server runs",
  example: "rewards backup /mnt/backups/rewards.db",
  args: {
    file: {
      ...pathArg,
      required: false,
      description:
        "Where to write it, or - for standard output; an earlier backup is replaced once this one is verified. By " +
        "default a new file in the folder backup.dir",
    },
    to: option("s3", "Also copy it to the bucket of backup.s3_bucket, read it back and compare"),
    ...jsonArg,
    ...fileArgs,
  },
  async run({ file, to, ...args }, context) {
    if (to !== undefined && to !== "s3") throw new UsageError("--to takes s3 only")
    if (to === "s3" && file === "-") throw new UsageError("--to s3 needs a file, not standard output")
    const config = configOf(context, args)
    const offSite = to === undefined ? null : await offSiteOf(config)
    const path = resolve(context.cwd, databaseFileOf(context, args, insteadOfBackup))
    const database = await fileMaintenanceOf(path)
    context.lowerPriority()
    await usingDatabase(config.db, async () => {
      if (file === "-") {
        await printBackup(database, context)
        return recordAction({ database, action: "backup", detail: "to standard output" }, context)
      }
      const now = context.now()
      const folder = database.backupFolder(config.backup.dir)
      const made = await database.backUp({
        file: file === undefined ? folder.fileAt(now) : resolve(context.cwd, file),
        now,
      })
      await recordAction({ database, action: "backup", detail: made.file }, context)
      const copy = offSite && (await offSite.upload({ file: made.file, name: folder.nameAt(now), now }))
      if (copy) await recordUpload(database, copy.backup, context)
      if (copy) warnOfReaders(copy.backup, context)
      const lines = [
        `Wrote ${made.file}: ${sizeOf(made)}, verified`,
        ...(copy ? [uploadLine(copy.backup)] : []),
        ...newestLine(made.newest),
      ]
      await context.print(args.json ? json(copy ? { ...made, s3: copy.backup.name } : made) : lines.join("\n"))
    })
  },
})

const insteadOfBackup = "back up PostgreSQL with pg_dump, or write a database file with `rewards copy --to FILE`"

/** Writes the backup to a file first, so that a slow reader does not hold a read transaction open. */
function printBackup(database: FileMaintenance, { writeFile, now, printError }: CommandContext): Promise<void> {
  return database.usingBackup(now(), async ({ file, newest }) => {
    await writeFile(file).catch((error) => {
      if (isClosedPipe(error)) throw error
      throw new Refusal(`cannot write the backup to standard output: ${problemOf(error)}`, { cause: error })
    })
    for (const line of newestLine(newest)) printError(line) // the backup itself is on standard output
  })
}

const sizeOf = ({ transactions, bytes }: Backup): string =>
  `${counted(transactions, "transaction")}, ${megabytes(bytes)}`

/** The bucket of the settings. @throws Refusal when none is set */
async function offSiteOf(config: SecretlessConfig) {
  const { createOffSite, offSiteSettingsOf } = await import("../integrations/s3/off-site.ts")
  const settings = offSiteSettingsOf(config)
  if (settings === null)
    throw new Refusal(
      "no bucket is set; set backup.s3_bucket, backup.s3_access_key and backup.s3_secret_key, or backup.s3_credentials_command",
    )
  return createOffSite(settings)
}

const recordUpload = (database: FileMaintenance, { name }: OffSiteBackup, context: CommandContext) =>
  recordAction({ database, action: "backup", detail: `to the bucket as ${name}` }, context)

const uploadLine = ({ name, bytes, isEncrypted }: OffSiteBackup): string =>
  `Copied to the bucket as ${name}: ${megabytes(bytes)}, ${isEncrypted ? "encrypted, " : ""}read back and compared`

/** Said with each copy, not only by `rewards doctor`: it may be the first one. */
function warnOfReaders({ isEncrypted }: OffSiteBackup, { printError }: CommandContext) {
  if (!isEncrypted) printError("It is not encrypted: whoever can read the bucket can read it; set backup.passphrase")
}

/** Copies a backup to the bucket; the server does this after each backup that it makes. */
export const backupUpload = command({
  name: "backup upload",
  description: "Copy a backup to the bucket of backup.s3_bucket, read it back and compare",
  example: "rewards backup upload backups/rewards-20260105T090000Z.db",
  args: {
    file: { ...pathArg, required: true, description: "The backup, with the name that `rewards backup` gave it" },
    ...jsonArg,
    ...fileArgs,
  },
  async run({ file, ...args }, context) {
    const offSite = await offSiteOf(configOf(context, args))
    const path = resolve(context.cwd, file)
    statSync(path)
    const name = basename(path)
    if (!/-\d{8}T\d{6}Z\.db$/.test(name))
      throw new UsageError("the name of the file must end with its time, as in rewards-20260105T090000Z.db")
    context.lowerPriority()
    const database = await fileMaintenanceOf(resolve(context.cwd, databaseFileOf(context, args, insteadOfBackup)))
    const { backup: copy, isNew } = await offSite.upload({ file: path, name, now: context.now() })
    if (isNew) await recordUpload(database, copy, context)
    warnOfReaders(copy, context)
    if (args.json) return context.print(json(shown(copy)))
    await context.print(isNew ? uploadLine(copy) : `The bucket has ${copy.name} already`)
  },
})

/** Lists the backups in the bucket, the oldest first. */
export const backupList = command({
  name: "backup list",
  description: "List the backups in the bucket of backup.s3_bucket, the oldest first",
  example: "rewards backup list",
  args: { ...jsonArg, ...fileArgs },
  async run(args, context) {
    const offSite = await offSiteOf(configOf(context, args))
    const [backups, unfinished] = [await offSite.list(), await offSite.unfinished()]
    if (args.json)
      return context.print(
        json([...backups.map(shown), ...unfinished.map((one) => ({ ...shown(one), checksum: false }))]),
      )
    const rowOf = ({ name, at, bytes, isEncrypted }: OffSiteBackup, checksum: string) => [
      visible(name),
      isoTime(at).slice(0, 19).replace("T", " "),
      megabytes(bytes),
      isEncrypted ? "yes" : "no",
      checksum,
    ]
    const rows = [...backups.map((one) => rowOf(one, "yes")), ...unfinished.map((one) => rowOf(one, "missing"))]
    await context.print(table(["name", "made at (UTC)", "size", "encrypted", "checksum"], rows))
  },
})

const shown = ({ name, at, bytes, isEncrypted }: OffSiteBackup) => ({
  name,
  at: isoTime(at),
  bytes,
  encrypted: isEncrypted,
})

/** Replaces the database with a backup and keeps the replaced file. */
export const restore = command({
  name: "restore",
  description: "Replace the database with a backup",
  example: "rewards restore backups/rewards-20260105T090000Z.db",
  args: {
    file: {
      ...pathArg,
      required: true,
      description: "The backup, which is not changed; s3:NAME or s3:latest is one in the bucket of backup.s3_bucket",
    },
    "end-sessions": flag("End all sessions and all tokens"),
    unencrypted: flag("Also take a backup from the bucket that is not encrypted, although backup.passphrase is set"),
    ...jsonArg,
    ...fileArgs,
  },
  async run({ file, "end-sessions": endsSessions = false, unencrypted = false, ...args }, context) {
    const path = databaseFileOf(context, args, insteadOfRestore)
    const database = await fileMaintenanceOf(resolve(context.cwd, path))
    const now = context.now()
    const restoreFrom = (source: string) =>
      usingDatabase({ path, url: null }, () => database.restore({ file: source, endsSessions, now }))
    let source = resolve(context.cwd, file)
    let restored: Restored
    if (file.startsWith("s3:")) {
      const offSite = await offSiteOf(configOf(context, args))
      // A name that the next restore takes for abandoned, should this one be killed.
      const downloaded = `${resolve(context.cwd, path)}.partial-${randomUUID()}`
      try {
        const name = file.slice("s3:".length)
        source = `s3:${await offSite.download({ name, file: downloaded, now, allowsUnencrypted: unencrypted })}`
        restored = await restoreFrom(downloaded)
      } finally {
        rmSync(downloaded, { force: true })
      }
    } else restored = await restoreFrom(source)
    await recordAction({ database, action: "restore", detail: `from ${source}` }, context)
    if (args.json) return context.print(json(restored))
    const { transactions, replaced } = restored
    await context.print(`Restored ${path} with ${counted(transactions, "transaction")}`)
    if (replaced !== null) context.printError(`The replaced database is kept as ${replaced}`)
  },
})

const insteadOfRestore =
  "restore a dump with pg_restore into an empty database, or copy a backup file there with " +
  "`rewards copy --db FILE --to postgres://...`"
