import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { type App, createApp } from "../app.ts"
import { createLog, type Log } from "../log.ts"
import { DatabaseUnusable } from "../storage/sqlite/database/errors.ts"
import { refuseMissing } from "../storage/sqlite/maintenance/watermark.ts"
import { configOf, type FileArgs } from "./command.ts"
import { usingDatabase } from "./failures.ts"
import type { Surroundings } from "./surroundings.ts"

/** Opens the app for one command and closes the database afterwards. A secret is not needed. */
export function withApp<T>(around: Surroundings, args: FileArgs, work: (app: App) => Promise<T>): Promise<T> {
  return usingDatabase(configOf(around, args).db.path, async () => {
    refuseMistyped(around, args)
    return withNewApp(around, args, work)
  })
}

/** The same for commands that may create the database that --db names. */
export function withNewApp<T>(around: Surroundings, args: FileArgs, work: (app: App) => Promise<T>): Promise<T> {
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

/** A mistyped --db must not become a new, empty database. @throws DatabaseUnusable */
export function refuseMistyped({ cwd }: Surroundings, { db }: FileArgs) {
  if (db === undefined || existsSync(resolve(cwd, db))) return
  refuseMissing(resolve(cwd, db))
  throw new DatabaseUnusable(
    `there is no such file; see that --db is right, or create it with: rewards migrate --db ${db}`,
  )
}

/** The result of a command is its output; only what went wrong beside it is worth a line. */
export const errorsOnly = (log: Log): Log => ({ ...log, info() {}, warn() {} })
