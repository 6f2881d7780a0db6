import { type App, createApp } from "../app.ts"
import { createLog, type Log } from "../log.ts"
import { configOf, type FileArgs } from "./command.ts"
import { usingDatabase } from "./failures.ts"
import type { Surroundings } from "./surroundings.ts"

/** Opens the app for one command and lets go of the database behind it. A secret is not needed. */
export function withApp<T>(around: Surroundings, args: FileArgs, work: (app: App) => Promise<T>): Promise<T> {
  const config = configOf(around, args)
  return usingDatabase(config.db.path, async () => {
    const log = errorsOnly(createLog((lines) => around.tell(lines.trimEnd())))
    const app = await createApp(config, { log, clock: around.now, onMigrating: around.tell })
    try {
      return await work(app)
    } finally {
      await app.close()
      log.flush()
    }
  })
}

/** The result of a command is its output; only what went wrong beside it is worth a line. */
export const errorsOnly = (log: Log): Log => ({ ...log, info() {}, warn() {} })
