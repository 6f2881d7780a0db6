import type { ScheduleStore } from "../../domain/store.ts"
import type { Client } from "./database/client.ts"

/** `ScheduleStore`. One statement decides, so of several processes one gets the lease. */
export function createScheduleStore(client: Client): ScheduleStore {
  return {
    async claim({ name, everyMs, leaseMs }, owner, now) {
      const { count } = await client.query(
        `INSERT INTO scheduled_work AS work (name, due_at, locked_by, locked_until) VALUES ($1, $2, $3, $2::bigint + $4::bigint)
         ON CONFLICT (name) DO UPDATE SET locked_by = excluded.locked_by, locked_until = excluded.locked_until
         WHERE CASE WHEN work.locked_until > $2 AND work.locked_until <= $2::bigint + 2 * $4::bigint
           THEN work.locked_by = $3
           ELSE work.due_at <= $2 OR work.due_at > $2::bigint + 2 * $5::bigint END`,
        [name, now, owner, leaseMs, everyMs],
      )
      return count > 0
    },
    async settle(name, owner, dueAt) {
      const { count } = await client.query(
        `UPDATE scheduled_work SET due_at = $3, locked_by = NULL, locked_until = NULL
         WHERE name = $1 AND locked_by = $2`,
        [name, owner, dueAt],
      )
      return count > 0
    },
  }
}
