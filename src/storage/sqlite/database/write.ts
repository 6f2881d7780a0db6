import type { Database } from "bun:sqlite"
import { DomainError } from "../../../domain/errors.ts"
import type { Log } from "../../../log.ts"
import { codeOf, isFailedSync } from "./errors.ts"

/** When another try may be worth it. */
const retryAfterSeconds = 5

/** Where a transaction stands when something goes wrong. */
type Step = "begin" | "work" | "commit"

interface Dependencies {
  readonly client: Database
  readonly log: Log
  /** Throws once `fail` was called. */
  readonly demandSound: () => void
  /** Told that nothing may be written any more. */
  readonly fail: (error: unknown) => void
  /** Why what was committed is seen by nobody else; null when it is in its place. */
  readonly lost: () => Error | null
  readonly afterCommit: () => void
}

/**
 * Runs work in one transaction with the write lock held from the start, and returns once it is durable.
 *
 * Two troubles leave no trace, so that serving goes on and the next write tries anew: a disk that is full, which SQLite
 * notices before the mark of the commit is whole, and a lock that another process holds. They are a DomainError
 * `unwritable`. After any other failure of a commit, and after a failed sync wherever it happens, nobody knows what is
 * on disk: the system drops what it could not write, and would call the next sync a success.
 */
export function createWrite({ client, log, demandSound, fail, lost, afterCommit }: Dependencies) {
  const begin = client.prepare("BEGIN IMMEDIATE")
  const commit = client.prepare("COMMIT")
  let isTroubled = false

  return <T>(work: () => T): T => {
    demandSound()
    take("begin", () => begin.run())
    const result = take("work", work)
    take("commit", () => commit.run())
    demandInPlace()
    if (isTroubled) log.info("the database can be written again")
    isTroubled = false
    afterCommit()
    return result
  }

  function demandInPlace() {
    const fault = lost()
    if (fault === null) return
    fail(fault)
    throw fault
  }

  function take<T>(step: Step, act: () => T): T {
    try {
      return act()
    } catch (error) {
      const trouble = passingTrouble(step, error)
      const isUnknown = isFailedSync(error) || (step === "commit" && trouble === null)
      if (isUnknown) fail(error) // first, since the disk may fail the next statement too
      // SQLite may have rolled back already. Nobody may read what nobody was promised.
      if (client.inTransaction) client.run("ROLLBACK")
      throw trouble === null ? error : refusal(trouble, error)
    }
  }

  function refusal(trouble: string, error: unknown): DomainError {
    if (!isTroubled) log.warn("the database cannot be written for now", { reason: trouble, error: String(error) })
    isTroubled = true
    return new DomainError("unwritable", undefined, retryAfterSeconds, { cause: error })
  }
}

function passingTrouble(step: Step, error: unknown): string | null {
  const code = codeOf(error)
  if (code === "SQLITE_FULL") return "the disk is full"
  if (code.startsWith("SQLITE_BUSY") && step === "begin") return "another process keeps it locked"
  return null
}
