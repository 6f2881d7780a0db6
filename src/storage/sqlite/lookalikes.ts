import type { Database } from "bun:sqlite"
import { skeletonsOf } from "../../skeleton.ts"

interface Names {
  readonly skeletons: Set<string>
  lastId: number
}

export type Lookalikes = ReturnType<typeof createLookalikes>

/**
 * Which user names a reader would take for one that there is. Names never change, so that all are read once, and later
 * those that came after them: a look-up costs the same however many there are.
 */
export function createLookalikes(client: Database) {
  const after = client.prepare<{ id: number; username: string }, [number]>(
    "SELECT id, username FROM users WHERE id > ? ORDER BY id",
  )
  const committed: Names = { skeletons: new Set(), lastId: 0 }
  let uncommitted: Names = { skeletons: new Set(), lastId: 0 }

  return {
    /** To be called before each transaction that asks: what is added in it is remembered no longer than it lasts. */
    begin() {
      readOn(committed)
      uncommitted = { skeletons: new Set(), lastId: committed.lastId }
    },
    isTaken(username: string): boolean {
      readOn(uncommitted)
      return [...skeletonsOf(username)].some((seen) => committed.skeletons.has(seen) || uncommitted.skeletons.has(seen))
    },
  }

  function readOn(names: Names) {
    for (const { id, username } of after.iterate(names.lastId)) {
      for (const seen of skeletonsOf(username)) names.skeletons.add(seen)
      names.lastId = id
    }
  }
}
