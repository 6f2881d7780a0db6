import type { Client } from "../../../src/storage/postgres/database/client.ts"
import { type ClientOptions, clientOf, migratedDatabase, testDatabase } from "../../support/postgres.ts"
import type { TcpProxy } from "../../support/tcp-proxy.ts"

export interface TestClient extends AsyncDisposable {
  readonly client: Client
  /** The name of the database. */
  readonly name: string
  readonly url: string
}

interface Options extends ClientOptions {
  /** Whether the database has the schema. */
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

/**
 * Cuts the network when a connection sends its first COMMIT (later ones do not contain the word): before the server
 * receives it, or before its answer passes. Resolves when that COMMIT is sent.
 */
export function breakCommit(proxy: TcpProxy, fate: "cut" | "pass and cut"): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  proxy.onSent = (bytes) => {
    if (!bytes.includes("COMMIT")) return "pass"
    proxy.onSent = () => "pass"
    resolve()
    return fate
  }
  return promise
}

/**
 * Waits until `count` connections wait for a lock of this database with a statement that contains `about`. Resolves
 * with the process ids of their backends.
 */
export async function untilWaiting(client: Client, count: number, about = ""): Promise<number[]> {
  for (let attempt = 0; attempt < 400; attempt++) {
    const waiting = await client.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE $1`,
      [`%${about}%`],
    )
    if (waiting.length === count) return waiting.map(({ pid }) => pid)
    await Bun.sleep(10)
  }
  throw new Error(`${count} connections do not wait for a lock`)
}
