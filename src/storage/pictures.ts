import { avatarPath } from "../domain/people/avatars.ts"
import type { Picture } from "../domain/people/model.ts"
import type { Tx } from "./database.ts"
import { row, sql } from "./sql.ts"
import { avatars, rewards, users } from "./tables.ts"

/**
 * Stores a picture that a user or a reward is about to get, and returns its address. Locks its row, so that a transaction that
 * deletes unused pictures waits until it is used.
 */
export function keepPicture(tx: Pick<Tx, "send">, picture: Picture): string {
  tx.send(sql`INSERT INTO ${avatars} ${row(avatars, picture)} ON CONFLICT (hash) DO UPDATE SET hash = excluded.hash`)
  return avatarPath + picture.hash
}

/** Deletes the picture at this address unless somebody uses it. A trigger does this for users. */
export function dropUnusedPicture(tx: Pick<Tx, "send">, address: string) {
  const hash = address.slice(avatarPath.length)
  // The lock waits until another transaction's use of the picture shows.
  tx.send(sql`SELECT 1 FROM ${avatars} WHERE ${avatars.hash} = ${hash} FOR UPDATE`)
  tx.send(sql`DELETE FROM ${avatars} WHERE ${avatars.hash} = ${hash}
    AND NOT EXISTS (SELECT 1 FROM ${users} WHERE ${users.avatar} = ${address})
    AND NOT EXISTS (SELECT 1 FROM ${rewards} WHERE ${rewards.picture} = ${address})`)
}
