import { resolve } from "node:path"
import { partialOf, removeAbandoned, removePartial } from "../storage/sqlite/database/files.ts"
import { type Backup, backUp } from "../storage/sqlite/maintenance/backup.ts"
import { createBackupFolder } from "../storage/sqlite/maintenance/backup-schedule.ts"
import { command, configOf, fileArgs, jsonArg } from "./command.ts"
import { usingDatabase } from "./failures.ts"
import { noteDone } from "./noted.ts"
import type { Surroundings } from "./surroundings.ts"
import { counted, json } from "./text.ts"

/** Writes a verified copy of the database beside whoever has it open. */
export const backup = command({
  name: "backup",
  description: "Write a verified copy of the database while it is served",
  example: "rewards backup /mnt/backups/rewards.db",
  args: {
    file: {
      type: "positional",
      required: false,
      description: "Where to, or - for standard output; without it a new file in the folder backup.dir",
    },
    ...jsonArg,
    ...fileArgs,
  },
  async run({ file, ...args }, around) {
    const config = configOf(around, args)
    const path = resolve(around.cwd, config.db.path)
    around.stepBack()
    await usingDatabase(config.db.path, async () => {
      if (file === "-") {
        await pourBackup(path, around)
        return noteDone({ path, action: "backup", detail: "to standard output" }, around)
      }
      const now = around.now()
      const target =
        file === undefined
          ? createBackupFolder({ path, dir: config.backup.dir }).fileAt(now)
          : resolve(around.cwd, file)
      const made = await backUp({ path, file: target, now })
      noteDone({ path, action: "backup", detail: made.file }, around)
      await around.print(args.json ? json(made) : `Wrote ${made.file}: ${sizeOf(made)}, verified`)
    })
  },
})

/** Whoever reads slowly keeps only a file waiting, and no state of the database. */
async function pourBackup(path: string, { pour, now }: Surroundings) {
  const name = `${path}.backup`
  const file = partialOf(name)
  removeAbandoned(name, now())
  try {
    await backUp({ path, file, now: now() })
    await pour(file)
  } finally {
    removePartial(file)
  }
}

const sizeOf = ({ transactions, bytes }: Backup): string =>
  `${counted(transactions, "transaction")}, ${(bytes / 1e6).toFixed(1)} MB`
