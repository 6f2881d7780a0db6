import type { Database } from "bun:sqlite"
import { DomainError } from "../../../domain/errors.ts"
import type { AuditEntry, RenamedDept } from "../../../domain/model.ts"
import type { UserStore } from "../../../domain/store.ts"
import { createAuditWriter } from "../audit.ts"
import type { Connection } from "../database/connection.ts"
import type { Slices } from "../database/write.ts"

/** People moved in one time slice: 2 to 5 ms. */
const peopleInSlice = 128

/** Moves a whole department in one commit, in time slices, because a department may hold everybody. */
export function createRenameDept({ writeInSlices }: Pick<Connection, "writeInSlices">): Pick<UserStore, "renameDept"> {
  return {
    renameDept: (from, to, audit) => writeInSlices((client) => renaming(client, { from, to }, audit)),
  }
}

function* renaming(
  client: Database,
  { from, to }: { readonly from: string; readonly to: string },
  audit: AuditEntry,
): Slices<RenamedDept> {
  const count = (sql: string) => client.query<{ count: number }, [string]>(sql).get(from)?.count ?? 0
  // A run keeps its audience in memory while it pays. Under the old name it would then find nobody.
  if (
    count(`SELECT count(*) AS count FROM allowance_runs
      WHERE finished_at IS NULL AND json_extract(audience, '$.dept') = ?`) > 0
  )
    throw new DomainError("dept_being_paid")
  const renamed = {
    people: count("SELECT count(*) AS count FROM users WHERE dept = ? AND deactivated_at IS NULL"),
    allowances: count(`SELECT count(*) AS count FROM allowances
      WHERE removed_at IS NULL AND json_extract(audience, '$.dept') = ?`),
  }
  client.run("UPDATE allowances SET audience = json_object('dept', ?) WHERE json_extract(audience, '$.dept') = ?", [
    to,
    from,
  ])
  createAuditWriter({ client })(audit)
  const move = client.prepare(
    `UPDATE users SET dept = $to
     WHERE id IN (SELECT id FROM users WHERE dept = $from ORDER BY id LIMIT ${peopleInSlice})`,
  )
  while (move.run({ from, to }).changes > 0) yield
  return renamed
}
