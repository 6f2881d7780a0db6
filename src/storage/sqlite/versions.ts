import type { Database } from "bun:sqlite"
import { turn } from "../../turn.ts"

export type Versions = ReturnType<typeof createVersions>

/** Tells whether another connection has written: what this one remembers holds as long as the version is the same. */
export function createVersions(client: Database) {
  const dataVersion = client.prepare<{ data_version: number }, []>("PRAGMA data_version")
  let version = -1
  let lookedIn = -1

  return {
    /** Exact in a transaction, right after its begin. */
    look(): number {
      version = dataVersion.get()?.data_version ?? -1
      return version
    },
    /** As of this turn of the event loop. */
    ofTurn(): number {
      if (lookedIn !== turn()) this.look()
      lookedIn = turn()
      return version
    },
  }
}
