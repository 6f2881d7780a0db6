import type { AuditEntry } from "../domain/audit/ports.ts"
import type { CopySource, CopyTarget } from "./copy/copy.ts"
import type { DiagnosisRequest, ServerDiagnosis } from "./diagnosis.ts"
import type { Anchoring, OnProgress, Verification } from "./verify/ledger.ts"

/** What the command line does with a database without opening it as a store. Each kind of database implements it. */
export interface Maintenance {
  /**
   * Checks the database for damage and lost transactions. Does not migrate it. Other processes may use it meanwhile.
   * @throws DatabaseUnusable when it cannot be checked
   */
  verify(request: VerifyRequest): Promise<Verification>
  /**
   * Drops everything in the database, so that the next start finds an empty one.
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
   * @throws DatabaseUnusable when something else is there already, or another process has it open
   */
  asTarget<T>(work: (target: CopyTarget) => Promise<T>): Promise<T>
  /** Adds an entry to the audit log. */
  recordAudit(entry: AuditEntry): Promise<void>
  /**
   * Reads the facts about a database server for `rewards doctor`; null for a database file
   * (sqlite/maintenance/diagnose.ts).
   */
  readonly diagnoseServer: ((request: DiagnosisRequest) => Promise<ServerDiagnosis>) | null
}

export interface VerifyRequest {
  /** Accepts the database as it is when the watermark says that transactions are missing. */
  readonly accepts: boolean
  readonly onProgress?: OnProgress | undefined
  readonly anchoring?: Anchoring | undefined
}
