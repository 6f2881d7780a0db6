import type { User } from "../../../domain/model.ts"
import type { Connection } from "../database/connection.ts"

/** What is kept in memory; all of it is forgotten where there would be more. About 1 KB each. */
const maxKept = 10_000

/**
 * Users by name, remembered as long as no other connection has written, and until this one changes them: each request
 * asks for two to four, and reading one anew costs as much as appending a transaction (2 µs; from memory 0.1).
 */
export function rememberUsers(
  { write, versions }: Pick<Connection, "write" | "versions">,
  find: (username: string) => User | null,
) {
  const kept = new Map<string, User>()
  let seen = -1

  return {
    byUsername(username: string): User | null {
      const version = versions.ofTick()
      if (version !== seen || kept.size > maxKept) kept.clear()
      seen = version
      const known = kept.get(username)
      if (known) return known
      const user = find(username)
      if (user) kept.set(username, Object.freeze(user))
      return user
    },
    /** Runs a write that changes what is stored of users. */
    change<T>(work: () => T): T {
      kept.clear()
      return write(work)
    },
  }
}
