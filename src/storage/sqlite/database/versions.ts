import type { Database } from "bun:sqlite"
import { currentTick } from "../../../tick.ts"

export type Versions = ReturnType<typeof createVersions>

/** Tells whether another connection has written, or this one changed what is remembered: what this one remembers holds as long as the version is the same. */
export function createVersions(client: Database) {
  const dataVersion = client.prepare<{ data_version: number }, []>("PRAGMA data_version")
  let version = -1
  let ownChanges = 0
  let lookedIn = -1

  return {
    /** Exact in a transaction, right after its begin. */
    look(): number {
      version = (dataVersion.get()?.data_version ?? -1) + ownChanges
      return version
    },
    /** To be called when this connection changes what is remembered: the version is another then. */
    change() {
      ownChanges += 1
      lookedIn = -1
    },
    /** As of this turn of the event loop. */
    ofTurn(): number {
      if (lookedIn !== currentTick()) this.look()
      lookedIn = currentTick()
      return version
    },
  }
}
