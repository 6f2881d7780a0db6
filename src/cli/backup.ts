import { resolve } from "node:path"
import type { Backup, FileMaintenance } from "../storage/maintenance.ts"
import { fileMaintenanceOf } from "../storage/open.ts"
import { problemOf } from "../support/system-errors.ts"
import { recordAction } from "./support/app.ts"
import { flag, pathArg } from "./support/arguments.ts"
import { type CommandContext, command, configOf, databaseFileOf, fileArgs, jsonArg } from "./support/command.ts"
import { isClosedPipe, Refusal, usingDatabase } from "./support/failures.ts"
import { counted, json, newestLine } from "./support/terminal.ts"

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
    ...jsonArg,
    ...fileArgs,
  },
  async run({ file, ...args }, context) {
    const config = configOf(context, args)
    const path = resolve(context.cwd, databaseFileOf(context, args, insteadOfBackup))
    const database = await fileMaintenanceOf(path)
    context.lowerPriority()
    await usingDatabase(config.db, async () => {
      if (file === "-") {
        await printBackup(database, context)
        return recordAction({ database, action: "backup", detail: "to standard output" }, context)
      }
      const now = context.now()
      const target =
        file === undefined ? database.backupFolder(config.backup.dir).fileAt(now) : resolve(context.cwd, file)
      const made = await database.backUp({ file: target, now })
      await recordAction({ database, action: "backup", detail: made.file }, context)
      const lines = [`Wrote ${made.file}: ${sizeOf(made)}, verified`, ...newestLine(made.newest)]
      await context.print(args.json ? json(made) : lines.join("\n"))
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
  `${counted(transactions, "transaction")}, ${(bytes / 1e6).toFixed(1)} MB`

/** Replaces the database with a backup and keeps the replaced file. */
export const restore = command({
  name: "restore",
  description: "Replace the database with a backup",
  example: "rewards restore backups/rewards-20260105T090000Z.db",
  args: {
    file: { ...pathArg, required: true, description: "The backup; it is not changed" },
    "end-sessions": flag("End all sessions and all tokens"),
    ...jsonArg,
    ...fileArgs,
  },
  async run({ file, "end-sessions": endsSessions = false, ...args }, context) {
    const shown = databaseFileOf(context, args, insteadOfRestore)
    const database = await fileMaintenanceOf(resolve(context.cwd, shown))
    const source = resolve(context.cwd, file)
    const restored = await usingDatabase({ path: shown, url: null }, () =>
      database.restore({ file: source, endsSessions, now: context.now() }),
    )
    await recordAction({ database, action: "restore", detail: `from ${source}` }, context)
    if (args.json) return context.print(json(restored))
    const { transactions, replaced } = restored
    await context.print(`Restored ${shown} with ${counted(transactions, "transaction")}`)
    if (replaced !== null) context.printError(`The replaced database is kept as ${replaced}`)
  },
})

const insteadOfRestore =
  "restore a dump with pg_restore into an empty database, or copy a backup file there with " +
  "`rewards copy --db FILE --to postgres://...`"
