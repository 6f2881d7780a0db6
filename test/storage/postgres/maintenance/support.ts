import { SQL } from "bun"
import { parseDatabaseUrl } from "../../../../src/config/database-url.ts"
import type { Note } from "../../../../src/domain/model.ts"
import type { OpenStore } from "../../../../src/storage/opening.ts"
import { openStore } from "../../../../src/storage/postgres/store.ts"
import { allow, threePeople } from "../../contract/people.ts"
import { silent } from "../../files.ts"

export function urlOf(text: string) {
  const url = parseDatabaseUrl(text)
  if (url === undefined) throw new Error(`not a database URL: ${text}`)
  return url
}

export const storeAt = (url: string): Promise<OpenStore> => openStore({ url: urlOf(url), poolSize: 3, log: silent })

export const thanks: Note = { reason: "Thanks", tags: ["help"], isPrivate: true }

/** Ana sent Bruno 5 points four times, Bruno sent Carla 3 with thanks and himself 2. */
export async function writeLedger(store: OpenStore) {
  const { ana, bruno, carla } = await threePeople(store)
  const post = (senderId: number, receiverId: number, value: number) =>
    store.ledger.post(
      { kind: "transfer", senderId, receiverId, value, date: 1_000, note: value === 3 ? thanks : undefined },
      allow,
    )
  for (let count = 0; count < 4; count += 1) await post(ana.id, bruno.id, 5)
  await post(bruno.id, carla.id, 3)
  await post(bruno.id, bruno.id, 2)
  return { ana, bruno, carla }
}

/** Runs SQL as an administrator could, around the triggers and references that keep the ledger as it is. */
export async function tamper(url: string, sql: string) {
  const client = new SQL(url, { max: 1 })
  try {
    await client.unsafe(`SET session_replication_role = replica; ${sql}`)
  } finally {
    await client.close()
  }
}
