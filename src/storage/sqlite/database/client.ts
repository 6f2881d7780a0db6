import { Database } from "bun:sqlite"

/** Statements come from the client's cache, Drizzle's too: those it finalizes when it closes, and any other would keep
 *  the file open until it is collected. */
export function openClient(path: string, { create }: { readonly create: boolean }): Database {
  Database.MAX_QUERY_CACHE_SIZE = 1000
  const client = new Database(path, { readwrite: true, create, strict: true })
  client.prepare = client.query.bind(client)
  return client
}
