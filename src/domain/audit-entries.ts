import type { AuditAction, AuditEntry, Origin } from "./model.ts"
/** The part of the port that remembers who did what; store.ts has the rest. Times are milliseconds since the epoch, UTC. */

/** What an act leaves. */
export const auditEntry = (
  { who, way, address }: Origin,
  at: number,
  action: AuditAction,
  { whom = null, detail = null }: { whom?: string | null; detail?: string | null } = {},
): AuditEntry => ({ at, action, who, whom, way, address, count: 1, detail })
