import { type DatabaseUrl, parseDatabaseUrl, shownUrl } from "../config/database-url.ts"
import type { SecretlessConfig } from "../config/settings.ts"
import type { Maintenance } from "./maintenance.ts"
import type { OpenStore, StoreOptions } from "./open-store.ts"
import { openStore as openSqlite } from "./sqlite/store.ts"

type DatabaseSettings = SecretlessConfig["db"]

/**
 * Opens the database that the settings name, and brings it up to date. Only this file chooses between the stores.
 * @throws DatabaseUnusable with the cure
 */
export async function openStore({ db, ...options }: StoreOptions): Promise<OpenStore> {
  if (db.url === null) return openSqlite({ ...options, path: db.path })
  // Imported here, not at the top, so that a start with a database file does not load it.
  const { openStore: openPostgres } = await import("./postgres/store.ts")
  return openPostgres({ ...options, url: parsed(db.url), poolSize: db.pool_size })
}

/** `Maintenance` of the database, for the command line. Imported only here, so that a server does not load it. */
export async function maintenanceOf({ path, url }: Pick<DatabaseSettings, "path" | "url">): Promise<Maintenance> {
  if (url === null) {
    const { maintenanceOf: maintenanceOfSqlite } = await import("./sqlite/maintenance/maintenance.ts")
    return maintenanceOfSqlite(path)
  }
  const { maintenanceOf: maintenanceOfPostgres } = await import("./postgres/maintenance/maintenance.ts")
  return maintenanceOfPostgres(parsed(url))
}

/** The name of the database in messages: the file, or the URL without its password. */
export const databaseName = ({ path, url }: Pick<DatabaseSettings, "path" | "url">): string =>
  url === null ? path : shownUrl(parsed(url))

/** Throws only for a bug, because the setting was checked when it was loaded. */
function parsed(url: string): DatabaseUrl {
  const database = parseDatabaseUrl(url)
  if (database === undefined) throw new Error("db.url is not the URL of a database")
  return database
}
