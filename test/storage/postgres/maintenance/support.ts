import { SQL } from "bun"
import { parseDatabaseUrl } from "../../../../src/config/database-url.ts"
import type { OpenStore } from "../../../../src/storage/open-store.ts"
import { openStore } from "../../../../src/storage/postgres/store.ts"
import { silent } from "../../files.ts"

export function urlOf(text: string) {
  const url = parseDatabaseUrl(text)
  if (url === undefined) throw new Error(`not a database URL: ${text}`)
  return url
}

export const storeAt = (url: string): Promise<OpenStore> => openStore({ url: urlOf(url), poolSize: 3, log: silent })

/** Runs SQL as an administrator could, without the triggers and foreign keys that protect the ledger. */
export async function tamper(url: string, sql: string) {
  const client = new SQL(url, { max: 1 })
  try {
    await client.unsafe(`SET session_replication_role = replica; ${sql}`)
  } finally {
    await client.close()
  }
}
