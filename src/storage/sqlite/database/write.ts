import type { Database } from "bun:sqlite"
import { DomainError } from "../../../domain/errors.ts"
import type { Log } from "../../../log.ts"
import { codeOf, isFailedSync } from "./errors.ts"

/** When a client should retry. */
const retryAfterSeconds = 5

/** The step of a transaction that failed. */
type Step = "begin" | "work" | "commit"

interface Dependencies {
  readonly client: Database
  readonly log: Log
  /** Throws after `fail` was called. */
  readonly demandSound: () => void
  /** Called when nothing may be written any more. */
  readonly fail: (error: unknown) => void
  /** Why nobody else can see what was committed; null when the files are in place. */
  readonly lost: () => Error | null
  readonly afterCommit: () => void
}

/**
 * Runs work in one transaction that holds the write lock from the start, and returns once the commit is durable.
 *
 * Two failures leave no trace, so serving continues and the next write tries again: a full disk, which SQLite notices before
 * the commit record is complete, and a lock held by another process. They become DomainError `unwritable`. After any other
 * failed commit, and after a failed sync anywhere, what is on disk is unknown: the system drops what it could not write and
 * would report the next sync as a success.
 */
export function createWrite({ client, log, demandSound, fail, lost, afterCommit }: Dependencies) {
  const begin = client.prepare("BEGIN IMMEDIATE")
  const commit = client.prepare("COMMIT")
  let isFailing = false

  return <T>(work: () => T): T => {
    demandSound()
    attempt("begin", () => begin.run())
    const result = attempt("work", work)
    attempt("commit", () => commit.run())
    checkInPlace()
    if (isFailing) log.info("the database can be written again")
    isFailing = false
    afterCommit()
    return result
  }

  function checkInPlace() {
    const fault = lost()
    if (fault === null) return
    fail(fault)
    throw fault
  }

  function attempt<T>(step: Step, act: () => T): T {
    try {
      return act()
    } catch (error) {
      const trouble = passingFault(step, error)
      const isUnknown = isFailedSync(error) || (step === "commit" && trouble === null)
      if (isUnknown) fail(error) // first, because the next statement may fail as well
      // SQLite may have rolled back already. If not, nobody may read what was not acknowledged.
      if (client.inTransaction) client.run("ROLLBACK")
      throw trouble === null ? error : refusal(trouble, error)
    }
  }

  function refusal(trouble: string, error: unknown): DomainError {
    if (!isFailing) log.warn("the database cannot be written for now", { reason: trouble, error: String(error) })
    isFailing = true
    return new DomainError("unwritable", undefined, retryAfterSeconds, { cause: error })
  }
}

function passingFault(step: Step, error: unknown): string | null {
  const code = codeOf(error)
  if (code === "SQLITE_FULL") return "the disk is full"
  if (code.startsWith("SQLITE_BUSY") && step === "begin") return "another process keeps it locked"
  return null
}
