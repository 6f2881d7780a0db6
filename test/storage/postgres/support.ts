import type { Client } from "../../../src/storage/postgres/database/client.ts"
import { type ClientOptions, clientOf, migratedDatabase, testDatabase } from "../../support/postgres.ts"

export interface TestClient extends AsyncDisposable {
  readonly client: Client
  /** Of the database. */
  readonly name: string
  readonly url: string
}

interface Options extends ClientOptions {
  /** Whether the schema is there. */
  readonly migrated?: boolean
}

/** A client of a new database, which is empty unless `migrated`. */
export async function testClient({ migrated = false, ...options }: Options = {}): Promise<TestClient> {
  const database = await (migrated ? migratedDatabase() : testDatabase())
  const client = clientOf(database, options)
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
