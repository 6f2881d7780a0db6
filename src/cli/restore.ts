import { resolve } from "node:path"
import { restore as restoreBackup } from "../storage/sqlite/maintenance/restore.ts"
import { command, configOf, fileArgs, jsonArg } from "./command.ts"
import { usingDatabase } from "./failures.ts"
import { noteDone } from "./noted.ts"
import { counted, json } from "./text.ts"

/** Puts a backup in the place of the database, which is kept beside it. */
export const restore = command({
  name: "restore",
  description: "Put a backup in the place of the database",
  example: "rewards restore backups/rewards-20260105T090000Z.db",
  args: {
    file: { type: "positional", required: true, description: "The backup; it stays as it is" },
    "end-sessions": { type: "boolean", description: "End all sessions and all tokens" },
    ...jsonArg,
    ...fileArgs,
  },
  async run({ file, "end-sessions": endsSessions = false, ...args }, around) {
    const { path: shown } = configOf(around, args).db
    const path = resolve(around.cwd, shown)
    const restored = await usingDatabase(shown, () =>
      restoreBackup({
        path,
        file: resolve(around.cwd, file),
        endsSessions,
        now: around.now(),
      }),
    )
    noteDone({ path, action: "restore", detail: `from ${resolve(around.cwd, file)}` }, around)
    if (args.json) return around.print(json(restored))
    const { transactions, replaced } = restored
    await around.print(`Restored ${shown} with ${counted(transactions, "transaction")}`)
    if (replaced !== null) around.tell(`What it replaced is kept as ${replaced}`)
  },
})
