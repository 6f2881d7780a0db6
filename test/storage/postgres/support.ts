import { parseDatabaseUrl } from "../../../src/config/database-url.ts"
import { createLog } from "../../../src/log.ts"
import { type Client, createClient } from "../../../src/storage/postgres/database/client.ts"
import { migrate } from "../../../src/storage/postgres/database/migrate.ts"
import { type TestDatabase, testDatabase } from "../../support/postgres.ts"

export interface TestClient extends AsyncDisposable {
  readonly client: Client
  /** Of the database. */
  readonly name: string
  readonly url: string
}

export interface ClientOptions {
  readonly poolSize?: number
  readonly patienceMs?: number
}

interface Options extends ClientOptions {
  /** Whether the schema is there. */
  readonly migrated?: boolean
}

/** A client of a new database, which is empty unless `migrated`. */
export async function testClient({ migrated = false, ...options }: Options = {}): Promise<TestClient> {
  const database = await testDatabase()
  const client = clientOf(database, options)
  if (migrated) await migrate(client, { now: 1 })
  return {
    client,
    name: database.name,
    url: database.url,
    async [Symbol.asyncDispose]() {
      await client.close()
      await database[Symbol.asyncDispose]()
    },
  }
}

export function clientOf({ url }: Pick<TestDatabase, "url">, { poolSize = 4, ...options }: ClientOptions = {}): Client {
  const parsed = parseDatabaseUrl(url)
  if (parsed === undefined) throw new Error(`not a database URL: ${url}`)
  return createClient({ ...options, url: parsed, poolSize, log: createLog(() => {}) })
}
