import { type DatabaseUrl, parseDatabaseUrl, shownUrl } from "../config/database-url.ts"
import type { SecretlessConfig } from "../config/settings.ts"
import type { FileMaintenance, ServerMaintenance } from "./maintenance.ts"
import type { OpenStore, StoreOptions } from "./open-store.ts"
import { asUnusable as asUnusableFile } from "./sqlite/database/errors.ts"
import { openStore as openSqlite } from "./sqlite/store.ts"

/** Where the data is: at the URL, or in the file when that is null. */
type Location = Pick<SecretlessConfig["db"], "path" | "url">

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
export async function maintenanceOf({ path, url }: Location): Promise<FileMaintenance | ServerMaintenance> {
  if (url === null) return fileMaintenanceOf(path)
  const { maintenanceOf: maintenanceOfPostgres } = await import("./postgres/maintenance/maintenance.ts")
  return maintenanceOfPostgres(parsed(url))
}

/** For what is only done to a database file. */
export async function fileMaintenanceOf(path: string): Promise<FileMaintenance> {
  const { maintenanceOf: maintenanceOfSqlite } = await import("./sqlite/maintenance/maintenance.ts")
  return maintenanceOfSqlite(path)
}

/**
 * Turns an error that says why this database cannot be used into a DatabaseUnusable; returns any other error unchanged. Of
 * a database file every statement may meet one, such as that of a full disk.
 */
export const asUnusable = (error: unknown, { path, url }: Location): unknown =>
  url === null ? asUnusableFile(error, path) : error

/** The name of the database in messages: the file, or the URL without its password. */
export const databaseName = ({ path, url }: Location): string => (url === null ? path : shownUrl(parsed(url)))

/** Throws only for a bug, because the setting was checked when it was loaded. */
function parsed(url: string): DatabaseUrl {
  const database = parseDatabaseUrl(url)
  if (database === undefined) throw new Error("db.url is not the URL of a database")
  return database
}
