import type { User } from "./model.ts"

/** Who reports to whom. */
export type ManagedUser = Pick<User, "id" | "username" | "managerId">

/** The rule that a manager who has left breaks. */
export const hasLeft = "this person has left"

/** How the audit log calls the manager of somebody who has none. No username has parentheses around it. */
export const nobody = "(nobody)"

/** The usernames of a manager and of the next; null for nobody. */
export interface ManagerNames {
  readonly before: string | null
  readonly after: string | null
}

/** The description of a change of manager in the audit log, by usernames. */
export const managerChange = (before: string | null, after: string | null): string =>
  `${before ?? nobody} -> ${after ?? nobody}`

/**
 * Those who report to themselves through others, or directly. `managerOf` has the manager of each person, and null for
 * nobody; whoever is not in it has none.
 */
export function inCircles<Key>(managerOf: ReadonlyMap<Key, Key | null>): ReadonlySet<Key> {
  const circles = new Set<Key>()
  const seen = new Set<Key>()
  for (const start of managerOf.keys()) {
    const way = new Set<Key>()
    let next: Key | null = start
    for (; next !== null && !seen.has(next); next = managerOf.get(next) ?? null) {
      seen.add(next)
      way.add(next)
    }
    if (next === null || !way.has(next)) continue
    for (const one of [...way].slice([...way].indexOf(next))) circles.add(one)
  }
  return circles
}
