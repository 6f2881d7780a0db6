import type { Database } from "bun:sqlite"
import { confusableForms } from "../../../confusables.ts"

type Kind = "username" | "name"

/** Finds usernames and names that a reader would confuse with another, from the table `confusables`. Everything here runs
 *  in the transaction that writes the user. */
export function createConfusables(client: Database) {
  const find = client.prepare<{ user_id: number }, [string, string, number]>(
    "SELECT user_id FROM confusables WHERE kind = ? AND skeleton = ? AND user_id <> ? LIMIT 1",
  )
  const insert = client.prepare<unknown, [string, string, number]>(
    "INSERT OR IGNORE INTO confusables (kind, skeleton, user_id) VALUES (?, ?, ?)",
  )
  const remove = client.prepare<unknown, [string, string, number]>(
    "DELETE FROM confusables WHERE kind = ? AND skeleton = ? AND user_id = ?",
  )

  return {
    /** Whether another user has a username or name that looks like `text`. */
    isTaken: (kind: Kind, text: string, userId: number): boolean =>
      [...confusableForms(text)].some((skeleton) => find.get(kind, skeleton, userId)),

    add(userId: number, username: string, name: string) {
      for (const skeleton of confusableForms(username)) insert.run("username", skeleton, userId)
      for (const skeleton of confusableForms(name)) insert.run("name", skeleton, userId)
    },

    rename(userId: number, before: string, after: string) {
      for (const skeleton of confusableForms(before)) remove.run("name", skeleton, userId)
      for (const skeleton of confusableForms(after)) insert.run("name", skeleton, userId)
    },
  }
}
