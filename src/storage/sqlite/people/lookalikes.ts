import type { Database } from "bun:sqlite"
import { skeletonsOf } from "../../../confusables.ts"

type Kind = "username" | "name"

export type Lookalikes = ReturnType<typeof createLookalikes>

/** Which usernames and names a reader would take for one another, from the table of what they look like. All of it runs
 *  within the transaction that writes the user. */
export function createLookalikes(client: Database) {
  const find = client.prepare<{ user_id: number }, [string, string, number]>(
    "SELECT user_id FROM lookalikes WHERE kind = ? AND skeleton = ? AND user_id <> ? LIMIT 1",
  )
  const add = client.prepare<unknown, [string, string, number]>(
    "INSERT OR IGNORE INTO lookalikes (kind, skeleton, user_id) VALUES (?, ?, ?)",
  )
  const remove = client.prepare<unknown, [string, string, number]>(
    "DELETE FROM lookalikes WHERE kind = ? AND skeleton = ? AND user_id = ?",
  )

  return {
    /** Whether somebody else has a text of this kind that looks like this one. */
    isTaken: (kind: Kind, text: string, userId: number): boolean =>
      [...skeletonsOf(text)].some((skeleton) => find.get(kind, skeleton, userId)),

    come(userId: number, username: string, name: string) {
      for (const skeleton of skeletonsOf(username)) add.run("username", skeleton, userId)
      for (const skeleton of skeletonsOf(name)) add.run("name", skeleton, userId)
    },

    rename(userId: number, before: string, after: string) {
      for (const skeleton of skeletonsOf(before)) remove.run("name", skeleton, userId)
      for (const skeleton of skeletonsOf(after)) add.run("name", skeleton, userId)
    },
  }
}
