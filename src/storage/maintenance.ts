import type { AuditEntry } from "../domain/model.ts"
import type { CopySource, CopyTarget } from "./copy/sides.ts"
import type { OnProgress, Verification } from "./verify/finding.ts"

/** What the command line does with a database that it has not opened as a store: every store can. */
export interface Maintenance {
  /**
   * Checks the database for damage and lost transactions, without bringing it up to date and while processes use it.
   * @throws DatabaseUnusable when it cannot be judged
   */
  verify(request: VerifyRequest): Promise<Verification>
  /**
   * Drops everything in the database, so that the next start finds it new.
   * @throws DatabaseUnusable when another process has it open, or it is another program's; nothing is dropped then
   */
  reset(): Promise<void>
  /**
   * Reads the database for a copy.
   * @throws DatabaseUnusable when another process has it open, or it is not up to date
   */
  asSource<T>(work: (source: CopySource) => Promise<T>): Promise<T>
  /**
   * Writes a new database, or continues an unfinished copy.
   * @throws DatabaseUnusable when there is something else, or another process has it open
   */
  asTarget<T>(work: (target: CopyTarget) => Promise<T>): Promise<T>
  /** Adds an entry to the audit log. */
  note(entry: AuditEntry): Promise<void>
}

export interface VerifyRequest {
  /** Goes on with the database as it was found, where a watermark says that transactions are missing. */
  readonly accepts: boolean
  readonly onProgress?: OnProgress | undefined
}
