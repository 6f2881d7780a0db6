import type { Database } from "bun:sqlite"
import { createBoundedCache } from "../../../bounded-cache.ts"
import { confusableForms } from "../../../confusables.ts"
import { DatabaseDamaged } from "../../../domain/damage.ts"
import type { NewUser, User } from "../../../domain/model.ts"
import { emailKey, usernameCaseKey } from "../../../domain/people/fields.ts"

/** Columns of `users`, named as the fields of a `User`. */
export const userColumns = `users.id, email, username, avatar, bio, password, name, dept, currency,
  access_version AS accessVersion, refresh_version AS refreshVersion, kept_token AS keptToken,
  deactivated_at AS deactivatedAt, erased_at AS erasedAt`

/**
 * Adds a user. Raw SQL, because an import runs it 20,000 times. Every new database also begins by adding `admin`, and
 * without Drizzle's slow first query a new server starts faster.
 */
export function createUserInsert(client: Database) {
  const insert = client.prepare<User, (string | null)[]>(
    `INSERT INTO users (username, username_key, name, email, email_key, dept, currency, avatar, bio, password)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING ${userColumns}`,
  )
  return ({ username, name, email, dept, currency, avatar, bio, password }: NewUser): User => {
    const keys = { username: usernameCaseKey(username), email: emailKey(email) }
    const values = [username, keys.username, name, email, keys.email, dept, currency, avatar, bio, password]
    const created = insert.get(...values)
    if (!created) throw new Error("a user who was inserted was not returned")
    return created
  }
}

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

/** Names in memory: about 100 to 150 bytes each. */
const maxNames = 20_000

/** Caches names or usernames by user id, because they seldom change: reading 100 took 60 of the 100 µs of a page. */
export function createNameCache(client: Database, column: "name" | "username") {
  const row = client.prepare<{ name: string }, [number]>(`SELECT ${column} AS name FROM users WHERE id = ?`)
  let cache = createBoundedCache<number, string>(maxNames)

  return {
    of(userId: number): string {
      const known = cache.get(userId)
      if (known !== undefined) return known
      const found = row.get(userId)
      if (!found) throw new DatabaseDamaged(`user ${userId}, whom a transaction names, is missing`)
      cache.set(userId, found.name)
      return found.name
    },
    forget() {
      cache = createBoundedCache(maxNames)
    },
  }
}
