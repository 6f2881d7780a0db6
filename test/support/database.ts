import { Database, type SQLQueryBindings } from "bun:sqlite"
import { copyFile, readFile } from "node:fs/promises"
import { join } from "node:path"
import type { Client } from "../../src/storage/postgres/database/client.ts"
import { clientOf, copyOf, migratedDatabase, type TestDatabase, writtenAheadLogs } from "./postgres.ts"

/**
 * REWARDS_TEST_STORE=postgresql runs tests on PostgreSQL. test/postgresql/ lists the suites that apply to both stores.
 */
const onPostgresql = process.env.REWARDS_TEST_STORE === "postgresql"

/** A database: the URL if there is one, otherwise the file. */
export interface Place {
  readonly path: string
  readonly url: string | null
}

/** The databases on PostgreSQL, by the folder that holds the file on SQLite. */
const databases = new Map<string, Promise<TestDatabase>>()

/** The database of the programs that work in this folder. On PostgreSQL, the first call creates it. */
export async function databaseIn(folder: string): Promise<Place> {
  const path = join(folder, "rewards.db")
  if (!onPostgresql) return { path, url: null }
  const database = databases.get(folder) ?? migratedDatabase()
  databases.set(folder, database)
  return { path, url: (await database).url }
}

/** Copies the database of the folder `from`, which no program has open, to the new folder `to`. */
export async function copyDatabase(from: string, to: string): Promise<void> {
  const original = await databases.get(from)
  if (original === undefined) return copyFile(join(from, "rewards.db"), join(to, "rewards.db"))
  await disconnect(original)
  databases.set(to, copyOf(original))
}

/** Removes the database of a folder if it is on PostgreSQL. A file goes with the folder. */
export async function dropDatabase(folder: string): Promise<void> {
  const database = await databases.get(folder)
  databases.delete(folder)
  if (database === undefined) return
  await disconnect(database)
  await database[Symbol.asyncDispose]()
}

/** The setting for this database, by "section.key". */
export const databaseSetting = ({ path, url }: Place): Record<string, string> =>
  url === null ? { "db.path": path } : { "db.url": url }

/** The environment variable for a program that works in the folder of this database. */
export const databaseVariable = ({ url }: Place): Record<string, string> =>
  url === null ? {} : { REWARDS_DB__URL: url }

const clients = new Map<string, Client>()

function clientAt(url: string): Client {
  const client = clients.get(url) ?? clientOf({ url }, { poolSize: 1 })
  clients.set(url, client)
  return client
}

async function disconnect({ url }: TestDatabase) {
  await clients.get(url)?.close()
  clients.delete(url)
}

/** Runs statements with `$1`, `$2`, …, while servers may have the database open. */
export interface Queries extends Disposable {
  query<T>(text: string, parameters?: readonly (string | number)[]): Promise<T[]>
}

/** For many statements: each opening of a file reads its whole schema. */
export function queriesTo({ path, url }: Place): Queries {
  if (url !== null)
    return { query: (text, parameters = []) => clientAt(url).query(text, parameters), [Symbol.dispose]() {} }
  const client = new Database(path)
  client.run("PRAGMA busy_timeout = 5000")
  return {
    query: async <T>(text: string, parameters: readonly (string | number)[] = []) =>
      client.query<T, SQLQueryBindings[]>(text).all(...parameters),
    [Symbol.dispose]: () => client.close(),
  }
}

/** Runs one statement. */
export async function query<T>(place: Place, text: string, parameters?: readonly (string | number)[]): Promise<T[]> {
  using queries = queriesTo(place)
  return await queries.query<T>(text, parameters)
}

/** All stored bytes on the disk, also those of the log. */
export async function bytesOf({ path, url }: Place): Promise<string> {
  const files = url === null ? [path, `${path}-wal`] : await writtenAheadLogs()
  return (await Promise.all(files.map((file) => readFile(file, "latin1")))).join("")
}
