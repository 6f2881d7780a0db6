import { resolve } from "node:path"
import { maintenanceOf } from "../storage/open.ts"
import { restore as restoreBackup } from "../storage/sqlite/maintenance/restore.ts"
import { recordAction } from "./support/app.ts"
import { command, databaseFileOf, fileArgs, jsonArg } from "./support/command.ts"
import { usingDatabase } from "./support/failures.ts"
import { counted, json } from "./support/output.ts"

/** Replaces the database by a backup and keeps the replaced file. */
export const restore = command({
  name: "restore",
  description: "Replace the database by a backup",
  example: "rewards restore backups/rewards-20260105T090000Z.db",
  args: {
    file: { type: "positional", required: true, description: "The backup; it is not changed" },
    "end-sessions": { type: "boolean", description: "End all sessions and all tokens" },
    ...jsonArg,
    ...fileArgs,
  },
  async run({ file, "end-sessions": endsSessions = false, ...args }, context) {
    const shown = databaseFileOf(context, args, instead)
    const path = resolve(context.cwd, shown)
    const restored = await usingDatabase({ path: shown, url: null }, () =>
      restoreBackup({
        path,
        file: resolve(context.cwd, file),
        endsSessions,
        now: context.now(),
      }),
    )
    const database = await maintenanceOf({ path, url: null })
    await recordAction({ database, action: "restore", detail: `from ${resolve(context.cwd, file)}` }, context)
    if (args.json) return context.print(json(restored))
    const { transactions, replaced } = restored
    await context.print(`Restored ${shown} with ${counted(transactions, "transaction")}`)
    if (replaced !== null) context.printError(`The replaced database is kept as ${replaced}`)
  },
})

const instead =
  "restore a dump with pg_restore into an empty database, or copy a backup file there with " +
  "`rewards copy --db FILE --to postgres://...`"
