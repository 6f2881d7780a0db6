import type { ScheduledWork } from "../../domain/model.ts"
import type { ScheduleStore } from "../../domain/store.ts"
import type { Connection } from "./database/connection.ts"

interface Row {
  readonly dueAt: number
  readonly lockedBy: string | null
  readonly lockedUntil: number
}

export function createScheduleStore({ client, write }: Connection): ScheduleStore {
  const find = client.prepare<Row, [string]>(
    `SELECT due_at AS dueAt, locked_by AS lockedBy, coalesce(locked_until, 0) AS lockedUntil
     FROM scheduled_work WHERE name = ?`,
  )
  const lock = client.prepare(
    `INSERT INTO scheduled_work (name, due_at, locked_by, locked_until) VALUES (?, ?, ?, ?)
     ON CONFLICT (name) DO UPDATE SET locked_by = excluded.locked_by, locked_until = excluded.locked_until`,
  )
  const settle = client.prepare(
    "UPDATE scheduled_work SET due_at = ?, locked_by = NULL, locked_until = NULL WHERE name = ? AND locked_by = ?",
  )

  return {
    async claim(work, owner, now) {
      // Checked without the write lock first: it is rarely due.
      if (!isFree(work, owner, now)) return false
      return write(() => {
        if (!isFree(work, owner, now)) return false
        lock.run(work.name, now, owner, now + work.leaseMs)
        return true
      })
    },
    settle: async (name, owner, dueAt) => write(() => settle.run(dueAt, name, owner).changes > 0),
  }

  function isFree({ name, everyMs, leaseMs }: ScheduledWork, owner: string, now: number): boolean {
    const row = find.get(name)
    if (row === null) return true
    const { dueAt, lockedBy, lockedUntil } = row
    if (lockedBy !== null && lockedUntil > now && lockedUntil <= now + 2 * leaseMs) return lockedBy === owner
    return dueAt <= now || dueAt > now + 2 * everyMs
  }
}
