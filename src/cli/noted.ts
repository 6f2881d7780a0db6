import { auditEntry } from "../domain/audit-log.ts"
import type { AuditAction } from "../domain/model.ts"
import { noteBeside } from "../storage/sqlite/audit.ts"
import { operatorOf } from "./operator.ts"
import type { Surroundings } from "./surroundings.ts"

interface Done {
  /** The database. */
  readonly path: string
  readonly action: AuditAction
  readonly detail: string
}

/** Remembers what was done to a database that no app has open. It is done, whether that can be written or not. */
export function noteDone({ path, action, detail }: Done, around: Surroundings) {
  try {
    noteBeside(path, auditEntry(operatorOf(around), around.now(), action, { detail }))
  } catch (error) {
    around.tell(`the audit log could not be written: ${error instanceof Error ? error.message : String(error)}`)
  }
}
